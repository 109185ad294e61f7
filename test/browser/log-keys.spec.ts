import type { Page } from '@playwright/test';
import { expect, open, test } from './support/board-fixtures.js';
import { ScriptedLogs } from './support/scripted-logs.js';

test.use({ timezoneId: 'UTC' });

const COUNT = 600_000;

async function openShop(page: Page): Promise<ScriptedLogs> {
  const logs = new ScriptedLogs();
  logs.add({ name: 'shop' }, COUNT);
  await logs.serve(page);
  await open(page, '/logs?sources=container/docker/shop');
  await expect(page.locator(`[data-at="${COUNT}"]`)).toBeInViewport();
  return logs;
}

test('toggles following and wrapping, goes to a time, and lists the shortcuts by keys', async ({ page }) => {
  await openShop(page);
  const resume = page.getByRole('button', { name: 'Resume' });
  await page.keyboard.press('f');
  await expect(resume).toBeVisible();
  await page.keyboard.press('f');
  await expect(resume).toBeHidden();

  const list = page.locator('sw-line-list');
  await page.keyboard.press('w');
  await expect(list).toHaveClass(/wrapped/);
  await page.reload();
  await expect(list).toHaveClass(/wrapped/);
  await page.keyboard.press('w');
  await expect(list).not.toHaveClass(/wrapped/);

  await page.keyboard.press('g');
  const time = page.getByLabel('Go to', { exact: true });
  await expect(time).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(time).toBeHidden();
  await page.keyboard.press('g');
  await time.fill('2026-11-21T09:05:00');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-at="300000"]')).toBeInViewport();
  await expect(time).toBeHidden();
  await expect(page.getByRole('grid', { name: 'Lines' })).toBeFocused();

  await page.keyboard.press('Shift+?');
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(keys).toBeVisible();
  // Dialogs handle their own keys.
  await page.keyboard.press('w');
  await expect(list).not.toHaveClass(/wrapped/);
  await page.keyboard.press('Escape');
  await expect(keys).toBeHidden();

  await page.getByRole('grid', { name: 'Lines' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const details = page.getByRole('complementary', { name: 'Line', exact: true });
  await expect(details).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(details).toBeHidden();
  await expect(page.getByRole('grid', { name: 'Lines' })).toBeFocused();

  // In a field, they are letters.
  await page.keyboard.press('/');
  await page.keyboard.type('fgw?');
  await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('fgw?');
  await expect(list).not.toHaveClass(/wrapped/);
  await expect(time).toBeHidden();
  await expect(keys).toBeHidden();

  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search or jump to' });
  await page.keyboard.type('needle');
  await expect(palette.getByRole('option')).toHaveText(/Search all logs for “needle”/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/logs\?q=needle$/);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('shop');
  await expect(palette.getByRole('option', { selected: true })).toHaveText('shop');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/logs\?sources=container%2Fdocker%2Fshop$/);
});

test('searches, opens a match and copies it by keyboard only', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openShop(page);
  await page.keyboard.press('/');
  await page.keyboard.type('"line 4242"');
  await page.keyboard.press('Enter');
  await expect(page.getByText('111 matches in 600,000 lines')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('grid', { name: 'Lines' })).toBeFocused();
  await page.keyboard.press('Home');
  // As with Caps Lock.
  await page.keyboard.press('N');
  const cursor = page.locator('.ll.cursor');
  await expect(cursor).toHaveText(/line 42420 of shop/);
  await page.keyboard.press('Control+C');
  await expect(page.getByText('1 line copied')).toBeVisible();
  const copied = async (): Promise<string> => await page.evaluate<string>('navigator.clipboard.readText()');
  expect(await copied()).toBe('2026-11-21T09:00:42.420000Z line 42420 of shop');
  await page.keyboard.press('Enter');
  const details = page.getByRole('complementary', { name: 'Line', exact: true });
  const copy = details.getByRole('button', { name: 'Copy line' });
  await expect(copy).toBeVisible();
  const focused = "document.activeElement.getAttribute('aria-label')";
  for (let press = 0; press < 6; press += 1) {
    if ((await page.evaluate<string>(focused)) === 'Copy line') break;
    await page.keyboard.press('Tab');
  }
  await expect(copy).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(copied).toBe('line 42420 of shop');
  await page.keyboard.press('Escape');
  await expect(details).toBeHidden();
  await expect(page.getByRole('grid', { name: 'Lines' })).toBeFocused();
});
