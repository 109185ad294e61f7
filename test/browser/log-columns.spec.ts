import type { Page } from '@playwright/test';
import { expect, open, test } from './support/board-fixtures.js';
import { ScriptedLogs } from './support/scripted-logs.js';

/** Limit of rendered rows. */
const MOST_ROWS = 200;

const NAMES = ['one', 'two', 'three', 'four'];

/** Opens a page with the sources side by side. */
async function openColumns(
  page: Page,
  count: number,
  options: object = {},
  line?: (seq: number) => string,
): Promise<readonly string[]> {
  const logs = new ScriptedLogs();
  const names = NAMES.slice(0, count);
  for (const name of names) logs.add({ name }, 5000, line);
  await logs.serve(page);
  await open(page, '/logs');
  const kept = JSON.stringify({ columns: true, ...options });
  await page.evaluate(`localStorage.setItem('slipway.logs', '${kept}')`);
  await page.goto(`/logs?sources=${names.map((name) => `container/docker/${name}`).join()}`);
  return names;
}

/** State of the lists: rendered rows, their positions, and empty space. */
interface Look {
  count: number;
  lists: { left: number; top: number; width: number; height: number; holes: number[] }[];
  /** Pixels of a column that its list does not fill. */
  unused: number[];
}

const LOOK = `(() => {
  const lists = [...document.querySelectorAll('[role=grid]')].map((grid) => {
    const { left, top, bottom, width, height } = grid.getBoundingClientRect();
    const rows = [...grid.querySelectorAll('.ll')].map((row) => row.getBoundingClientRect());
    const edges = [top, ...rows.map((row) => row.bottom)].filter((edge) => edge < bottom);
    const holes = edges.filter((edge) => !rows.some((row) => row.top <= edge + 1 && row.bottom > edge + 1));
    return { left, top, width, height, holes };
  });
  const columns = [...document.querySelectorAll('.views > .source')].map((column) => column.getBoundingClientRect());
  const unused = columns.map((box, index) => box.bottom - lists[index].top - lists[index].height);
  return { count: document.querySelectorAll('[role=rowgroup] [role=row]').length, lists, unused };
})()`;

async function look(page: Page): Promise<Look> {
  return await page.evaluate<Look>(LOOK);
}

test('renders no more rows for four sources side by side than for one', async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  const names = await openColumns(page, 4, {}, (seq) => `line ${seq} ${'and more '.repeat(9)}`);
  for (const keys of [[], ['w'], ['w', 'Home']]) {
    for (const name of names) {
      const grid = page.getByRole('grid', { name: `Lines of ${name}` });
      await grid.focus();
      for (const key of name === 'one' ? keys : keys.slice(1)) await page.keyboard.press(key);
      await expect(grid.locator('.ll').first()).toBeVisible();
    }
    await expect.poll(async () => await page.locator('.ll').count()).toBeLessThanOrEqual(MOST_ROWS);
    expect(await page.locator('.ll').count()).toBeGreaterThan(60);
  }
});

test('fills a large screen with two rows of lists, of equal width and without holes', async ({ page }) => {
  await page.setViewportSize({ width: 3840, height: 2160 });
  const names = await openColumns(page, 3, { size: 'small' });
  for (const keys of [[], ['w', 'PageUp']]) {
    for (const name of names) {
      const grid = page.getByRole('grid', { name: `Lines of ${name}` });
      await grid.focus();
      for (const key of keys) if (key !== 'w' || name === 'one') await page.keyboard.press(key);
      await expect(grid.locator('.ll').first()).toBeVisible();
    }
    await expect.poll(async () => (await look(page)).count).toBeLessThanOrEqual(MOST_ROWS);
    await expect.poll(async () => (await look(page)).lists.flatMap(({ holes }) => holes)).toEqual([]);
  }
  const { lists, unused } = await look(page);
  // Less than two rows each.
  expect(unused.filter((pixels) => pixels > 40)).toEqual([]);
  const [one, two, three] = lists;
  if (!one || !two || !three) throw new Error('there are three');
  expect(two.top).toBe(one.top);
  expect(Math.abs(one.width - two.width)).toBeLessThanOrEqual(1);
  // The last one has a row to itself.
  expect(three.top).toBeGreaterThan(one.top);
  expect([three.left, Math.round(three.width)]).toEqual([one.left, Math.round(one.width + two.width + 1)]);
  expect(Math.abs(one.height - three.height)).toBeLessThanOrEqual(1);
  await page.setViewportSize({ width: 2560, height: 1440 });
  await expect.poll(async () => new Set((await look(page)).lists.map(({ top }) => top)).size).toBe(1);
});
