import { setTimeout as delay } from 'node:timers/promises';
import { findBrowser } from '../../scripts/browser.mjs';
import { BuiltServer } from '../../scripts/built-server.mjs';
import { say } from '../../scripts/process.mjs';
import { ClusterOfPods } from './cluster-of-pods.mjs';
import { Figure } from './figures.mjs';
import { untilRunning } from './product.mjs';
import { inBrowser, marked } from './rows-in-browser.mjs';

const ROUNDS = 5;
const DRAWN_WITHIN_MS = 30_000;
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
