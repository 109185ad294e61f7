import { expect, open, test } from './support/board-fixtures.js';
import { ScriptedLogs } from './support/scripted-logs.js';

test.use({ timezoneId: 'UTC' });

/** The extents of the visible axis labels and of the axis. */
const EDGES = `(() => {
  const axis = document.querySelector('.axis').getBoundingClientRect();
  const marks = [...document.querySelectorAll('.axis span')].map((mark) => mark.getBoundingClientRect());
  const drawn = marks.filter(({ width }) => width > 0);
  return { left: axis.left, right: axis.right, marks: drawn.map(({ left, right }) => ({ left, right })) };
})()`;

interface Edges {
  left: number;
  right: number;
  marks: { left: number; right: number }[];
}

test('spaces the labels of the histogram evenly in every width', async ({ page }) => {
  const logs = new ScriptedLogs();
  logs.add({ name: 'shop' }, 50);
  await logs.serve(page);
  let [from, seconds] = ['', 0];
  await page.route(/\/api\/histogram\?/, async (route) => {
    const time = (bar: number): string =>
      new Date(Date.parse(from) + (bar * seconds * 1000) / 90).toISOString();
    const buckets = Array.from({ length: 90 }, (_, bar) => ({ time: time(bar), total: bar % 7, levels: {} }));
    const json = { from: time(0), to: time(90), bucket_seconds: seconds / 90, buckets, reason: 'complete' };
    await route.fulfill({ json });
  });
  for (const [start, length, first] of [
    ['2026-11-20T09:00:00Z', 10_800, '09:00'],
    ['2026-11-20T23:59:58Z', 4, '20 Nov 23:59:58.000'],
  ] as const) {
    [from, seconds] = [start, length];
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(page, '/logs?sources=container/docker/shop');
    for (const width of [1440, 800, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expect(page.locator('.axis span').first()).toHaveText(first);
      // The labels are laid out again in a later frame.
      await expect(async () => {
        const { left, right, marks } = await page.evaluate<Edges>(EDGES);
        expect(marks.length).toBeGreaterThan(2);
        const gaps = marks.slice(1).map((mark, index) => mark.left - (marks[index]?.right ?? 0));
        expect(Math.min(...gaps)).toBeGreaterThan(5);
        // Evenly spaced from one end to the other.
        expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThan(8);
        expect([marks[0]?.left, marks.at(-1)?.right]).toEqual([left, right]);
      }).toPass();
    }
  }
});
