import { expect, type Page } from '@playwright/test';

/** Deterministic pseudo-random numbers. */
export function numbers(count: number, below: number): number[] {
  let seed = 20_261_121;
  return Array.from({ length: count }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return (seed % below) + 1;
  });
}

/**
 * Checks every rendered row once its lines are loaded: their number, errors, which rows are visible, and how many
 * pixels of the first are above the edge.
 */
const LOOK = `async (wanted, to) => {
  const grid = document.querySelector('[role=grid]');
  if (to !== undefined) grid.scrollTop = to;
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const textOf = (row) => row.querySelector('.m').textContent;
  for (let round = 0; round < 300; round += 1) {
    await frame();
    const rows = [...document.querySelectorAll('.ll')];
    if (rows.length > 0 && rows.every((row) => textOf(row) !== '')) break;
  }
  const { top, bottom } = grid.getBoundingClientRect();
  const rows = [...document.querySelectorAll('.ll')];
  const isRight = (row) => (textOf(row) + ' ').startsWith(wanted(Number(row.dataset.at)) + ' ');
  const wrong = rows.filter((row) => !isRight(row)).map((row) => row.dataset.at + ': ' + textOf(row));
  const seen = rows.filter((row) => {
    const box = row.getBoundingClientRect();
    return box.bottom > top && box.top < bottom;
  });
  const above = seen.length === 0 ? 0 : top - seen[0].getBoundingClientRect().top;
  return { count: rows.length, wrong, seen: seen.map((row) => Number(row.dataset.at)), above };
}`;

export interface Look {
  count: number;
  wrong: string[];
  seen: number[];
  above: number;
}

/** The text of row N of the scripted million. */
const OF_MILLION = "(at) => 'line ' + at + ' of million'";

/** @param wanted the expected text of a row by number, as code for the page */
export async function lookAt(page: Page, wanted = OF_MILLION): Promise<Look> {
  return good(await page.evaluate<Look>(`(${LOOK})(${wanted})`));
}

/** The same after each of several drags of the scroll bar; one call for all saves time. */
export async function lookAfterDrags(
  page: Page,
  drags: readonly number[],
  wanted = OF_MILLION,
): Promise<Look[]> {
  const looks = await page.evaluate<Look[]>(`(async () => {
    const looks = [];
    for (const to of ${JSON.stringify(drags)}) looks.push(await (${LOOK})(${wanted}, to));
    return looks;
  })()`);
  return looks.map(good);
}

function good(look: Look): Look {
  expect(look.wrong).toEqual([]);
  expect(look.count).toBeLessThanOrEqual(200);
  expect(look.seen.length).toBeGreaterThan(5);
  // Adjacent, without gaps.
  expect(look.seen).toEqual(look.seen.map((_, index) => (look.seen[0] ?? 0) + index));
  return look;
}
