import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.js';
import { expect, open, test } from './support/board-fixtures.js';
import { lookAt } from './support/row-look.js';
import { ScriptedLogs, type ScriptedSource } from './support/scripted-logs.js';

const MILLION = 1_000_000;
const ADDRESS = '/logs?sources=container/docker/million';

async function openMillion(page: Page): Promise<{ logs: ScriptedLogs; source: ScriptedSource }> {
  const logs = new ScriptedLogs();
  const source = logs.add({ name: 'million' }, MILLION);
  await logs.serve(page);
  await open(page, ADDRESS);
  await expect(row(page, MILLION)).toBeVisible();
  return { logs, source };
}

function lines(page: Page): Locator {
  return page.getByRole('grid', { name: 'Lines' });
}

function row(page: Page, number: number): Locator {
  return page.locator(`[data-at="${number}"]`);
}

test('follows new lines until the user scrolls up, then counts them', async ({ page }) => {
  const { logs, source } = await openMillion(page);
  logs.write(source, 1500);
  await expect(row(page, MILLION + 1500)).toBeInViewport();
  await lines(page).hover();
  await page.mouse.wheel(0, -660);
  const resume = page.getByRole('button', { name: 'Resume' });
  await expect(resume).toBeVisible();
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
  const { seen } = await lookAt(page);
  logs.write(source, 1204);
  await expect(page.getByText('Paused, 1,204 new lines')).toBeVisible();
  expect((await lookAt(page)).seen).toEqual(seen);
  await resume.click();
  await expect(row(page, MILLION + 2704)).toBeInViewport();
  await expect(resume).toBeHidden();
  await lookAt(page);
});

test('streams matches of a search, and opens the context of a match', async ({ page }) => {
  await openMillion(page);
  await page.keyboard.press('/');
  await page.getByRole('searchbox', { name: 'Search' }).fill('"line 12345"');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/q=line%2012345|q=line\+12345/);
  await expect(page.getByText('11 matches in 1,000,000 lines')).toBeVisible();
  await expect(page.locator('.ll mark').first()).toHaveText('line 12345');
  const match = page.locator('.ll', { hasText: 'line 12345 of million' });
  await lines(page).focus();
  await page.keyboard.press('Home');
  await expect(match).toBeInViewport();
  await page.keyboard.press('Enter');
  const details = page.getByRole('complementary', { name: 'Line', exact: true });
  await expect(details.getByText('12,345 of its source')).toBeVisible();
  await details.getByRole('button', { name: 'Show context' }).click();
  await expect(row(page, 12_345)).toBeInViewport();
  await expect(row(page, 12_345).locator('mark')).toHaveText('line 12345');
  await lookAt(page);
  // Moves through the matches among all lines.
  await lines(page).focus();
  await page.keyboard.press('n');
  await expect(page.locator('.ll.cursor')).toHaveText(/line 123450 of million/);
  await page.keyboard.press('Shift+N');
  await expect(page.locator('.ll.cursor')).toHaveText(/line 12345 of million/);
  await page.keyboard.press('e');
  await expect(page.locator('.ll.cursor')).toHaveText(/line 12400 of million/);
  await page.goto(`${ADDRESS}&line=container/docker/million@77777`);
  await expect(row(page, 77_777)).toBeInViewport();
  await expect(details.getByText('77,777 of its source')).toBeVisible();
  await lookAt(page);
});

test('keeps a chosen match under the pointer while the counts above it wrap', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openMillion(page);
  await page.getByRole('searchbox', { name: 'Search' }).fill('"line 1234"');
  await page.keyboard.press('Enter');
  await expect(page.getByText('111 matches in 1,000,000 lines')).toBeVisible();
  const match = page.locator('.ll', { hasText: 'line 123490 of million' });
  await expect(match).toBeInViewport();
  const top = async (shown: Locator): Promise<number | undefined> => (await shown.boundingBox())?.y;
  // Waits until it is still.
  await match.click({ trial: true });
  const before = await top(match);
  const edge = await top(lines(page));
  if (edge === undefined) throw new Error('there are no lines');
  await match.click();
  await expect(page.getByRole('complementary', { name: 'Line', exact: true })).toBeVisible();
  await expect.poll(async () => await top(lines(page))).toBeGreaterThan(edge);
  await expect.poll(async () => await top(match)).toBeCloseTo(before ?? NaN, 0);
});

test('shows markup and escapes in a line as text', async ({ page }) => {
  const logs = new ScriptedLogs();
  const texts = [
    '<img src=x onerror="document.title=\'owned\'"> <script>document.title="owned"</script>',
    '\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x07after the title \x1b[2J\x1b[H\x1b[31mred\x1b[0m \\0 end',
    `${'x'.repeat(3000)} tail`,
    // The maximum length of a line.
    `nul \\0 ${'y'.repeat(64 * 1024 - 7)}`,
  ];
  logs.add({ name: 'odd' }, 4, (seq) => texts[seq - 1] ?? '');
  await logs.serve(page);
  await open(page, '/logs?sources=container/docker/odd');
  const rows = page.locator('.ll .m');
  await expect(rows.nth(0)).toHaveText(texts[0] ?? '');
  await expect(rows.nth(1)).toHaveText('after the title red \\0 end');
  await expect(rows.nth(1).locator('.ansi-red')).toHaveText('red');
  await expect(rows.nth(2)).toContainText('open full line');
  await expect(rows.nth(3)).toHaveText(/^nul \\0 y+.*open full line/);
  expect((await rows.nth(3).innerText()).length).toBeLessThan(3000);
  expect(await page.locator('.ll img, .ll script').count()).toBe(0);
  expect(await page.title()).toBe('Logs · Slipway log board');
});

test('opens with the lines of all sources, and searches all of them', async ({ page }) => {
  const logs = new ScriptedLogs();
  const pod = { kind: 'pod', namespace: 'shop', workload: 'StatefulSet/db', name: 'db-0' } as const;
  for (const cluster of ['dev', 'test']) logs.add({ ...pod, cluster, key: `pod/docker/${cluster}` }, 50);
  logs.add({ name: 'redis', state: 'gone' }, 50, (seq) => `line ${seq} of redis`);
  await logs.serve(page);
  await open(page, '/logs?scope=all');
  const groups = page.getByRole('tree', { name: 'Sources' }).getByRole('treeitem');
  await expect(groups.locator('.name')).toHaveText(['dev', 'test', 'Deleted']);
  await expect(page.locator('.ll').last()).toContainText('line 50 of redis');
  await expect(page.locator('.ll', { hasText: 'line 49 of db-0' }).locator('.from')).toHaveText([
    'dev db 0',
    'test db 0',
  ]);
  await page.keyboard.press('/');
  await page.keyboard.type('"line 7"');
  await page.keyboard.press('Enter');
  await expect(page.locator('.ll', { hasText: 'line 7 of redis' })).toBeVisible();
  await expect(page.getByText('3 matches in 150 lines')).toBeVisible();
  await page.getByRole('button', { name: 'Errors, last hour' }).click();
  await expect(page).toHaveURL(/level=error,fatal&from=1h|level=error%2Cfatal&from=1h/);
  const errors = page.getByRole('button', { name: 'Errors, last hour' });
  await expect(errors).toHaveAttribute('aria-pressed', 'true');
  // A second press leaves the errors.
  await page.getByRole('button', { name: 'Errors, last hour' }).click();
  await expect(page).not.toHaveURL(/level=/);
});

test('selects sources by keyboard, and keeps them in the URL', async ({ page }) => {
  const logs = new ScriptedLogs();
  const pod = { kind: 'pod', cluster: 'dev', namespace: 'shop', workload: 'Deployment/cart' } as const;
  const first = logs.add({ ...pod, key: 'pod/docker/dev/1/cart', name: 'cart-7d9f8b6c54-x2lqp' }, 5);
  logs.add({ ...pod, key: 'pod/docker/dev/2/cart', name: 'cart-7d9f8b6c54-kz7rv' }, 5);
  logs.add({ name: 'redis' }, 5);
  await logs.serve(page);
  await open(page, '/logs?scope=all');
  await expect(page.getByText('All 3 sources')).toBeVisible();
  await expect(page.locator('.ll')).toHaveCount(15);
  const tree = page.getByRole('tree', { name: 'Sources' });
  const cluster = tree.getByRole('treeitem', { name: 'dev', exact: true });
  await cluster.focus();
  await page.keyboard.press('ArrowRight');
  const leaf = tree.getByRole('treeitem', { name: 'cart kz7rv' });
  await expect(leaf).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(leaf).toBeFocused();
  await page.keyboard.press('Space');
  await expect(leaf).toHaveAttribute('aria-checked', 'true');
  await expect(cluster).toHaveAttribute('aria-checked', 'mixed');
  await expect(page.getByText('1 of 3 sources')).toBeVisible();
  await expect(page).toHaveURL(/sources=pod/);
  await expect(page.locator('.ll')).toHaveCount(5);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Space');
  await expect(page.getByText('2 of 3 sources')).toBeVisible();
  await expect(page.locator('.ll')).toHaveCount(10);
  logs.change(first, { state: 'gone', reason: null });
  await expect(tree.getByRole('treeitem', { name: 'cart x2lqp deleted' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Filter sources' }).fill('redis');
  await expect(tree.getByRole('treeitem')).toHaveCount(2);
  // As in links of the dashboard.
  await page.goto('/logs?cluster=dev&namespace=shop&pod=cart-7d9f8b6c54-x2lqp');
  await expect(page.getByText('1 of 3 sources')).toBeVisible();
  await page.goto('/logs?container=later');
  await expect(page.getByRole('heading', { name: 'Source not found' })).toBeVisible();
});

test('scrolls two sources side by side independently', async ({ page }) => {
  const logs = new ScriptedLogs();
  logs.add({ name: 'left' }, 2000);
  logs.add({ name: 'right' }, 2000);
  await logs.serve(page);
  await open(page, '/logs?sources=container/docker/left,container/docker/right');
  await page.getByRole('button', { name: /^Options/ }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Side by side' }).click();
  await page.keyboard.press('Escape');
  const left = page.getByRole('grid', { name: 'Lines of left' });
  const right = page.getByRole('grid', { name: 'Lines of right' });
  await left.focus();
  await page.keyboard.press('Home');
  await expect(left.getByText('line 1 of left', { exact: true })).toBeInViewport();
  await expect(right.getByText('line 2000 of right', { exact: true })).toBeInViewport();
  // Keys apply to the focused list: the next error after its position.
  await right.focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Shift+E');
  await expect(right.locator('.ll.cursor')).toHaveText(/line 1900 of right/);
  await expect(left.getByText('line 1 of left', { exact: true })).toBeInViewport();
  await left.focus();
  await page.keyboard.press('e');
  await expect(left.locator('.ll.cursor')).toHaveText(/line 100 of left/);
  await expect(right.locator('.ll.cursor')).toHaveText(/line 1900 of right/);
});

test('is accessible in light, dark and phone layout', async ({ page }) => {
  const logs = new ScriptedLogs();
  const source = logs.add({ name: 'shop' }, 800, (seq) => `GET /orders/${seq} status=200 took=${seq}ms`);
  source.level = (seq) => (['info', 'debug', 'warn', 'error', 'fatal', null] as const)[seq % 6] ?? null;
  logs.add({ name: 'broken', state: 'failed', reason: 'its log driver keeps nothing', rate: 0 }, 0);
  logs.add({ name: 'later', state: 'waiting', reason: 'its engine does not answer', rate: 0 }, 0);
  await logs.serve(page);
  await open(page, '/logs?sources=container/docker/shop,container/docker/later&mark=orders&without=healthz');
  await expect(page.locator('.ll').first()).toBeVisible();
  await page.locator('.ll').nth(3).click();
  await expect(page.getByText('Fields (logfmt)')).toBeVisible();
  await expectAccessible(page);
});

test('shows sources in a drawer on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openMillion(page);
  await page.getByRole('button', { name: 'Sources, 1 selected' }).click();
  await expect(page.getByRole('tree', { name: 'Sources' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tree', { name: 'Sources' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Sources, 1 selected' })).toBeFocused();
  await lines(page).focus();
  await page.keyboard.press('Home');
  await expect(row(page, 1)).toBeInViewport();
  for (let press = 0; press < 40; press += 1) await page.keyboard.press('ArrowDown');
  await expect(row(page, 41)).toBeInViewport();
  const { seen } = await lookAt(page);
  expect(seen).toContain(41);
});

test('fits the menu of a source and the full text of a line on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  const logs = new ScriptedLogs();
  logs.add({ name: `a-name-that-is-${'longer-'.repeat(9)}than-a-phone` }, 3, (seq) =>
    `order=o-${seq} `.repeat(12).trim(),
  );
  await logs.serve(page);
  await open(page, '/logs?scope=all');
  await page.getByRole('button', { name: 'Sources, all' }).click();
  await page.getByRole('treeitem', { name: 'Other containers' }).locator('.turn').click();
  await page.getByRole('treeitem', { name: /longer/ }).click({ button: 'right', position: { x: 290, y: 8 } });
  const menu = page.getByRole('menu', { name: /^Actions for/ });
  const box = await menu.boundingBox();
  if (!box) throw new Error('there is no menu');
  expect(box.x).toBeGreaterThanOrEqual(8);
  expect(box.x + box.width).toBeLessThanOrEqual(312);
  expect(box.y + box.height).toBeLessThanOrEqual(568);
  // A key closes the topmost part.
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(page.getByRole('tree', { name: 'Sources' })).toBeVisible();
  await page.getByRole('treeitem', { name: /longer/ }).click();
  await page.getByRole('button', { name: 'Show lines' }).click();
  await page.locator('.ll').first().click();
  const text = page.getByRole('group', { name: 'Text of the line' });
  await expect(text).toBeVisible();
  const hidden = '(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)';
  expect(await page.evaluate<number>(`${hidden}(document.querySelector('.details .text'))`)).toBeLessThan(2);
  const field = await page.getByRole('searchbox', { name: 'Search' }).boundingBox();
  expect(field?.width).toBeGreaterThan(100);
});
