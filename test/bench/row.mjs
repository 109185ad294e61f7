import { chromium } from '@playwright/test';
import { findBrowser } from '../../scripts/browser.mjs';
import { BuiltServer } from '../../scripts/built-server.mjs';
import { ContainerWriter, writtenAt } from './container-writer.mjs';
import { EngineLog } from './engine-log.mjs';
import { Figure, medianOf } from './figures.mjs';
import { LogBoardClient } from './log-board-client.mjs';
import { until } from './until.mjs';

const PASSWORD = 'correct horse battery staple';
const RATE = 10;
const SECONDS = 30;
const LINES = 200;

/**
 * Time from when a container writes a line until its row is in the browser's log viewer, compared with
 * what a client of the socket and one of the engine's API see in the same run.
 */
export async function row({ engine = 'docker' }) {
  const program = await findBrowser();
  if (!program) throw new Error('there is no browser');
  const server = await BuiltServer.start({
    APP_RUNTIME: engine,
    APP_PASS: PASSWORD,
    APP_LOG_LEVEL: 'warn',
  });
  let board;
  let browser;
  let writer;
  let floor;
  try {
    board = await LogBoardClient.open(server.logBoardUrl, PASSWORD);
    browser = await chromium.launch({
      executablePath: program,
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
    writer = await ContainerWriter.start(engine, { rate: RATE, seconds: SECONDS });
    floor = EngineLog.follow(engine, writer.id);
    const received = [];
    await board.follow(writer.id, (lines, now) => {
      for (const [, , , , text] of lines) received.push(now - writtenAt(text));
    });
    const page = await viewer(browser, server, await board.source(writer.id));
    const from = floor.ages.length;
    const first = received.length;
    await page.evaluate(noteRows);
    await until(() => received.length - first >= LINES, `${LINES} lines`);
    const values = await page.evaluate(() => window.benchAges);
    if (values.length < LINES * 0.9)
      throw new Error(`only ${values.length} rows of ${LINES} lines were seen`);
    return [
      new Figure({
        title: `${engine}, ${RATE} lines/s: written to its row in the browser`,
        unit: 'ms',
        goal: engine === 'docker' ? 100 : 350,
        values,
        versus: `in the same run a client of the socket: median ${medianOf(received.slice(first)).toFixed(2)} ms, the engine’s API: median ${medianOf(floor.ages.slice(from)).toFixed(2)} ms`,
      }),
    ];
  } finally {
    floor?.end();
    board?.close();
    await browser?.close();
    writer?.stop();
    await server.stop();
  }
}

/** A page that shows the lines of a source, as they come. */
async function viewer(browser, server, { key }) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${server.logBoardUrl}/logs?sources=${encodeURIComponent(key)}`);
  await page.getByLabel('User name').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('grid', { name: 'Lines' }).locator('.ll').first().waitFor();
  return page;
}

/** In the page: the age of each line when its row appears. */
function noteRows() {
  const seen = new Set();
  let isFirst = true;
  window.benchAges = [];
  const look = () => {
    const now = performance.timeOrigin + performance.now();
    for (const text of document.querySelectorAll('[role=grid] .ll .m')) {
      const [, at] = /t=(\d+\.\d+)/.exec(text.textContent) ?? [];
      if (at === undefined || seen.has(at)) continue;
      seen.add(at);
      if (!isFirst) window.benchAges.push(now - Number(at) * 1000);
    }
    isFirst = false;
  };
  // Existing rows were not measured.
  look();
  new MutationObserver(look).observe(document.querySelector('[role=grid]'), {
    childList: true,
    characterData: true,
    subtree: true,
  });
}
