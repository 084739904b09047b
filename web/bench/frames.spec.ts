// What the page costs: first paint, a click until it shows, and frames while panning a table with
// 500 and with 2,000 stands, side by side in one run.
//
// `linstock serve --no-open` in one window, `npm run bench` in another.
import { test, type Page } from '@playwright/test';

const home = process.env['LINSTOCK_URL'] ?? 'http://127.0.0.1:8088';

// A scenario of so many units of eight stands, in lines on a wide table.
function scenario(units: number): string {
  const sides = ['north', 'south'].map(
    (home, i) =>
      `[[side]]\nid = "${home}"\nname = "${home}"\nhome = "${home}"\ncolor = "${i ? '#2b4f81' : '#a3322b'}"\n`,
  );
  const list = Array.from({ length: units }, (_, i) => {
    const side = i % 2;
    const n = Math.floor(i / 2);
    const x = 4 + (n % 20) * 5.5;
    const y = side ? 4 + Math.floor(n / 20) * 4 : 92 - Math.floor(n / 20) * 4;
    return `[[unit]]\nid = "u${i}"\nname = "Unit ${i}"\nside = "${side ? 'south' : 'north'}"\narm = "infantry"\nclass = "trained"\nmorale = "reliable"\nstands = 8\nweapon = "M"\nat = [${x}, ${y}]\nfacing = ${side ? 0 : 180}\nformation = "line"\n`;
  });
  return `id = "many"\ntitle = "Many"\ndate = "never"\nbook = "rff-awi-15mm"\nblurb = "Stands to draw."\nsources = ["none"]\n\n[table]\nwidth = 118\nheight = 96\n\n[game]\nturns = 4\nfirst = "south"\nmargin = 2\n\n${sides.join('\n')}\n${list.join('\n')}`;
}

async function table(page: Page, units: number): Promise<void> {
  const made = (await (
    await page.request.post(`${home}/api/games`, {
      data: { scenario_text: scenario(units), mode: { kind: 'hot-seat' } },
    })
  ).json()) as { game: string; token: string; message?: string };
  if (made.message) throw new Error(made.message);
  await page.goto(`${home}/#/game/${made.game}/${made.token}`);
  await page.reload();
  await page.locator('.unit').first().waitFor();
}

async function pan(page: Page): Promise<{ median: number; worst: number }> {
  const box = await page.locator('.frame').boundingBox();
  if (!box) throw new Error('no map');
  await page.mouse.move(box.x + 30, box.y + 30);
  for (let i = 0; i < 6; i++) await page.mouse.wheel(0, -120);
  await page.waitForTimeout(500);
  await page.evaluate(() => {
    const times: number[] = [];
    let last = performance.now();
    const tick = (now: number): void => {
      times.push(now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    Object.assign(window, { frameTimes: times });
  });
  await page.mouse.move(box.x + 8, box.y + 8);
  await page.mouse.down();
  for (let i = 0; i < 120; i++)
    await page.mouse.move(box.x + 200 + 150 * Math.sin(i / 9), box.y + 200 + 120 * Math.cos(i / 7));
  await page.mouse.up();
  const times = await page.evaluate(
    () => (window as unknown as { frameTimes: number[] }).frameTimes,
  );
  times.sort((a, b) => a - b);
  const part = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? 0;
  return { median: part(0.5), worst: part(0.95) };
}

test('what the page costs', async ({ page }) => {
  await page.goto(home);
  await page.locator('.card').first().waitFor();
  const paint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  );
  console.log(`first paint ${paint.toFixed(0)} ms`);
  for (const units of [4, 63, 250]) {
    await table(page, units);
    const clicks: number[] = [];
    for (let i = 0; i < 10; i++) {
      const took = await page.evaluate(async (n) => {
        const unit = document.querySelectorAll('.unit')[n % 4];
        const start = performance.now();
        unit?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
        while (!unit?.classList.contains('selected'))
          await new Promise((r) => requestAnimationFrame(r));
        await new Promise((r) => requestAnimationFrame(r));
        return performance.now() - start;
      }, i);
      clicks.push(took);
    }
    clicks.sort((a, b) => a - b);
    const { median, worst } = await pan(page);
    console.log(
      `${units * 8} stands: a choice shows after ${clicks[5]?.toFixed(0)} ms; a frame while panning takes ${median.toFixed(1)} ms (median), ${worst.toFixed(1)} (95 of 100)`,
    );
  }
});
