import { defineConfig } from '@playwright/test';
import { browserSettings } from './support/browser-settings.js';

/** The product in a browser, on the demo runtime: needs no engine. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../.cache/browser',
  workers: 3,
  forbidOnly: true,
  // As the suites of Jest: what passes only when it is repeated is reported as flaky.
  retries: 1,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  use: browserSettings(),
  // The product is run as it was built.
  build: { external: ['**/dist/**'] },
});
