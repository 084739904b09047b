// How the page looks: its letters, the map's names, the dark, the table turned.
import { atTable, begin, expect, test } from './table';
import type { Page } from '@playwright/test';

const training = /Training fight: the mill road: play/;
const friend = /a friend at this screen/;

test('the page is set in the face that comes with it, and the face is really there', async ({
  page,
}) => {
  const faces: { url: string; type: string; cache: string }[] = [];
  page.on('response', (r) => {
    const [type = '', cache = ''] = [r.headers()['content-type'], r.headers()['cache-control']];
    if (r.url().includes('.woff2')) faces.push({ url: r.url(), type, cache });
  });
  await begin(page, training, friend);
  await atTable(page);
  await page.evaluate(() => document.fonts.ready);
  const family = (selector: string): Promise<string> =>
    page
      .locator(selector)
      .first()
      .evaluate((e) => getComputedStyle(e).fontFamily);
  expect(await family('body')).toMatch(/^"?Libre Caslon Text/);
  expect(await family('header h1')).toMatch(/^"?IM FELL English/);
  expect(await family('.unit .name')).toMatch(/^"?Libre Caslon Text/);
  expect(await family('.places text')).toMatch(/^"?Libre Caslon Text/);
  const loaded = await page.evaluate(() =>
    [...document.fonts].filter((f) => f.status === 'loaded').map((f) => `${f.family} ${f.style}`),
  );
  expect(loaded.join()).toContain('Libre Caslon Text normal');
  expect(loaded.join()).toContain('Libre Caslon Text italic');
  expect(loaded.join()).toContain('IM FELL English normal');
  expect(await page.evaluate(() => document.fonts.check('15px "Libre Caslon Text"'))).toBe(true);
  expect(faces.length).toBeGreaterThan(2);
  for (const face of faces) {
    expect(new URL(face.url).origin).toBe(new URL(page.url()).origin);
    expect(face.type).toBe('font/woff2');
    expect(face.cache).toContain('immutable');
  }
});

// How high a name is on the screen, in pixels.
const high = async (page: Page, text: string): Promise<number> => {
  const name = page.locator('.places text', { hasText: text }).first();
  return name.evaluate((e) => {
    const size = Number.parseFloat(getComputedStyle(e).fontSize);
    const shown = (e as SVGTextElement).getScreenCTM();
    return size * Math.hypot(shown?.a ?? 0, shown?.b ?? 0);
  });
};

test('names of places have one size on the screen, however near one looks', async ({ page }) => {
  await begin(page, training, friend);
  await atTable(page);
  const far = await high(page, 'Mill brook');
  expect(far).toBeGreaterThan(11);
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await expect.poll(() => high(page, 'Mill brook')).toBeCloseTo(far, 0);
});

// The boxes of all that is matched, on the screen.
const boxes = (page: Page, selector: string): Promise<DOMRect[]> =>
  page
    .locator(selector)
    .evaluateAll((all) => all.map((e) => e.getBoundingClientRect().toJSON() as DOMRect));
const meet = (a: DOMRect, b: DOMRect): boolean =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;

test('stars and leaders stand beside troops, and names of places keep clear of them', async ({
  page,
}) => {
  await begin(page, /Cowpens: play/, friend);
  await atTable(page);
  const stands = await boxes(page, '.unit .stand .base');
  const [leaders, stars] = [await boxes(page, '.leader .edge'), await boxes(page, '.key g')];
  const names = await boxes(page, '.places text:not([transform*="rotate(-"])');
  expect(stands.length).toBeGreaterThan(80);
  expect([leaders.length, stars.length]).toEqual([7, 4]);
  expect(names.length).toBeGreaterThan(3);
  for (const mark of [...leaders, ...stars])
    expect(stands.filter((s) => meet(s, mark))).toEqual([]);
  const level = names.filter((n) => n.height < 24);
  for (const name of level)
    expect([...stands, ...leaders, ...stars].filter((s) => meet(s, name))).toEqual([]);
});

// How bright the paper of the map is, from 0 to 255, in its upper left corner inside the frame.
const paper = (page: Page): Promise<number> =>
  page.locator('canvas.ground').evaluate((e) => {
    const canvas = e as HTMLCanvasElement;
    const at = canvas.getContext('2d')?.getImageData(canvas.width * 0.8, canvas.height * 0.8, 8, 8);
    const bytes = [...(at?.data ?? [])].filter((_, i) => i % 4 < 3);
    return bytes.reduce((a, b) => a + b, 0) / bytes.length;
  });

test('in the dark the paper of the map is dimmed and its letters are dark on it', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await begin(page, training, friend);
  await atTable(page);
  const day = await paper(page);
  expect(day).toBeGreaterThan(200);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => paper(page)).toBeLessThan(day - 50);
  expect(await paper(page)).toBeGreaterThan(90);
  const ink = await page
    .locator('.places text')
    .first()
    .evaluate((e) => getComputedStyle(e).fill.match(/\d+/g)?.map(Number) ?? []);
  expect(Math.max(...ink)).toBeLessThan(90);
  // Chosen by hand it is the same.
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(() => paper(page)).toBeGreaterThan(200);
  await page.evaluate(() =>
    localStorage.setItem('linstock.settings', JSON.stringify({ theme: 'dark' })),
  );
  await page.reload();
  await atTable(page);
  await expect.poll(() => paper(page)).toBeLessThan(day - 50);
});

const middle = async (page: Page, unit: string): Promise<{ x: number; y: number }> => {
  const box = await page.locator(`[data-unit="${unit}"] .halo`).boundingBox();
  if (!box) throw new Error(`${unit} is not on the table`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

test('the table can be turned for the player in the north', async ({ page }) => {
  await begin(page, training, friend);
  await atTable(page);
  const [ours, theirs] = [await middle(page, '33rd'), await middle(page, 'maryland')];
  expect(ours.y).toBeGreaterThan(theirs.y);
  const turn = page.getByRole('button', { name: 'Turn the table' });
  await expect(turn).toHaveAttribute('aria-pressed', 'false');
  await page.keyboard.press('t');
  await expect(turn).toHaveAttribute('aria-pressed', 'true');
  const [near, far] = [await middle(page, 'maryland'), await middle(page, '33rd')];
  expect(near.y).toBeGreaterThan(far.y);
  // Left is right: the 33rd stood to the right of the 23rd.
  expect(far.x).toBeLessThan((await middle(page, '23rd')).x);
  // Letters stay upright.
  for (const name of ['.unit .name', '.places text']) {
    const up = await page.locator(name).evaluateAll((all) =>
      all.map((e) => {
        const m = (e as SVGTextElement).getScreenCTM();
        return (m?.a ?? 0) > -0.01;
      }),
    );
    expect(up.length).toBeGreaterThan(2);
    expect(up.every(Boolean)).toBe(true);
  }
  // It is remembered, and turned back by its button.
  await page.reload();
  await atTable(page);
  await expect(turn).toHaveAttribute('aria-pressed', 'true');
  expect((await middle(page, 'maryland')).y).toBeGreaterThan((await middle(page, '33rd')).y);
  await turn.click();
  await expect(turn).toHaveAttribute('aria-pressed', 'false');
  expect((await middle(page, 'maryland')).y).toBeLessThan((await middle(page, '33rd')).y);
});

test('on the turned table a drag, the arrows and the ruler go where they point', async ({
  page,
}) => {
  await begin(page, training, friend);
  await atTable(page);
  await page.getByRole('button', { name: 'Turn the table' }).click();
  await page.locator('[data-unit="33rd"]').click();
  await page.getByRole('button', { name: /Check alone/ }).click();
  await page.getByRole('button', { name: 'Roll', exact: true }).click();
  await page.getByRole('button', { name: 'Go on', exact: true }).click();
  await expect(page.locator('.marks .reach')).toBeVisible();
  const ghost = async (): Promise<{ x: number; y: number }> => {
    const all = await boxes(page, '.ghost rect');
    expect(all.length).toBeGreaterThan(0);
    const mid = (low: number[], high: number[]): number =>
      (Math.min(...low) + Math.max(...high)) / 2;
    return {
      x: mid(
        all.map((b) => b.left),
        all.map((b) => b.right),
      ),
      y: mid(
        all.map((b) => b.top),
        all.map((b) => b.bottom),
      ),
    };
  };
  const from = await middle(page, '33rd');
  // Its front is below: it is drawn towards the viewer.
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y + 50, { steps: 6 });
  await expect(page.locator('.ghost rect').first()).toBeVisible();
  await expect.poll(async () => (await ghost()).y - from.y).toBeGreaterThan(25);
  expect(Math.abs((await ghost()).x - from.x)).toBeLessThan(12);
  const says = page.locator('.ghost text');
  expect(await says.evaluate((e) => getComputedStyle(e).rotate)).toBe('180deg');
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await page.keyboard.press('Escape');
  await page.locator('[data-unit="33rd"]').click();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('.ghost rect').first()).toBeVisible();
  await expect.poll(async () => (await ghost()).y - from.y).toBeGreaterThan(10);
  await page.keyboard.press('Escape');
  const [a, b] = [await middle(page, '23rd'), await middle(page, '33rd')];
  await page.keyboard.press('m');
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move(b.x, b.y, { steps: 4 });
  await page.mouse.up();
  await expect(page.locator('.rule text')).toHaveText(/1[12]\.\d″/);
  const line = (await boxes(page, '.rule line'))[0];
  expect(Math.abs((line?.left ?? 0) - Math.min(a.x, b.x))).toBeLessThan(4);
});

test('the small map leads to where one points, also on the turned table', async ({ page }) => {
  await begin(page, training, friend);
  await atTable(page);
  await page.keyboard.press('t');
  for (let i = 0; i < 5; i++) await page.keyboard.press('+');
  const mini = await page.locator('.mini').boundingBox();
  const frame = await page.locator('.frame').boundingBox();
  if (!mini || !frame) throw new Error('no small map');
  // Maryland is in the north, which is below; a little to the right of the middle.
  await page.mouse.click(mini.x + mini.width * 0.55, mini.y + mini.height * 0.75);
  await expect
    .poll(async () => {
      const at = await middle(page, 'maryland');
      return (
        at.x > frame.x &&
        at.x < frame.x + frame.width &&
        at.y > frame.y &&
        at.y < frame.y + frame.height
      );
    })
    .toBe(true);
});

test('a battle to choose shows its map without the names of orders', async ({ page }) => {
  await page.goto('/');
  const card = page.locator('.card', { hasText: 'Training fight: the mill road' }).first();
  const map = card.getByRole('img', { name: /Map of Training fight/ }).locator('canvas');
  await expect(map).toHaveClass(/drawn/);
  const colors = await map.evaluate((e) => {
    const canvas = e as HTMLCanvasElement;
    const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
    const found = new Set<number>();
    for (let i = 0; data && i < data.length; i += 64)
      found.add(
        ((data[i] ?? 0) >> 4) * 256 + ((data[i + 1] ?? 0) >> 4) * 16 + ((data[i + 2] ?? 0) >> 4),
      );
    return found.size;
  });
  // Paper, woods, water, coats: not an empty sheet.
  expect(colors).toBeGreaterThan(40);
  expect(await card.innerText()).not.toMatch(/va-militia|legion-horse|light-coy/);
});
