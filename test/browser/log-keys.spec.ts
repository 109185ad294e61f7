import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.js';
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

test('keys toggle following and wrapping, go to a time, list the shortcuts, and close what is open', async ({
  page,
}) => {
  await openShop(page);
  const newest = page.getByRole('button', { name: 'Newest line' });
  await page.keyboard.press('f');
  await expect(newest).toBeVisible();
  await page.keyboard.press('f');
  await expect(newest).toBeHidden();

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
  await expectAccessible(page);
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
});

test('Escape leaves the search field with the active search', async ({ page }) => {
  await openShop(page);
  const field = page.getByRole('searchbox', { name: 'Search' });
  const list = page.getByRole('grid', { name: 'Lines' });
  const found = page.getByText('111 matches in 600,000 lines');
  await page.keyboard.press('/');
  await page.keyboard.type('line 4242');
  await page.keyboard.press('Enter');
  await expect(found).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list).toBeFocused();
  await expect(field).toHaveValue('line 4242');
  // Input that was not submitted is discarded.
  await page.keyboard.press('/');
  await page.keyboard.type('level:loud');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Levels: trace')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list).toBeFocused();
  await expect(field).toHaveValue('line 4242');
  await expect(page.getByText('Levels are trace')).toBeHidden();
  await expect(found).toBeVisible();
  await expect(page).toHaveURL(/q=line(%20|\+)4242/);
});

test('the shortcuts are also listed for the sources, where letters select rows', async ({ page }) => {
  await openShop(page);
  const source = page.getByRole('treeitem', { name: 'shop' });
  await source.click();
  await source.click();
  await expect(source).toBeFocused();
  await page.keyboard.press('w');
  await expect(page.locator('sw-line-list')).not.toHaveClass(/wrapped/);
  await page.keyboard.press('Shift+?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(source).toBeFocused();
});

test('the keyboard leads from a search to a match, its full text, and a copy', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openShop(page);
  await page.keyboard.press('/');
  await page.keyboard.type('line 4242');
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

test('a range of the histogram can be selected by dragging in both directions', async ({ page }) => {
  await openShop(page);
  const histogram = page.getByRole('slider', { name: 'Line histogram' });
  const box = await histogram.boundingBox();
  if (!box) throw new Error('there is no histogram');
  const { x, y, width, height } = box;
  // 90 bars of ten seconds: from the center of the 23rd to that of the 46th.
  const [one, other] = [22.5, 45.5].map((bar) => x + (bar / 90) * width);
  if (one === undefined || other === undefined) throw new Error('there are no bars');
  const drag = async (from: number, to: number): Promise<void> => {
    await page.mouse.move(from, y + height / 2);
    await page.mouse.down();
    await page.mouse.move((from + to) / 2, y + height / 2);
    await page.mouse.move(to, y + height / 2);
    await expect(page.locator('.brush')).toHaveText('4 min');
    await page.mouse.up();
  };
  await drag(one, other);
  await expect(page).toHaveURL(/from=2026-11-21T09:03:40.000Z&to=2026-11-21T09:07:40.000Z/);
  await expect(page.locator('[data-at="459999"]')).toBeInViewport();
  await expect(page.getByRole('grid', { name: 'Lines' })).toHaveAttribute('aria-rowcount', '240000');
  await expect(page.locator('.brush')).toHaveCount(0);
  await page.getByRole('button', { name: /^Remove: .*09:03:40 to 09:07:40/ }).click();
  await expect(page).not.toHaveURL(/from=|to=/);
  await drag(other, one);
  await expect(page).toHaveURL(/from=2026-11-21T09:03:40.000Z&to=2026-11-21T09:07:40.000Z/);
});
