// What a hand on the map means: an enemy is charged or fired at, and a move that comes to something
// else than was asked for waits for a word.
import { atTable, begin, expect, test } from './table';
import type { Page } from '@playwright/test';

async function middle(page: Page, unit: string): Promise<{ x: number; y: number }> {
  const box = await page.locator(`[data-unit="${unit}"] .halo`).boundingBox();
  if (!box) throw new Error(`${unit} is not on the map`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function drag(page: Page, unit: string, to: { x: number; y: number }): Promise<void> {
  const from = await middle(page, unit);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 6 });
  await page.mouse.up();
}

// The brigade has checked, and the 33rd at the double quick: the mill is in reach of its charge.
async function mayCharge(page: Page): Promise<void> {
  for (let i = 0; i < 30; i++) {
    await begin(page, /Training fight: the mill road: play/, /a friend at this screen/);
    await atTable(page);
    await page.locator('[data-unit="33rd"] .halo').click();
    await page.getByRole('button', { name: /Check all/ }).click();
    await page.getByRole('button', { name: 'Roll', exact: true }).click();
    await page.getByRole('button', { name: 'Go on', exact: true }).click();
    await expect(page.locator('#panel')).toHaveAttribute('data-offers', '33rd');
    if (await page.locator('[data-unit="delaware"].target').isVisible()) return;
  }
  throw new Error('the 33rd never had the mill in reach');
}

test('a unit dragged onto an enemy in reach charges him, and its end is shown first', async ({
  page,
}) => {
  await mayCharge(page);
  const before = await middle(page, '33rd');
  await drag(page, '33rd', await middle(page, 'delaware'));
  const sheet = page.getByRole('dialog', { name: /Charge of 33rd Foot on Delaware company/ });
  await expect(sheet).toBeVisible();
  await expect(sheet.locator('.figure')).toContainText(/\d+%\s*that it wins/);
  await expect(sheet.locator('.bar span').first()).toBeVisible();
  expect(await sheet.locator('.lines li').count()).toBeGreaterThanOrEqual(3);
  // The tallies are there for who unfolds them.
  await expect(sheet.getByText('in all', { exact: true }).last()).toBeHidden();
  await sheet.locator('details.one > summary').last().click();
  await expect(sheet.getByText('in all', { exact: true }).last()).toBeVisible();
  await expect(page.locator('.ghost.home rect').first()).toBeVisible();
  expect(await page.locator('.ghost.home line').count()).toBeGreaterThan(0);
  // What cold steel costs is said, and it is chosen here.
  await sheet.getByRole('button', { name: /What cold steel gives and costs/ }).click();
  await expect(sheet).toContainText('ordinarily does not fire that turn');
  await sheet.getByRole('radio', { name: /with cold steel/ }).check();
  await expect(sheet.getByRole('radio', { name: /with cold steel/ })).toBeChecked();
  expect(await middle(page, '33rd')).toEqual(before);
  await sheet.getByRole('button', { name: 'Declare it' }).click();
  await page.getByRole('tab', { name: 'Log' }).click();
  await expect(page.getByRole('log')).toContainText(/33rd Foot.*cold steel/);
});

test('who moves while others may still charge is told first, and so is a gun that unlimbers', async ({
  page,
}) => {
  await mayCharge(page);
  const gun = page.locator('[data-unit]', { hasText: /3-pounder/ });
  const id = (await gun.getAttribute('data-unit')) ?? '';
  await gun.locator('.halo').click();
  await expect(page.locator('#panel')).toHaveAttribute('data-offers', id);
  await expect(page.locator('#panel')).toContainText('33rd Foot still may');
  const at = await middle(page, id);
  await drag(page, id, { x: at.x, y: at.y - 30 });
  await expect(
    page.getByRole('button', { name: /March there, and end the charges/ }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Let it be' }).click();
  const unlimber = page.getByRole('button', { name: /Unlimber|Hold/ }).first();
  await unlimber.click();
  await expect(page.locator('.toast')).toContainText('33rd Foot still may');
  await page.locator('[data-unit="33rd"] .halo').click();
  await expect(page.locator('[data-unit="delaware"].target')).toBeVisible();
  await gun.locator('.halo').click();
  await expect(page.locator('#panel')).toHaveAttribute('data-offers', id);
  await unlimber.click();
  await expect(page.locator('.toast')).toContainText('33rd Foot still may');
  await unlimber.click();
  await page.locator('[data-unit="33rd"] .halo').click();
  await expect(page.locator('.unit.target')).toHaveCount(0);
});

test('the words on a card explain themselves by keys', async ({ page }) => {
  await begin(page, /Cowpens: play/, /a friend at this screen/);
  await atTable(page);
  const unit = page.locator('.unit.ready').first();
  await unit.locator('.halo').click();
  await page.getByRole('button', { name: /Check alone/ }).click();
  await page.getByRole('button', { name: 'Roll', exact: true }).click();
  await page.getByRole('button', { name: 'Go on', exact: true }).click();
  const term = page.locator('.card .term').first();
  await term.focus();
  await page.keyboard.press('Enter');
  await expect(term).toHaveAttribute('aria-expanded', 'true');
  await expect(page.locator('.card .means:not([hidden])').first()).toBeVisible();
});
