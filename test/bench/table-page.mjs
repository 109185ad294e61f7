import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { findBrowser } from '../../scripts/browser.mjs';
import { BuiltServer } from '../../scripts/built-server.mjs';
import { say } from '../../scripts/process.mjs';
import { ClusterOfPods } from './cluster-of-pods.mjs';
import { Figure } from './figures.mjs';
import { untilRunning } from './product.mjs';

const ROUNDS = 5;
const DRAWN_WITHIN_MS = 30_000;
/** More than a screen of them. */
const ROWS = 10;
const SCROLLS = 120;
const SCROLL_EVERY_MS = 25;
const SCROLL_PX = 900;

/**
 * The table of Pods in a new browser: the time until a thousand are rendered and counted, the time until the first rows
 * of ten thousand, and the longest task while scrolling through them.
 */
export async function tablePage({ engine = 'docker' }) {
  const program = await findBrowser();
  if (!program) throw new Error('there is no browser');
  const cluster = await ClusterOfPods.start(engine);
  let server;
  try {
    await cluster.fill(1000);
    server = await BuiltServer.start({ APP_RUNTIME: engine });
    await untilRunning(server, cluster.name, engine);
    const address = `${server.url}/cluster/${cluster.name}/resources/core/v1/pods?runtime=${engine}`;
    const drawn = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      drawn.push(await inBrowser(program, address, (page) => marked(page, 'whole')));
    }
    say(`table: 1,000 pods drawn after ${drawn.map((took) => took.toFixed(0)).join(', ')} ms`);
    await cluster.fill(10_000);
    const usable = [];
    const tasks = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await inBrowser(program, address, async (page) => {
        usable.push(await marked(page, 'first'));
        await marked(page, 'whole');
        tasks.push(await longestWhileScrolling(page));
      });
    }
    return [
      new Figure({ title: '1,000 pods drawn in a cold browser', unit: 'ms', goal: 700, values: drawn }),
      new Figure({ title: 'page of 10,000 pods usable', unit: 'ms', goal: 1000, values: usable }),
      new Figure({
        title: 'longest task while 10,000 pods are scrolled',
        unit: 'ms',
        goal: 50,
        decides: 'p95',
        values: tasks,
      }),
    ];
  } finally {
    await server?.stop();
    await cluster.stop();
  }
}

/** Starts a browser of its own, whose caches are empty, and notes when rows are there. */
async function inBrowser(program, address, look) {
  const browser = await chromium.launch({
    executablePath: program,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(noteRows, { rows: ROWS, pods: 1000 });
    await page.goto(address, { waitUntil: 'commit' });
    return await look(page);
  } finally {
    await browser.close();
  }
}

/** Runs in the page: the times since the start of the navigation until the first rows and until all rows. */
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
    if (window.benchMarks.whole === undefined) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function marked(page, mark) {
  const found = await page.waitForFunction((name) => window.benchMarks[name], mark, {
    timeout: DRAWN_WITHIN_MS,
  });
  return await found.jsonValue();
}

/** Scrolls fast with the wheel, once everything is loaded. @returns the longest task, 0 below 50 ms. */
async function longestWhileScrolling(page) {
  await page.waitForFunction(
    () => Number(document.querySelector('[role=grid]')?.getAttribute('aria-rowcount')) > 10_000,
    undefined,
    { timeout: DRAWN_WITHIN_MS },
  );
  await delay(1000);
  await page.mouse.move(700, 600);
  await page.evaluate(() => (window.benchTasks.length = 0));
  for (let turn = 0; turn < SCROLLS; turn += 1) {
    await page.mouse.wheel(0, SCROLL_PX);
    await delay(SCROLL_EVERY_MS);
  }
  return await page.evaluate(() => Math.max(0, ...window.benchTasks));
}
