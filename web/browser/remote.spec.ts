// Two players in two windows; the server killed in the middle of a turn; a lost connection.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:net';
import { atTable, begin, expect, listen, test } from './table';
import type { Page } from '@playwright/test';

async function invited(page: Page): Promise<string> {
  await expect(page.getByText('Send each link to one player')).toBeVisible();
  const link = await page.getByLabel('Link for your opponent').inputValue();
  await page.getByRole('link', { name: 'Go to the table' }).click();
  await atTable(page);
  return link;
}

async function check(page: Page, unit: string): Promise<void> {
  await page.locator(`[data-unit="${unit}"]`).click();
  await page.getByRole('button', { name: /Check alone/ }).click();
  await page.getByRole('button', { name: 'Roll', exact: true }).click();
  await page.getByRole('button', { name: 'Go on', exact: true }).click();
}

test('a remote game in two windows', async ({ page, browser, quiet }) => {
  await begin(page, /Training fight: the mill road: play/, /a friend far away/, /British/);
  const link = await invited(page);
  const other = await (await browser.newContext()).newPage();
  listen(other, quiet);
  await other.goto(link);
  await atTable(other);
  expect(other.url()).not.toContain(link.split('/').pop() ?? 'x');
  await expect(page.getByText('A friend has joined the game.')).toBeVisible();
  await expect(other.locator('.prompt')).toContainText('Waiting for the British');
  await check(page, '33rd');
  await other.getByRole('tab', { name: 'Log' }).click();
  await expect(other.getByRole('log')).toContainText('33rd Foot checks');
  // The other side may look, but gives no orders.
  await other.getByRole('tab', { name: 'Orders' }).click();
  await other.locator('[data-unit="33rd"]').click();
  await expect(other.locator('.offer')).toHaveCount(0);
});

test('a lost connection comes back, and nothing is missed', async ({ page, browser }) => {
  await begin(page, /Training fight: the mill road: play/, /a friend far away/, /British/);
  const link = await invited(page);
  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(link);
  await atTable(other);
  await context.setOffline(true);
  await expect(other.getByText('The connection is lost')).toBeVisible({ timeout: 30_000 });
  await check(page, '33rd');
  await context.setOffline(false);
  await expect(other.getByText('The connection is lost')).toHaveCount(0, { timeout: 30_000 });
  await other.getByRole('tab', { name: 'Log' }).click();
  await expect(other.getByRole('log')).toContainText('33rd Foot checks');
  await expect(other.getByText('33rd Foot checks')).toHaveCount(1);
});

test('a game the server does not know any more is not asked for again and again', async ({
  page,
}) => {
  await begin(page, /Training fight: the mill road: play/, /a friend far away/, /British/);
  await invited(page);
  let asked = 0;
  await page.route('**/live?**', (route) => {
    asked += 1;
    return route.fulfill({ status: 404, body: '{}' });
  });
  await page.context().setOffline(true);
  await expect(page.getByText('The connection is lost')).toBeVisible({ timeout: 30_000 });
  await page.context().setOffline(false);
  await expect(page.getByText('does not know this game any more')).toBeVisible({ timeout: 30_000 });
  await page.waitForTimeout(1500);
  expect(asked).toBe(1);
});

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const at = probe.address();
      probe.close(() => resolve(typeof at === 'object' && at ? at.port : 0));
    });
  });
}

async function serve(port: number, data: string): Promise<ChildProcess> {
  const program = process.env['LINSTOCK'] ?? '../target/debug/linstock';
  const server = spawn(program, ['serve', '--no-open', '--port', String(port), '--data', data]);
  await new Promise<void>((resolve, reject) => {
    server.stdout.on('data', (text: Buffer) => {
      if (text.toString().includes('Linstock is at')) resolve();
    });
    server.on('exit', () => reject(new Error('the server did not start')));
  });
  return server;
}

test('the server is killed in the middle of a turn, and the game goes on', async ({ page }) => {
  const port = await freePort();
  const data = mkdtempSync(join(tmpdir(), 'linstock-'));
  let server = await serve(port, data);
  const home = `http://127.0.0.1:${port}/`;
  try {
    await page.goto(home);
    await page
      .getByRole('button', { name: /Training fight: the mill road: play/ })
      .first()
      .click();
    await page.getByLabel(/a friend at this screen/).check();
    await page.getByRole('button', { name: 'To the table' }).click();
    await atTable(page);
    await check(page, '33rd');
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowUp');
    await expect(page.locator('.ghost')).toBeVisible();
    const gone = new Promise((r) => server.on('exit', r));
    server.kill('SIGKILL');
    await gone;
    await expect(page.getByText('The connection is lost')).toBeVisible();
    server = await serve(port, data);
    await expect(page.getByText('The connection is lost')).toHaveCount(0, { timeout: 20_000 });
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Log' }).click();
    await expect(page.getByRole('log')).toContainText('33rd Foot moves');
    await page.reload();
    await atTable(page);
    await page.getByRole('tab', { name: 'Log' }).click();
    await expect(page.getByRole('log')).toContainText('33rd Foot checks');
  } finally {
    server.kill('SIGKILL');
  }
});
