import { chromium } from '@playwright/test';

const DRAWN_WITHIN_MS = 30_000;
/** More than a screen of them. */
const ROWS = 10;

/**
 * Starts a browser of its own, whose caches are empty, and notes when rows are there.
 * @param pods `whole` is when the grid has more rows than this
 */
export async function inBrowser(program, address, look, pods = 1000) {
  const browser = await chromium.launch({
    executablePath: program,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(noteRows, { rows: ROWS, pods });
    await page.goto(address, { waitUntil: 'commit' });
    return await look(page);
  } finally {
    await browser.close();
  }
}

/** @returns milliseconds from the start of the navigation to `first` or `whole` of a table, or to the `overview` */
export async function marked(page, mark) {
  const found = await page.waitForFunction((name) => window.benchMarks[name], mark, {
    timeout: DRAWN_WITHIN_MS,
  });
  return await found.jsonValue();
}

/**
 * Runs in the page: the times since the start of the navigation until the first rows, until all rows, and until the
 * overview of a cluster shows its Pods with their number.
 */
function noteRows({ rows, pods }) {
  window.benchMarks = {};
  window.benchTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.benchTasks.push(duration);
  }).observe({ entryTypes: ['longtask'] });
  const look = () => {
    const grid = document.querySelector('[role=grid]');
    const drawn = grid?.querySelectorAll('[role=row][data-index]').length ?? 0;
    const counted = Number(grid?.getAttribute('aria-rowcount') ?? 0);
    if (drawn >= rows) window.benchMarks.first ??= performance.now();
    if (drawn >= rows && counted > pods) window.benchMarks.whole ??= performance.now();
    const card = document.querySelector('sw-resource-card:has(#kind-pods)');
    const isShown = Number(card?.querySelector('.n')?.textContent ?? 0) > 0 && card?.querySelector('li a');
    if (isShown) window.benchMarks.overview ??= performance.now();
    if (window.benchMarks.whole === undefined) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
