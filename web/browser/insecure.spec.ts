// The page as it comes to a friend in the network: over plain HTTP by a name that is not this
// computer's, where browsers take away what they keep for secure contexts.
import { atTable, begin, expect, test } from './table';

test.beforeEach(async ({ page, baseURL }) => {
  const there = new URL(baseURL ?? '');
  there.hostname = 'linstock.test';
  await page.goto(there.href);
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  expect(await page.evaluate(() => 'clipboard' in navigator)).toBe(false);
});

test('orders are given where the context is not secure', async ({ page }) => {
  await begin(page, /Training fight: the mill road/, /a friend at this screen/);
  await atTable(page);
  await page.locator('[data-unit="33rd"]').click();
  await page.getByRole('button', { name: /Check alone/ }).click();
  await page.getByRole('button', { name: 'Roll', exact: true }).click();
  await page.getByRole('button', { name: 'Go on', exact: true }).click();
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowUp');
  await expect(page.locator('.ghost')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /Undo/ })).toBeEnabled();
  await page.keyboard.press('u');
  await expect(page.locator('.toast')).toContainText('Taken back');
});

test('links are copied where there is no clipboard', async ({ page }) => {
  await begin(page, /Training fight: the mill road/, /a friend far away/, /British/);
  const link = page.getByLabel('Link for your opponent');
  await expect(link).toHaveValue(/^http:\/\/linstock\.test:\d+\/#\/game\/[0-9a-f]+\/[0-9a-f]{64}$/);
  const sent = await link.inputValue();
  await page.getByRole('button', { name: /Copy Link for your opponent/ }).click();
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('Copied');
  await page
    .getByLabel(/Your name/)
    .or(page.locator('body'))
    .first()
    .waitFor();
  const marked = await page.evaluate(() => getSelection()?.toString() ?? '');
  expect(marked).toBe(sent);
  await page.getByRole('link', { name: 'Go to the table' }).click();
  await atTable(page);
  await expect(page.getByLabel(/Link for the other side/)).toHaveValue(sent);
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await page.getByRole('button', { name: 'Link to this moment', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Link to this moment' })).toHaveValue(
    /\/at\/\d+$/,
  );
});
