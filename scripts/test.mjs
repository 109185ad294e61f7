import { findBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { close, runJest, runPlaywright } from './suites.mjs';

/** The suites that need no engine: `npm test` runs all of them, or those that are named. */
const SUITES = {
  architecture: () => runJest(['architecture']),
  unit: () => runJest(['unit', 'frontend']),
  contract: () => runJest(['contract']),
  api: () => runJest(['api']),
  // They wait more than they compute.
  faults: () => runJest(['faults'], ['--maxWorkers=4']),
  browser: async () => {
    const browser = await findBrowser();
    return browser
      ? runPlaywright('test/browser/playwright.config.ts', { environment: { APP_TEST_BROWSER: browser } })
      : { passed: 0, failed: 1 };
  },
};
/** All suites. Contracts and faults wait more than they compute, so other suites run at the same time. */
const ALL = [
  () => runJest(['architecture', 'unit', 'frontend', 'contract'], ['--maxWorkers=3']),
  () => runJest(['api', 'faults'], ['--maxWorkers=4']),
  SUITES.browser,
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in SUITES));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no suite ${unknown.join(', ')}. There are: ${Object.keys(SUITES).join(', ')}\n`,
  );
  process.exit(2);
}

await ensureInstalled();
await ensureBuilt();
const counts = [];
for (const run of wanted.length > 0 ? wanted.map((name) => SUITES[name]) : ALL) counts.push(await run());
close(counts);
