import { findBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { findLacks, wantedEngines } from './engines.mjs';
import { ensureInstalled } from './install.mjs';
import { say } from './process.mjs';
import { close, runJest, runPlaywright } from './suites.mjs';

/**
 * Proves the product on real engines. What was asked for and is missing fails: a suite that passes over
 * an engine would claim what it has not seen.
 */
const engines = wantedEngines();
const lacks = await findLacks(engines);
for (const lack of lacks) say(lack);
if (lacks.length > 0) close([{ passed: 0, failed: lacks.length }]);
else {
  await ensureInstalled();
  await ensureBuilt();
  say(`proving the product on ${engines.join(' and ')}, with ${imageInWords()}`);
  const environment = { APP_TEST_ENGINES: engines.join(',') };
  const counts = [await runJest(['real'], ['--runInBand'], environment)];
  const browser = await findBrowser();
  counts.push(
    browser
      ? await runPlaywright('test/real/playwright.config.ts', { ...environment, APP_TEST_BROWSER: browser })
      : { passed: 0, failed: 1 },
  );
  close(counts);
}

function imageInWords() {
  const { APP_TEST_NODE_IMAGE: image } = process.env;
  return image ? `the node image ${image}` : 'the node image that kind uses by itself (APP_TEST_NODE_IMAGE)';
}
