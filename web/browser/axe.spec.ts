// Every rule axe has up to the level AA, the experimental ones and the best practices too: every
// screen on a desk, and those that look otherwise in the dark and on a phone.
import AxeBuilder from '@axe-core/playwright';
import { atTable, begin, expect, test } from './table';
import type { Page } from '@playwright/test';

const TAGS = [
  'wcag2a',
  'wcag2aa',
  'wcag21a',
  'wcag21aa',
  'wcag22aa',
  'best-practice',
  'experimental',
];

async function faults(page: Page): Promise<string[]> {
  const found = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  return found.violations.map(
    (v) =>
      `${v.id}: ${v.nodes
        .map((n) => n.target.join(' '))
        .slice(0, 3)
        .join(', ')}`,
  );
}

const screens = [
  { name: 'a desk, light', scheme: 'light', width: 1280, height: 800 },
  { name: 'a desk, dark', scheme: 'dark', width: 1280, height: 800 },
  { name: 'a phone, light', scheme: 'light', width: 390, height: 780 },
  { name: 'a phone, dark', scheme: 'dark', width: 390, height: 780 },
] as const;

for (const screen of screens) {
  test(`axe finds nothing on ${screen.name}`, async ({ page }) => {
    test.setTimeout(300_000);
    await page.setViewportSize(screen);
    await page.emulateMedia({ colorScheme: screen.scheme, reducedMotion: 'reduce' });
    const clean = async (where: string, always = true): Promise<void> => {
      if (!always && screen.name !== 'a desk, light') return;
      expect.soft(await faults(page), where).toEqual([]);
    };
    await page.goto('/');
    await expect(page.locator('.card').first()).toBeVisible();
    await clean('the battles');
    await page.getByRole('button', { name: /Training fight: the mill road: play/ }).click();
    await clean('a new game');
    await page.keyboard.press('Escape');
    await begin(page, /Training fight: the mill road: play/, /a friend at this screen/);
    await atTable(page);
    await clean('the table');
    await page.getByRole('button', { name: 'Menu' }).click();
    await clean('the menu');
    await page.getByRole('button', { name: 'Links to this game' }).click();
    await clean('the links', false);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Keys and help' }).click();
    await clean('the keys', false);
    await page.keyboard.press('Escape');
    await page.locator('[data-unit="33rd"]').focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: /Check alone/ })).toBeVisible();
    await clean('a unit');
    await page.getByRole('button', { name: /Check all/ }).click();
    await expect(page.getByRole('button', { name: 'Roll', exact: true })).toBeVisible();
    await clean('the checks of a group', false);
    await page.getByRole('button', { name: 'Roll', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Go on', exact: true })).toBeVisible();
    await clean('what was rolled', false);
    await page.getByRole('button', { name: 'Go on', exact: true }).click();
    await page.keyboard.press('ArrowUp');
    await expect(page.locator('.ghost')).toBeVisible();
    await clean('a ghost');
    await page.keyboard.press('Escape');
    for (const tab of ['Armies', 'Log', 'Rules'] as const) {
      await page.getByRole('tab', { name: tab }).click();
      if (tab === 'Rules') await expect(page.getByRole('searchbox')).toBeVisible();
      await clean(tab, false);
    }
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: /Give up as the American/ }).click();
    await page.getByRole('button', { name: /Sure\?/ }).click();
    await expect(page.getByRole('heading', { name: /British advance guard win/ })).toBeVisible();
    await clean('the end');
  });
}
