import type { Locator, Page } from '@playwright/test';
import { expect, open, test } from './support/board-fixtures.js';
import { lookAfterDrags, lookAt, numbers } from './support/row-look.js';
import { ScriptedLogs } from './support/scripted-logs.js';

test.use({ timezoneId: 'UTC' });

const MILLION = 1_000_000;
const GRID = "document.querySelector('[role=grid]')";
const ADDRESS = '/logs?sources=container/docker/million';
const ROW_PIXELS = 22;

function lines(page: Page): Locator {
  return page.getByRole('grid', { name: 'Lines' });
}

function row(page: Page, number: number): Locator {
  return page.locator(`[data-at="${number}"]`);
}

async function openMillion(page: Page): Promise<void> {
  // Fewer rows at a time: each of a thousand drags renders all of them.
  await page.setViewportSize({ width: 1000, height: 560 });
  const logs = new ScriptedLogs();
  logs.add({ name: 'million' }, MILLION);
  await logs.serve(page);
  await open(page, ADDRESS);
  await expect(row(page, MILLION)).toBeVisible();
}

// A thousand drags of the scroll bar, in two parallel halves.
for (const half of [0, 1]) {
  test(`row N of a million shows line N, by five hundred drags, ${half + 1} of 2`, async ({ page }) => {
    test.setTimeout(180_000);
    await openMillion(page);
    await expect(lines(page)).toHaveAttribute('aria-rowcount', String(MILLION));
    const height = await page.evaluate<number>(`${GRID}.scrollHeight - ${GRID}.clientHeight`);
    expect(height).toBeLessThanOrEqual(8_000_000);
    const shown = await page.evaluate<number>(`${GRID}.clientHeight / ${ROW_PIXELS}`);
    const last = MILLION - Math.floor(shown);
    const wanted = numbers(1000, MILLION).slice(half * 500, half * 500 + 500);
    // Scrolls this row to the upper edge.
    const drags = wanted.map((number) => Math.min(1, (number - 1) / (MILLION - shown)) * height);
    for (let from = 0; from < wanted.length; from += 100) {
      const looks = await lookAfterDrags(page, drags.slice(from, from + 100));
      for (const [index, { seen }] of looks.entries()) {
        const number = Math.min(wanted[from + index] ?? 0, last);
        expect(Math.abs((seen[0] ?? 0) - number)).toBeLessThanOrEqual(2);
      }
    }
  });
}

test('keys show line N in row N of a million', async ({ page }) => {
  await openMillion(page);
  await lines(page).focus();
  await page.keyboard.press('Home');
  expect((await lookAt(page)).seen[0]).toBe(1);
  await page.keyboard.press('PageDown');
  await expect(page.locator('.ll.cursor')).toBeInViewport();
  await lookAt(page);
  await page.keyboard.press('End');
  expect((await lookAt(page)).seen.at(-1)).toBe(MILLION);
});

test('the wheel shows line N in row N of a million, pixel by pixel', async ({ page }) => {
  test.setTimeout(120_000);
  await openMillion(page);
  const height = await page.evaluate<number>(`${GRID}.scrollHeight - ${GRID}.clientHeight`);
  await lines(page).hover();
  const place = async (): Promise<number> => {
    const { seen, above } = await lookAt(page);
    return (seen[0] ?? 0) * ROW_PIXELS + above;
  };
  const steps = numbers(150, 1200).map((number) => number - 600);
  const drags = numbers(10, 900_000).map((number) => (number / MILLION) * height + 1000);
  for (const [index, step] of steps.entries()) {
    if (index % 15 === 0) await lookAfterDrags(page, [drags[index / 15] ?? 0]);
    const before = await place();
    await page.mouse.wheel(0, step);
    const off = async (): Promise<number> => Math.abs((await place()) - before - step);
    await expect.poll(off, { intervals: [5, 20, 50] }).toBeLessThanOrEqual(1.5);
  }
});

test('jumps to lines and times show line N in row N of a million', async ({ page }) => {
  test.setTimeout(120_000);
  await openMillion(page);
  const wanted = numbers(25, 999);
  for (const second of wanted.slice(0, 15)) {
    await lines(page).focus();
    await page.keyboard.press('g');
    // Line n was written in millisecond n.
    const time = new Date(Date.UTC(2026, 10, 21, 9) + second * 1000).toISOString().slice(0, 19);
    await page.getByLabel('Go to', { exact: true }).fill(time);
    await page.keyboard.press('Enter');
    await expect(row(page, second * 1000)).toBeInViewport();
    expect((await lookAt(page)).seen).toContain(second * 1000);
  }
  for (const [index, thousands] of wanted.slice(15).entries()) {
    const number = thousands * 1000 + index * 37;
    await page.goto(`${ADDRESS}&line=container/docker/million@${number}`);
    await expect(row(page, number)).toBeInViewport();
    expect((await lookAt(page)).seen).toContain(number);
  }
});

test('row N shows line N with wrapped lines of two sources in small and large size', async ({ page }) => {
  test.setTimeout(120_000);
  const logs = new ScriptedLogs();
  const text = (name: string) => (seq: number) =>
    `line ${seq} of ${name} ${'and what else there is to say '.repeat(seq % 9)}`.trim();
  for (const name of ['odd', 'even']) logs.add({ name }, MILLION / 2, text(name));
  await logs.serve(page);
  await open(page, '/logs');
  // The lines of both sources alternate.
  const wanted = "(at) => 'line ' + Math.ceil(at / 2) + ' of ' + (at % 2 ? 'odd' : 'even')";
  for (const size of ['small', 'large']) {
    await page.evaluate(`localStorage.setItem('slipway.logs', '{"wrap":true,"size":"${size}"}')`);
    await page.goto('/logs?sources=container/docker/odd,container/docker/even');
    await expect(row(page, MILLION)).toBeVisible();
    await expect(page.locator('sw-line-list')).toHaveClass(new RegExp(size));
    const height = await page.evaluate<number>(`${GRID}.scrollHeight - ${GRID}.clientHeight`);
    const numbersHere = numbers(size === 'small' ? 60 : 40, MILLION - 1000);
    const drags = numbersHere.map((number) => (number / MILLION) * height);
    const looks = await lookAfterDrags(page, drags, wanted);
    for (const [index, { seen }] of looks.entries()) {
      // With variable row heights, the scroll bar is approximate.
      expect(Math.abs((seen[0] ?? 0) - (numbersHere[index] ?? 0))).toBeLessThan(MILLION / 50);
    }
    await lines(page).hover();
    for (const step of numbers(40, 900).map((number) => number - 450)) {
      const before = await lookAt(page, wanted);
      await page.mouse.wheel(0, step);
      const first = async (): Promise<number> => {
        const { seen, above } = await lookAt(page, wanted);
        return (seen[0] ?? 0) * 10_000 + above;
      };
      const was = (before.seen[0] ?? 0) * 10_000 + before.above;
      if (Math.abs(step) < 2) continue;
      await expect.poll(async () => Math.sign((await first()) - was)).toBe(Math.sign(step));
    }
  }
});
