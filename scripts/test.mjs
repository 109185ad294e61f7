import { findBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { run } from './process.mjs';
import { close, runJest, runPlaywright } from './suites.mjs';

/** The suites that need no engine, by the name that selects them. */
const SUITES = {
  architecture: () => runJest(['architecture']),
  unit: () => runJest(['unit', 'frontend']),
  contract: () => runJest(['contract']),
  // Hostile responses of clusters, engines, helm and VictoriaLogs, and hostile clients of sockets: 3 minutes at most.
  fuzz: () => runJest(['fuzz']),
  api: () => runJest(['api']),
  // They wait more than they compute.
  faults: () =>
    runJest(['faults'], ['--maxWorkers=4', '--testSequencer=./test/support/jest/longest-first.mjs']),
  browser: () => runBrowser(),
  cli: () => runJest(['cli']),
  // Installs the files of `npm run release`, and makes them first.
  package: async () => {
    const { status } = await run('node', ['scripts/release.mjs', '--skip-checks']);
    return status === 0 ? await runJest(['package']) : { passed: 0, failed: 1 };
  },
  // A few of the requests of `npm run test:schema`.
  schema: async () => {
    const { status } = await run('node', ['test/schema/run.mjs', '--requests=2000']);
    return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1 };
  },
  // The suites of `npm test`. Specs and browser wait in turn for pages, programs and timeouts, so that together they
  // keep two cores busy. One browser ends as late as the specs.
  main: () =>
    Promise.all([
      runJest(['architecture', 'unit', 'frontend', 'api'], ['--maxWorkers=4']),
      runBrowser('--project=main', '--workers=1'),
    ]),
  // The suites that only the gate runs, since they take as long again.
  // The browser ends before the faults.
  rest: async () => {
    const faults = SUITES.faults();
    const browser = await runBrowser('--project=rest');
    const schema = SUITES.schema();
    const others = await runJest(['contract', 'fuzz', 'cli']);
    return [browser, others, await SUITES.package(), await faults, await schema];
  },
};

async function runBrowser(...options) {
  if (!options.includes('--project=main')) await ensureBuilt(['messages', 'pseudo']);
  const browser = await findBrowser();
  if (!browser) return { passed: 0, failed: 1 };
  return await runPlaywright('test/browser/playwright.config.ts', options, { APP_TEST_BROWSER: browser });
}

const [name = 'main'] = process.argv.slice(2);
if (!(name in SUITES)) {
  process.stderr.write(`There is no suite ${name}. There are: ${Object.keys(SUITES).join(', ')}\n`);
  process.exit(2);
}
await ensureBuilt();
close([await SUITES[name]()].flat());
