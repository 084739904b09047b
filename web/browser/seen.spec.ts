// What a player is shown: sums that are right, what the other side did, distances, how to win.
import { atTable, begin, expect, test } from './table';

test('the modifiers of a volley add up to what the die is changed by', async ({ page }) => {
  await begin(page, /Cowpens: play/, /nobody: watch two computers/);
  await atTable(page);
  await page.getByRole('button', { name: 'Skip' }).click();
  await page.getByRole('tab', { name: 'Log' }).click();
  const volley = page.locator('li.roll', { hasText: /fire/i }).first();
  await expect(volley).toBeVisible({ timeout: 60_000 });
  await volley.locator('summary').click();
  const told = /die \d+ (?:([+−-]) (\d+) )?=/.exec(
    (await volley.locator('summary').innerText()) ?? '',
  );
  const by = told?.[2] ? Number(told[2]) * (told[1] === '+' ? 1 : -1) : 0;
  const all = (await volley.locator('.sum .v').first().innerText()).replace('−', '-');
  expect(Number(all)).toBe(by);
});

test('what the computer does is told one order after another, and can be held', async ({
  page,
}) => {
  await begin(page, /Cowpens: play/, /the computer/, /Americans/);
  await atTable(page);
  const news = page.getByRole('region', { name: 'The other side', exact: true });
  await expect(news).toContainText('British');
  await news.getByRole('button', { name: 'Pause' }).click();
  const held = await news.getByRole('status').innerText();
  await page.waitForTimeout(2500);
  expect(await news.getByRole('status').innerText()).toBe(held);
  await news.getByRole('button', { name: 'Skip' }).click();
  await expect(news).toHaveCount(0);
  await expect(page.locator('.prompt')).toContainText('Americans');
  await page.getByText(/What the other side did/).click();
  await expect(page.getByRole('region', { name: 'What the other side did' })).toContainText(
    'checks: die',
  );
});

test('the ruler and the line of sight begin on units too', async ({ page }) => {
  await begin(page, /Training fight: the mill road: play/, /a friend at this screen/);
  await atTable(page);
  const place = async (unit: string): Promise<{ x: number; y: number }> => {
    const box = await page.locator(`[data-unit="${unit}"] .halo`).boundingBox();
    if (!box) throw new Error(unit);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const [from, to] = [await place('23rd'), await place('33rd')];
  await page.keyboard.press('m');
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
  await expect(page.locator('.rule text')).toHaveText(/1[12]\.\d″/);
  await page.keyboard.press('v');
  await page.mouse.click(from.x, from.y);
  await expect(page.locator('.seen')).toBeVisible();
  await expect(page.locator('.looked')).toBeVisible();
});

test('a unit is chosen by dragging it, and a drag before its check says what is missing', async ({
  page,
}) => {
  await begin(page, /Training fight: the mill road: play/, /a friend at this screen/);
  await atTable(page);
  const drag = async (): Promise<void> => {
    const box = await page.locator('[data-unit="33rd"] .halo').boundingBox();
    if (!box) throw new Error('33rd');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 70, { steps: 5 });
  };
  await drag();
  await page.mouse.up();
  await expect(page.locator('.toast.bad')).toContainText('must pass a maneuver check');
  await page.getByRole('button', { name: /Check alone/ }).click();
  await page.getByRole('button', { name: 'Roll', exact: true }).click();
  await page.getByRole('button', { name: 'Go on', exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(page.locator('.unit.selected')).toHaveCount(0);
  await drag();
  await expect(page.locator('.ghost rect').first()).toBeVisible();
  // The wheel turns what is held; with Shift it stays where it is let go.
  await page.mouse.wheel(0, 100);
  await page.keyboard.down('Shift');
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await page.getByRole('button', { name: 'March there' }).click();
  await expect(page.locator('.ghost')).toHaveCount(0);
});

test('how a battle is won is said before it and during it', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: /Training fight: the mill road: play/ }).click();
  await page.getByText('How it is won').click();
  await expect(page.getByRole('dialog')).toContainText('Mill yard: 3 points');
  await page.getByRole('button', { name: 'To the table' }).click();
  await atTable(page);
  await page.getByRole('button', { name: /Victory points/ }).click();
  await expect(page.locator('#panel')).toContainText('who leads by 2 or more has won');
  await page.locator('summary', { hasText: /5\s+points/ }).click();
  await expect(page.locator('#panel')).toContainText('Crossroads: 2');
});

test('a step that could still be used takes two presses to end', async ({ page }) => {
  await begin(page, /Training fight: the mill road: play/, /a friend at this screen/);
  await atTable(page);
  const done = page.locator('.step .offer').first();
  const prompt = page.locator('.prompt');
  await expect(prompt).toContainText('for its maneuver check');
  await done.click();
  await expect(done).toContainText('Sure?');
  await expect(prompt).toContainText('for its maneuver check');
  await done.click();
  await expect(prompt).not.toContainText('for its maneuver check');
});

test('those who checked together advance together, and the links of a game are at hand', async ({
  page,
}) => {
  await begin(page, /Training fight: the mill road: play/, /a friend at this screen/);
  await atTable(page);
  await page.locator('[data-unit="33rd"]').click();
  await page.getByRole('button', { name: /Check all/ }).click();
  await page.getByRole('button', { name: 'Roll', exact: true }).click();
  await page.getByRole('button', { name: 'Go on', exact: true }).click();
  const halo = page.locator('[data-unit="33rd"] .halo');
  const before = (await halo.getAttribute('y')) ?? '';
  await page.getByLabel(/straight ahead/).fill('2');
  await page.getByRole('button', { name: 'Advance', exact: true }).click();
  await expect(halo).not.toHaveAttribute('y', before);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Links to this game' }).click();
  await expect(page.getByLabel(/To look on/)).toHaveValue(/#\/game\/[0-9a-f]+\/[0-9a-f]{64}/);
});

test('a save that is opened asks against whom it is played', async ({ page }) => {
  await begin(page, /Training fight: the mill road: play/, /a friend at this screen/);
  await atTable(page);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Save to a file' }).click();
  const path = await (await download).path();
  await page.goto('/');
  await page.getByLabel(/Open a save or a scenario file/).setInputFiles(path);
  await atTable(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/the computer/).check();
  await dialog.getByRole('button', { name: 'To the table' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.locator('.score')).toContainText('(you)');
});

test('a torn link says so, and what was told at once can be told at leisure again', async ({
  page,
}) => {
  await page.goto('/#/game/zzzz');
  await expect(page.getByRole('heading', { name: 'This is not a whole link' })).toBeVisible();
  await page.getByRole('link', { name: 'To the battles' }).click();
  await begin(page, /Cowpens: play/, /the computer/, /Americans/);
  await atTable(page);
  const news = page.getByRole('region', { name: 'The other side', exact: true });
  await news.getByRole('combobox').selectOption('at once');
  await expect(news).toHaveCount(0);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByLabel(/Show the other side/).selectOption('at leisure');
  const kept = await page.evaluate(() => localStorage.getItem('linstock.settings') ?? '');
  expect(JSON.parse(kept)).toMatchObject({ pace: 2 });
});

test('a leader who may not ride now says why when he is dragged', async ({ page }) => {
  await begin(page, /Training fight: the mill road: play/, /a friend at this screen/);
  await atTable(page);
  const leader = page.locator('[aria-label^="Lt Col James Webster"] .hit');
  const box = await leader.boundingBox();
  if (!box) throw new Error('Webster is not on the table');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 60, box.y - 60, { steps: 4 });
  await page.mouse.up();
  await expect(page.getByRole('alert')).toContainText('Leaders ride when all units have moved');
});
