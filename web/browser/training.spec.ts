// A whole training battle played by clicks, as somebody would who does what the page offers.
import { atOnce, atTable, begin, expect, press, test } from './table';

test('a training battle against the computer is played to its end by clicks', async ({ page }) => {
  test.setTimeout(600_000);
  await atOnce(page);
  await begin(page, /Training fight: the mill road: play/, /the computer/, /British advance guard/);
  await atTable(page);
  const panel = page.locator('#panel');
  const prompt = page.locator('.prompt');
  let rolls = 0;
  let moved = 0;
  for (let i = 0; i < 900; i++) {
    await expect(panel).toHaveAttribute('aria-busy', 'false');
    const said = (await prompt.textContent()) ?? '';
    if (/ win|A draw/.test(said)) break;
    const go = page.getByRole('dialog').getByRole('button', { name: 'Go on', exact: true });
    const roll = page.getByRole('button', { name: 'Roll', exact: true });
    const declare = page.getByRole('button', { name: 'Declare it' });
    if (await declare.isVisible()) {
      await expect(page.locator('.odds li').first()).toContainText('%');
      if (await press(declare)) await expect(declare).toBeHidden();
      continue;
    }
    if (await roll.isVisible()) {
      await expect(page.locator('.odds li').first()).toContainText('%');
      if (await press(roll)) rolls++;
      continue;
    }
    if (await go.isVisible()) {
      await press(go);
      continue;
    }
    if (/Waiting for/.test(said)) {
      await page.waitForTimeout(50);
      continue;
    }
    const choice = panel.locator('.choice .offer').first();
    if (await choice.isVisible()) {
      await press(choice);
      continue;
    }
    const act = panel
      .getByRole('region', { name: 'Units that may act' })
      .getByRole('button')
      .first();
    if (await act.isVisible()) {
      if (!(await press(act))) continue;
      const offers = panel
        .locator(
          'section[aria-label="Charge"], section[aria-label="Fire"], section[aria-label="Combat"], section[aria-label="Maneuver check"]',
        )
        .locator('.offer:not(.no)');
      const hold = panel.getByRole('button', { name: /Hold$/ });
      await expect(panel).toHaveAttribute('data-offers', /./);
      if (await offers.first().isVisible()) await press(offers.first());
      else if (!(await hold.isVisible())) await press(panel.locator('.step .offer').first());
      else {
        // Move it forward by keys, as far as it may; hold if it may not.
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('ArrowUp');
        const so = page.getByRole('button', { name: /March there/ });
        await expect(so).toBeVisible();
        if (await press(so)) moved++;
        if ((await act.isVisible()) && (await hold.isVisible())) await press(hold);
      }
      await page.waitForTimeout(30);
      continue;
    }
    await press(panel.locator('.step .offer').first());
    await page.waitForTimeout(30);
  }
  await expect(prompt).toHaveText(/ win|A draw/);
  expect(rolls).toBeGreaterThan(10);
  expect(moved).toBeGreaterThan(3);
  await page.getByRole('tab', { name: 'Log' }).click();
  await expect(page.getByRole('log')).toContainText('Turn 2');
  await page.getByRole('tab', { name: 'Armies' }).click();
  await expect(page.locator('#panel')).toContainText('The seed of the dice was');
});
