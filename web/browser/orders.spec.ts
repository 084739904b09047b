// Moving by mouse and keys, refusals, undo, replay and branches.
import { atTable, begin, expect, test } from './table';
import type { Page } from '@playwright/test';

async function checked(page: Page): Promise<void> {
  await begin(page, /Training fight: the mill road: play/, /a friend at this screen/);
  await atTable(page);
  await page.locator('[data-unit="33rd"]').click();
  await page.getByRole('button', { name: /Check alone/ }).click();
  await expect(page.getByRole('heading', { name: 'Maneuver check of 33rd Foot' })).toBeVisible();
  await page.getByRole('button', { name: 'Roll', exact: true }).click();
  await page.getByRole('button', { name: 'Go on', exact: true }).click();
}

async function frontOf(page: Page, unit: string): Promise<{ x: number; y: number }> {
  const box = await page.locator(`[data-unit="${unit}"] .halo`).boundingBox();
  if (!box) throw new Error(`${unit} is not on the map`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test('a drag moves a unit as far as it may, and undo brings it back', async ({ page }) => {
  await checked(page);
  await expect(page.locator('.reach')).toBeVisible();
  const before = await frontOf(page, '33rd');
  await page.mouse.move(before.x, before.y);
  await page.mouse.down();
  await page.mouse.move(before.x, before.y - 40, { steps: 4 });
  await expect(page.locator('.ghost rect').first()).toBeVisible();
  await page.mouse.move(before.x, before.y - 60, { steps: 3 });
  await page.mouse.up();
  await expect.poll(async () => (await frontOf(page, '33rd')).y).toBeLessThan(before.y - 30);
  await page.keyboard.press('u');
  await expect.poll(async () => (await frontOf(page, '33rd')).y).toBeGreaterThan(before.y - 3);
});

test('a drag beyond what is legal waits for a word, and says which rule stops it', async ({
  page,
}) => {
  await checked(page);
  const before = await frontOf(page, '33rd');
  await page.mouse.move(before.x, before.y);
  await page.mouse.down();
  await page.mouse.move(before.x, before.y - 460, { steps: 6 });
  await expect(page.locator('.ghost.stopped')).toBeVisible();
  await page.mouse.up();
  await expect(page.locator('.toast')).toContainText('It does not get there');
  await expect(page.locator('.ghost.stopped')).toBeVisible();
  expect((await frontOf(page, '33rd')).y).toBeCloseTo(before.y, 0);
  await page.getByRole('button', { name: 'Let it be' }).click();
  await expect(page.locator('.ghost')).toHaveCount(0);
  expect((await frontOf(page, '33rd')).y).toBeCloseTo(before.y, 0);
  await page.mouse.move(before.x, before.y);
  await page.mouse.down();
  await page.mouse.move(before.x, before.y - 460, { steps: 6 });
  await expect(page.locator('.ghost.stopped')).toBeVisible();
  await page.mouse.up();
  await page.getByRole('button', { name: /March there/ }).click();
  await expect(page.locator('.toast')).toContainText('It went as far as it may');
  const after = await frontOf(page, '33rd');
  expect(before.y - after.y).toBeGreaterThan(40);
  expect(before.y - after.y).toBeLessThan(330);
  await page.locator('.toast .link').first().click();
  await expect(page.locator('.asked')).toBeVisible();
});

test('what may not be done says why', async ({ page }) => {
  // At the double quick there is an enemy out of reach of a charge: about half of the rolls.
  const why = page.getByText(/Not now, and why/);
  for (let i = 0; i < 12; i++) {
    await checked(page);
    await expect(page.locator('#panel')).toHaveAttribute('data-offers', '33rd');
    if (await why.isVisible()) break;
  }
  await why.click();
  const no = page.locator('.offer.no').first();
  await expect(no.locator('.why')).toContainText('33rd Foot');
  await no.click({ force: true });
  await expect(page.locator('.toast.bad')).toContainText('33rd Foot');
  await page.getByRole('button', { name: /Hold$/ }).click();
  await expect(page.locator('.prompt')).toContainText('for its maneuver check');
  // Where there is one reason for everything it is said at once.
  await page.locator('[data-unit="33rd"]').click();
  await expect(page.locator('#panel > .why')).toContainText('33rd Foot');
});

test('the battle can be looked through again, and played on from any moment', async ({ page }) => {
  await checked(page);
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  const slider = page.getByRole('slider', { name: 'Moment of the battle' });
  await slider.fill('0');
  await expect(page.locator('.prompt')).toContainText('Looking back, 0 of');
  await page.getByRole('button', { name: 'One forward' }).click();
  await expect(page.locator('.prompt')).toContainText('Looking back, 1 of');
  const from = page.url();
  await page.getByRole('button', { name: 'Play on from here' }).click();
  await page.getByLabel(/a friend at this screen/).check();
  await page.getByRole('button', { name: 'To the table' }).click();
  await expect.poll(() => page.url()).not.toBe(from);
  await atTable(page);
  await expect(page.locator('.prompt')).toContainText('the units just checked');
});

test('everything is reached by keys alone', async ({ page }) => {
  await page.goto('/');
  const card = page.getByRole('button', { name: /Training fight: the mill road: play/ }).first();
  await card.focus();
  await page.keyboard.press('Enter');
  await page.getByLabel(/a friend at this screen/).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await expect(page.getByLabel(/a friend at this screen/)).toBeChecked();
  await page.keyboard.press('Enter');
  await atTable(page);
  // Whoever comes by keys begins at the name of the battle, and nothing has scrolled.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  const over = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  expect(over).toBe(0);
  await page.keyboard.press('n');
  await expect(page.locator('.unit.selected')).toBeVisible();
  await page.keyboard.press('1');
  await expect(page.getByRole('button', { name: 'Roll', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Go on', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('n');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(page.locator('.ghost')).toBeVisible();
  // What the arrows do is said aloud.
  await expect(page.getByRole('status', { name: 'The move' })).toContainText('advance 2.0″');
  await page.keyboard.press('Enter');
  await expect(page.locator('.ghost')).toHaveCount(0);
  // It has moved: there is something to take back.
  await expect(page.getByRole('button', { name: /^Undo/ })).toBeEnabled();
  await page.keyboard.press('?');
  await expect(page.getByRole('heading', { name: 'Keys' })).toBeVisible();
  await page.keyboard.press('Escape');
});

test('a phone shows the map, the orders and nothing too wide', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/');
  const wide = (): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect(page.locator('.card').first()).toBeVisible();
  expect(await wide()).toBeLessThanOrEqual(0);
  await begin(page, /Training fight: the mill road: play/, /a friend at this screen/);
  await atTable(page);
  expect(await wide()).toBeLessThanOrEqual(0);
  await page
    .getByRole('button', { name: /33rd Foot/ })
    .last()
    .click();
  await page.getByRole('button', { name: /Check alone/ }).click();
  await page.getByRole('button', { name: 'Roll', exact: true }).click();
  await page.getByRole('button', { name: 'Go on', exact: true }).click();
  expect(await wide()).toBeLessThanOrEqual(0);
});
