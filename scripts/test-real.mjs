import { parseArgs } from 'node:util';
import { findBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { findMissingEngines, findMissingVictoriaLogs, wantedEngines } from './engines.mjs';
import { ensureInstalled } from './install.mjs';
import { say } from './process.mjs';
import { close, runJest, runPlaywright } from './suites.mjs';

/**
 * Tests with real engines: one life of a cluster per engine, the container image on Docker, the pages on one engine, and
 * the command line on the other.
 * `--all` adds the rest, and `--image` runs only the spec of the container image. A requested engine that is missing is
 * an error, since skipping it would look like success.
 */
const {
  values: { all, image: onlyImage },
} = parseArgs({
  options: { all: { type: 'boolean', default: false }, image: { type: 'boolean', default: false } },
});
const engines = onlyImage ? ['docker'] : wantedEngines();
const LIFE = 'one-cluster.spec.ts';
const COMMAND_LINE = 'real/cli.spec.ts';
/** Needs both engines. */
const BOTH = 'both-engines.spec.ts';
/** Needs Docker, and takes minutes for the build of the image. */
const CONTAINER = 'container.spec.ts';
/** Specs that need no engine. */
const LOG_STORE = 'real/(victorialogs|log-store).spec.ts';

const missing = [...(await findMissingEngines(engines)), ...(all ? findMissingVictoriaLogs() : [])];
for (const sentence of missing) say(sentence);
if (missing.length > 0) close([{ passed: 0, failed: missing.length }]);
else {
  await ensureInstalled();
  await ensureBuilt();
  const image = process.env.APP_TEST_NODE_IMAGE ?? 'the default node image of kind';
  const suite = onlyImage ? 'the container image' : all ? 'everything' : 'the short suite';
  say(`testing ${suite} on ${engines.join(' and ')} with ${image}`);
  const browser = await findBrowser();
  close(onlyImage ? [await runContainer()] : all ? await runAll(browser) : await runShort(browser));
}

/** The engines work side by side. The first one has the pages, Docker the container image, and the last one the command line. */
async function runShort(browser) {
  const counts = await Promise.all(
    engines.map(async (engine, index) => [
      await runSpecs(engine, [
        `--testPathPatterns=${index === engines.length - 1 ? `${LIFE}|${COMMAND_LINE}` : LIFE}`,
      ]),
      ...(index === 0 ? [await runPages(engine, browser)] : []),
      ...(engine === 'docker' ? [await runContainer()] : []),
    ]),
  );
  return counts.flat();
}

async function runAll(browser) {
  const counts = await Promise.all(
    engines.map(async (engine, index) => [
      await runSpecs(engine, [`--testPathIgnorePatterns=${BOTH}|${LOG_STORE}|${CONTAINER}`], {
        APP_TEST_ALL: '1',
        // No two clusters with the most nodes at the same time.
        APP_TEST_BACKWARDS: String(index % 2 === 1),
      }),
      await runPages(engine, browser, { APP_TEST_ALL: '1' }),
    ]),
  );
  const both = { environment: { APP_TEST_ENGINES: engines.join(',') }, part: 'both' };
  return [
    ...counts.flat(),
    ...(engines.length > 1 ? [await runJest(['real'], ['--runInBand', BOTH], both)] : []),
    await runJest(['real'], ['--runInBand', `--testPathPatterns=${LOG_STORE}`], { part: 'log-store' }),
    ...(engines.includes('docker') ? [await runContainer()] : []),
  ];
}

function runContainer() {
  const options = ['--runInBand', '--forceExit', `--testPathPatterns=real/${CONTAINER}`];
  return runJest(['real'], options, { part: 'container' });
}

function runSpecs(engine, options, more = {}) {
  return runJest(
    ['real'],
    // A failed test may leave a server running, which would keep Jest from exiting.
    ['--runInBand', '--forceExit', '--testSequencer=./test/real/support/spec-order.mjs', ...options],
    { environment: { APP_TEST_ENGINES: engine, ...more }, part: engine },
  );
}

async function runPages(engine, browser, more = {}) {
  if (!browser) return { passed: 0, failed: 1 };
  const environment = { APP_TEST_ENGINES: engine, APP_TEST_BROWSER: browser, ...more };
  return await runPlaywright('test/real/playwright.config.ts', { environment, part: engine });
}
