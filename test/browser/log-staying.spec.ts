import type { Page } from '@playwright/test';
import { expect, open, test } from './support/board-fixtures.js';
import { ScriptedLogs, type ScriptedSource } from './support/scripted-logs.js';

/** Records each change between frames: the first row, its pixels above the edge, and more. */
const SEEN = `(() => {
  window.seen = [];
  const grid = document.querySelector('[role=grid]');
  const textOf = (row) => row?.querySelector('.m')?.textContent ?? null;
  const look = () => {
    const { top = 0 } = grid.getBoundingClientRect();
    const rows = [...grid.querySelectorAll('.ll')];
    const first = rows.find((row) => row.getBoundingClientRect().bottom > top);
    const now = JSON.stringify({
      first: textOf(first),
      above: first ? Math.round(top - first.getBoundingClientRect().top) : null,
      cursor: textOf(grid.querySelector('.cursor')),
      hasFocus: document.activeElement === grid,
      bars: document.querySelectorAll('.hist .cols > *').length,
    });
    if (window.seen.at(-1) !== now) window.seen.push(now);
    requestAnimationFrame(look);
  };
  look();
})()`;

async function seen(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>('window.seen');
}

/** Lines written now: searches refresh the last seconds. */
function logsOfNow(): ScriptedLogs {
  return new ScriptedLogs((Date.now() + 60_000) * 1000);
}

/** Another pod of the deployment. */
function addPod(logs: ScriptedLogs, name: string, count: number): ScriptedSource {
  const pod = { kind: 'pod', cluster: 'dev', namespace: 'shop', workload: 'Deployment/web' } as const;
  return logs.add({ ...pod, key: `pod/docker/dev/${name}/main`, name }, count);
}

/** Delays responses, so that the state before them is visible. */
async function slowDown(page: Page): Promise<void> {
  await page.route(/\/api\/(?:search|lines|histogram)\?/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 150));
    await route.fallback();
  });
}

/** Scrolls up and moves the cursor to a visible line. */
async function readOlder(page: Page): Promise<void> {
  await page.mouse.move(700, 500);
  await page.mouse.wheel(0, -3007);
  await expect(page.getByRole('button', { name: /^(Resume|End)$/ })).toBeVisible();
  await page.waitForTimeout(300);
  const cursor = page.locator('.cursor .m');
  await page.keyboard.press('ArrowDown');
  const first = await cursor.innerText();
  await page.keyboard.press('ArrowDown');
  await expect(cursor).not.toHaveText(first);
}

test('keeps matches in place while Pods of the group are added and removed', async ({ page }) => {
  const logs = logsOfNow();
  addPod(logs, 'web-a', 9000);
  await logs.serve(page);
  await slowDown(page);
  await open(page, '/logs?cluster=dev&q=0%20of');
  const found = page.locator('sw-search-status');
  await expect(found).toContainText('900 matches in 9,000 lines');
  await expect(page.getByText('line 9000 of web-a')).toBeInViewport();
  await page.getByRole('grid', { name: 'Lines' }).focus();
  await readOlder(page);
  await page.evaluate(SEEN);
  const [before] = await seen(page);
  const next = addPod(logs, 'web-b', 8800);
  logs.change(next, {});
  await expect(found).toContainText('1,780 matches in 17,800 lines');
  await expect(page.getByText('of web-b').first()).toBeAttached();
  logs.write(next, 210);
  await expect(found).toContainText('1,801 matches');
  logs.forget(next);
  await expect(found).toContainText('900 matches');
  await expect(page.getByText('of web-b')).toHaveCount(0);
  expect(await seen(page)).toEqual([before]);
  // At the end, new lines are followed.
  await page.keyboard.press('End');
  const last = addPod(logs, 'web-c', 9010);
  logs.change(last, {});
  await expect(page.getByText('line 9010 of web-c')).toBeInViewport();
  logs.write(last, 10);
  await expect(page.getByText('line 9020 of web-c')).toBeInViewport();
});

test('keeps lines in place while Pods of the group are added and removed', async ({ page }) => {
  const logs = new ScriptedLogs();
  addPod(logs, 'web-a', 9000);
  const other = addPod(logs, 'web-b', 9000);
  await logs.serve(page);
  await slowDown(page);
  await open(page, '/logs?cluster=dev');
  await expect(page.getByText('line 9000 of web-b')).toBeInViewport();
  await page.getByRole('grid', { name: 'Lines' }).focus();
  await readOlder(page);
  await page.evaluate(SEEN);
  const [before] = await seen(page);
  expect(before).toContain('of web-');
  const count = page.locator('.status');
  const next = addPod(logs, 'web-c', 8970);
  logs.change(next, {});
  await expect(count).toContainText('26,970 lines in view');
  await expect(page.getByText('of web-c').first()).toBeAttached();
  logs.write(next, 100);
  await expect(count).toContainText('27,070 lines in view');
  logs.forget(next);
  await expect(count).toContainText('18,000 lines in view');
  await page.waitForTimeout(300);
  expect(await seen(page)).toEqual([before]);
  // A list that follows stays at the end and is never empty.
  await page.keyboard.press('End');
  await page.evaluate('window.seen.length = 0');
  logs.change(addPod(logs, 'web-d', 9002), {});
  await expect(page.getByText('line 9002 of web-d')).toBeInViewport();
  logs.write(other, 5);
  await expect(page.getByText('line 9005 of web-b')).toBeInViewport();
  for (const frame of await seen(page)) expect(frame).toMatch(/"first":"line .*"hasFocus":true/);
});
