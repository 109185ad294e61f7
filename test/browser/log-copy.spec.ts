import type { Page } from '@playwright/test';
import { expect, open, test } from './support/board-fixtures.js';
import { ScriptedLogs } from './support/scripted-logs.js';

async function openTwo(page: Page): Promise<void> {
  const logs = new ScriptedLogs();
  logs.add({ name: 'shop' }, 6000, (seq) => (seq === 5999 ? 'x'.repeat(5000) : `line ${seq} of shop`));
  logs.add({ name: 'cart' }, 6000);
  await logs.serve(page);
  await open(page, '/logs?sources=container/docker/shop,container/docker/cart');
  await expect(page.locator('[data-at="12000"]')).toBeInViewport();
  await page.getByRole('grid', { name: 'Lines' }).focus();
}

test('names the source of copied lines, and counts the omitted ones', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openTwo(page);
  await page.keyboard.press('ArrowUp');
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('Control+c');
  await expect(
    page.getByText('4 lines copied 1 line truncated: open a line to copy its full text.'),
  ).toBeVisible();
  const copied = (await page.evaluate<string>('navigator.clipboard.readText()')).split('\n');
  expect(copied.map((text) => text.slice(28, 50).trim())).toEqual([
    `shop ${'x'.repeat(17)}`,
    'cart line 5999 of cart',
    'shop line 6000 of shop',
    'cart line 6000 of cart',
  ]);
  expect(copied[0]?.endsWith('xx … (cut)')).toBe(true);
  await page.keyboard.press('Shift+Home');
  await page.keyboard.press('Control+c');
  await expect(page.getByText(/^[\d,]+ of 12,000 lines copied .* lines not loaded/)).toBeVisible();
});
