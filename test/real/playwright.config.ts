import { defineConfig } from '@playwright/test';
import { browserSettings } from '../browser/support/browser-settings.js';
import { isAll } from './support/scope.js';

/** The pages in a browser, on real engines: `npm run test:real`. One cluster per engine at a time. */
export default defineConfig({
  testDir: './browser',
  testMatch: isAll ? '*.browser.ts' : ['logs.browser.ts', 'main-job.browser.ts'],
  // Playwright empties the folder at the start, and the engines run side by side.
  outputDir: `../../.cache/browser-real-${process.env['APP_TEST_ENGINES'] ?? 'all'}`,
  workers: 1,
  forbidOnly: true,
  // A test that passes only when it is repeated is reported as flaky.
  retries: 1,
  timeout: 300_000,
  expect: { timeout: 10_000 },
  use: browserSettings(),
});
