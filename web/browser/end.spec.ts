// Battles that are not fought to their end, what is told then, and what comes next.
import { atTable, begin, expect, listen, test } from './table';

test('a battle is given up, told with its points, and fought again with the sides changed', async ({
  page,
}) => {
  await begin(page, /Training fight: the mill road: play/, /the computer/, /British advance guard/);
  await atTable(page);
  await page.getByRole('button', { name: 'No more checks: the others stand' }).click();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Give the battle up' }).click();
  await expect(
    page.getByRole('button', { name: /Sure\? The American rear guard win/ }),
  ).toBeVisible();
  await expect(page.locator('.prompt')).toContainText('British advance guard:');
  await page.getByRole('button', { name: /Sure\? The American/ }).click();
  await expect(page.getByRole('heading', { name: /American rear guard win/ })).toContainText(
    'the British advance guard gave the battle up',
  );
  await expect(page.locator('.prompt')).toContainText('American rear guard win');
  await expect(page.locator('.step')).toHaveCount(0);
  await page.getByRole('button', { name: 'Fight it again with the sides changed' }).click();
  await expect(page.locator('.score')).toContainText(
    /Victory points.*American rear guard\s+5\s+\(you\)/s,
  );
  await page.goto('/');
  await expect(page.getByText('over: American rear guard won')).toBeVisible();
});

test('a draw is offered, declined, offered again and agreed to', async ({
  page,
  browser,
  quiet,
}) => {
  await begin(page, /Training fight: the mill road: play/, /a friend far away/, /British/);
  const link = await page.getByLabel('Link for your opponent').inputValue();
  await page.getByRole('link', { name: 'Go to the table' }).click();
  await atTable(page);
  const other = await (await browser.newContext()).newPage();
  listen(other, quiet);
  await other.goto(link);
  await atTable(other);
  for (const answer of ['Fight on', 'Agree'] as const) {
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Offer a draw' }).click();
    await expect(page.getByText('You have offered a draw.')).toBeVisible();
    await expect(other.getByText('The British advance guard offer a draw.')).toBeVisible();
    await other.getByRole('button', { name: answer }).click();
    await expect(page.getByText('You have offered a draw.')).toHaveCount(0);
  }
  for (const seen of [page, other])
    await expect(seen.getByRole('heading', { name: 'A draw' })).toContainText('both agreed');
  await page.getByRole('button', { name: 'Fight it again with the sides changed' }).click();
  await expect(page.locator('.score')).toContainText(/American rear guard\s+5\s+\(you\)/);
  await other.getByRole('button', { name: 'To the rematch' }).click();
  await expect(other.locator('.score')).toContainText(/British advance guard\s+0\s+\(you\)/);
});

test('a save that is opened and declined leaves no game behind', async ({ page }) => {
  await begin(page, /Training fight: the mill road: play/, /a friend at this screen/);
  await atTable(page);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Save to a file' }).click();
  const path = await (await download).path();
  await page.goto('/');
  const games = page.locator('.games li');
  const before = await games.count();
  const made = page.waitForResponse((r) => r.url().endsWith('/api/games'));
  await page.getByLabel(/Open a save or a scenario file/).setInputFiles(path);
  const { game, token } = (await (await made).json()) as { game: string; token: string };
  await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByRole('heading', { name: 'Battles' })).toBeVisible();
  await expect(games).toHaveCount(before);
  const headers = { authorization: `Bearer ${token}` };
  expect((await page.request.get(`/api/games/${game}`, { headers })).status()).toBe(404);
});
