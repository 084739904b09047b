// What the tests share: a page that fails on anything in the console, and ways to begin a game.
import { test as base, expect, type Locator, type Page } from '@playwright/test';

export const test = base.extend<{ quiet: string[] }>({
  quiet: [
    async ({ page }, use) => {
      const said: string[] = [];
      listen(page, said);
      await use(said);
      expect(said, 'nothing in the console').toEqual([]);
    },
    { auto: true },
  ],
});

// A lost connection is in the console because the browser writes it there, and so is a header it does
// not heed outside a secure context; nothing else may be.
export function listen(page: Page, said: string[]): void {
  page.on('console', (m) => {
    if (
      m.type() === 'error' &&
      !/ERR_CONNECTION|ERR_INTERNET|ERR_INCOMPLETE|status of 4|Cross-Origin-Opener-Policy/.test(
        m.text(),
      )
    )
      said.push(m.text());
  });
  page.on('pageerror', (e) => said.push(e.message));
}

export async function begin(
  page: Page,
  title: RegExp,
  against: RegExp,
  side?: RegExp,
): Promise<void> {
  if (page.url() === 'about:blank' || page.url().includes('#/game')) await page.goto('/');
  await page.getByRole('button', { name: title }).first().click();
  await page.getByLabel(against).check();
  if (side) await page.getByLabel(side).check();
  await page.getByRole('button', { name: 'To the table' }).click();
}

// What the other side does is shown without waiting.
export async function atOnce(page: Page): Promise<void> {
  await page.addInitScript(() => {
    localStorage.setItem('linstock.settings', JSON.stringify({ pace: 0 }));
  });
}

export async function atTable(page: Page): Promise<void> {
  await expect(page.locator('.unit').first()).toBeVisible();
}

// Presses what was offered a moment ago. The table may have gone on since, and the offer with it:
// who is told false looks again.
export async function press(offered: Locator): Promise<boolean> {
  return offered.click({ timeout: 2000 }).then(
    () => true,
    () => false,
  );
}

export { expect };
