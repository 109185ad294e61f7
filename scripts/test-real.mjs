import { findBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { findLacks, wantedEngines } from './engines.mjs';
import { ensureInstalled } from './install.mjs';
import { say } from './process.mjs';
import { close, runJest, runPlaywright } from './suites.mjs';

/**
 * Tests with real engines. A requested engine that is missing is an error, since skipping it would look like success.
 */
const engines = wantedEngines();
/** The spec of what needs two engines. */
const BOTH = 'both-engines.spec.ts';
/** The specs of what needs none. */
const LOG_STORE = 'real/(victorialogs|log-store).spec.ts';
const lacks = await findLacks(engines);
for (const lack of lacks) say(lack);
if (lacks.length > 0) close([{ passed: 0, failed: lacks.length }]);
else {
  await ensureInstalled();
  await ensureBuilt();
  say(`proving the product on ${engines.join(' and ')}, with ${imageInWords()}`);
  const browser = await findBrowser();
  const counts = (
    await Promise.all(engines.map((engine, index) => proveAlone(engine, index, browser)))
  ).flat();
  if (engines.length > 1) {
    const environment = { APP_TEST_ENGINES: engines.join(',') };
    counts.push(await runJest(['real'], ['--runInBand', BOTH], { environment, part: 'both' }));
  }
  counts.push(
    await runJest(['real'], ['--runInBand', '--testPathPatterns', LOG_STORE], { part: 'log-store' }),
  );
  close(counts);
}

/**
 * One engine's part: its specs, then its pages in the browser. The engines work side by side, and each has one spec
 * at a time: they go through them from opposite ends, so that no two clusters of the most nodes are made at once.
 */
async function proveAlone(engine, index, browser) {
  const specs = await runJest(
    ['real'],
    [
      '--runInBand',
      `--testPathIgnorePatterns=${BOTH}|${LOG_STORE}`,
      '--testSequencer=./test/real/support/spec-order.mjs',
    ],
    {
      environment: { APP_TEST_ENGINES: engine, APP_TEST_BACKWARDS: String(index % 2 === 1) },
      part: engine,
    },
  );
  const pages = browser
    ? await runPlaywright('test/real/playwright.config.ts', {
        environment: { APP_TEST_ENGINES: engine, APP_TEST_BROWSER: browser },
        part: engine,
      })
    : { passed: 0, failed: 1 };
  return [specs, pages];
}

function imageInWords() {
  const { APP_TEST_NODE_IMAGE: image } = process.env;
  return image ? `the node image ${image}` : 'the node image that kind uses by itself (APP_TEST_NODE_IMAGE)';
}
