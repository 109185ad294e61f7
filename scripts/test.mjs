import { findBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { close, runJest, runPlaywright } from './suites.mjs';

/** The suites that need no engine. `npm test` runs those that are named, or all but `faults`. */
const SUITES = {
  architecture: () => runJest(['architecture']),
  unit: () => runJest(['unit', 'frontend']),
  contract: () => runJest(['contract']),
  api: () => runJest(['api']),
  // Minutes of killed servers and full disks: part of the gate, not of `npm test`. They wait more than they compute.
  faults: () => runJest(['faults'], ['--maxWorkers=4']),
  browser: async () => {
    const browser = await findBrowser();
    return browser
      ? runPlaywright('test/browser/playwright.config.ts', { environment: { APP_TEST_BROWSER: browser } })
      : { passed: 0, failed: 1 };
  },
};

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
if (wanted.length > 0) {
  const counts = [];
  for (const name of wanted) counts.push(await SUITES[name]());
  close(counts);
} else {
  // Specs and browser wait in turn for pages, programs and timeouts, so together they keep two cores busy.
  const specs = ['architecture', 'unit', 'frontend', 'contract', 'api'];
  close(await Promise.all([runJest(specs, ['--maxWorkers=4']), SUITES.browser()]));
}
