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

test('shows line N in row N of a million after drags of the scroll bar and keys', async ({ page }) => {
  await openMillion(page);
  await expect(lines(page)).toHaveAttribute('aria-rowcount', String(MILLION));
  const height = await page.evaluate<number>(`${GRID}.scrollHeight - ${GRID}.clientHeight`);
  expect(height).toBeLessThanOrEqual(8_000_000);
  const shown = await page.evaluate<number>(`${GRID}.clientHeight / ${ROW_PIXELS}`);
  const last = MILLION - Math.floor(shown);
  const wanted = numbers(60, MILLION);
  // Scrolls this row to the upper edge.
  const drags = wanted.map((number) => Math.min(1, (number - 1) / (MILLION - shown)) * height);
  const looks = await lookAfterDrags(page, drags);
  for (const [index, { seen }] of looks.entries()) {
    const number = Math.min(wanted[index] ?? 0, last);
    expect(Math.abs((seen[0] ?? 0) - number)).toBeLessThanOrEqual(2);
  }
  await lines(page).focus();
  await page.keyboard.press('Home');
  expect((await lookAt(page)).seen[0]).toBe(1);
  await page.keyboard.press('PageDown');
  await expect(page.locator('.ll.cursor')).toBeInViewport();
  await lookAt(page);
  await page.keyboard.press('End');
  expect((await lookAt(page)).seen.at(-1)).toBe(MILLION);
});

test('scrolls a million rows pixel by pixel with the wheel', async ({ page }) => {
  await openMillion(page);
  const height = await page.evaluate<number>(`${GRID}.scrollHeight - ${GRID}.clientHeight`);
  await lines(page).hover();
  const place = async (): Promise<number> => {
    const { seen, above } = await lookAt(page);
    return (seen[0] ?? 0) * ROW_PIXELS + above;
  };
  const steps = numbers(20, 1200).map((number) => number - 600);
  const drags = numbers(4, 900_000).map((number) => (number / MILLION) * height + 1000);
  for (const [index, step] of steps.entries()) {
    if (index % 5 === 0) await lookAfterDrags(page, [drags[index / 5] ?? 0]);
    const before = await place();
    await page.mouse.wheel(0, step);
    const off = async (): Promise<number> => Math.abs((await place()) - before - step);
    await expect.poll(off, { intervals: [5, 20, 50] }).toBeLessThanOrEqual(1.5);
  }
});

test('shows line N in row N of a million after jumps to lines and times', async ({ page }) => {
  await openMillion(page);
  const wanted = numbers(5, 999);
  for (const second of wanted.slice(0, 4)) {
    await lines(page).focus();
    await page.keyboard.press('g');
    // Line n was written in millisecond n.
    const time = new Date(Date.UTC(2026, 10, 21, 9) + second * 1000).toISOString().slice(0, 19);
    await page.getByLabel('Go to', { exact: true }).fill(time);
    await page.keyboard.press('Enter');
    await expect(row(page, second * 1000)).toBeInViewport();
    expect((await lookAt(page)).seen).toContain(second * 1000);
  }
  for (const [index, thousands] of wanted.slice(4).entries()) {
    const number = thousands * 1000 + index * 37;
    await page.goto(`${ADDRESS}&line=container/docker/million@${number}`);
    await expect(row(page, number)).toBeInViewport();
    expect((await lookAt(page)).seen).toContain(number);
  }
});

test('shows line N in row N with wrapped lines of two sources in small and large size', async ({ page }) => {
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
    const numbersHere = numbers(8, MILLION - 1000);
    const drags = numbersHere.map((number) => (number / MILLION) * height);
    const looks = await lookAfterDrags(page, drags, wanted);
    for (const [index, { seen }] of looks.entries()) {
      // With variable row heights, the scroll bar is approximate.
      expect(Math.abs((seen[0] ?? 0) - (numbersHere[index] ?? 0))).toBeLessThan(MILLION / 50);
    }
    await lines(page).hover();
    for (const step of numbers(4, 900).map((number) => number - 450)) {
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
