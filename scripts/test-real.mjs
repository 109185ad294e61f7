import { parseArgs } from 'node:util';
import { findBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { findMissingEngines, findMissingGo, findMissingVictoriaLogs, wantedEngines } from './engines.mjs';
import { say } from './process.mjs';
import { close, runJest, runPlaywright } from './suites.mjs';

/**
 * Tests with real engines: one life of a cluster per engine, the container image on Docker, the command line on one
 * engine, and the pages on the other.
 * `--all` adds the rest, and `--image` runs only the spec of the container image. A requested engine that is missing is
 * an error, since skipping it would look like success.
 */
const options = { all: { type: 'boolean' }, image: { type: 'boolean' } };
const { all, image } = parseArgs({ options }).values;
const engines = image ? ['docker'] : wantedEngines();
const LIFE = 'one-cluster.spec.ts';
/** Need both engines. */
const BOTH = '(both-engines|program-outputs).spec.ts';
/** Needs Docker, and takes minutes for the build of the image. */
const CONTAINER = 'real/container.spec.ts';
/** Changes a limit of the machine, so no other spec may run at the same time. */
const ALONE = 'real/inotify-limit.spec.ts';
/** Specs that need no engine. */
const WITHOUT_ENGINE = 'real/(victorialogs|log-store|kind-configs|kubeconfigs).spec.ts';

const missing = [
  ...(await findMissingEngines(engines)),
  ...(all ? [...findMissingVictoriaLogs(), ...(await findMissingGo())] : []),
];
for (const sentence of missing) say(sentence);
if (missing.length > 0) close([{ passed: 0, failed: missing.length }]);
else {
  await ensureBuilt();
  const nodeImage = process.env.APP_TEST_NODE_IMAGE ?? 'the default node image of kind';
  const suite = image ? 'the container image' : all ? 'everything' : 'the short suite';
  say(`testing ${suite} on ${engines.join(' and ')} with ${nodeImage}`);
  // The engines work side by side.
  const counts = await Promise.all(
    image ? [runSpecs('docker', only(CONTAINER))] : engines.map(all ? runAll : runShort),
  );
  if (all) counts.push(await runWithoutOneEngine());
  close(counts.flat());
}

/** Docker has the container image, the first engine the command line, and the last one the pages: both take as long. */
async function runShort(engine, index) {
  return [
    await runSpecs(engine, only(index === 0 ? `${LIFE}|real/cli.spec.ts` : LIFE)),
    ...(engine === 'docker' ? [await runSpecs(engine, only(CONTAINER))] : []),
    ...(index === engines.length - 1 ? [await runPages(engine)] : []),
  ];
}

async function runAll(engine, index) {
  // No two clusters with the most nodes at the same time.
  const environment = { APP_TEST_ALL: '1', APP_TEST_BACKWARDS: String(index % 2 === 1) };
  const others = `--testPathIgnorePatterns=${BOTH}|${WITHOUT_ENGINE}|${CONTAINER}|${ALONE}`;
  return [await runSpecs(engine, others, environment), await runPages(engine, environment)];
}

/** Runs the specs that need both engines, none, or Docker to itself. */
async function runWithoutOneEngine() {
  return [
    ...(engines.length > 1 ? [await runSpecs(engines.join(','), only(BOTH))] : []),
    await runSpecs(engines.join(','), only(WITHOUT_ENGINE)),
    ...(engines.includes('docker') ? [await runSpecs('docker', only(`${CONTAINER}|${ALONE}`))] : []),
  ];
}

function only(specs) {
  return `--testPathPatterns=${specs}`;
}

/** @param selection of specs, an option of Jest. */
function runSpecs(engine, selection, environment = {}) {
  const order = '--testSequencer=./test/real/support/spec-order.mjs';
  // A failed test may leave a server running, which would keep Jest from exiting.
  const options = ['--runInBand', '--forceExit', order, selection];
  return runJest(['real'], options, { APP_TEST_ENGINES: engine, ...environment });
}

async function runPages(engine, environment = {}) {
  const browser = await findBrowser();
  if (!browser) return { passed: 0, failed: 1 };
  const names = { APP_TEST_ENGINES: engine, APP_TEST_BROWSER: browser };
  return await runPlaywright('test/real/playwright.config.ts', [], { ...names, ...environment });
}
