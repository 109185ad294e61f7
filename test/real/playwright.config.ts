import { defineConfig } from '@playwright/test';
import { browserSettings } from '../browser/support/browser-settings.js';

/** The main job in a browser, on real engines: `npm run test:real`. One cluster of an engine at a time. */
export default defineConfig({
  testDir: './browser',
  testMatch: '*.browser.ts',
  // The engines' parts run side by side, and each begins by emptying its own.
  outputDir: `../../.cache/browser-real-${process.env['APP_TEST_ENGINES'] ?? 'all'}`,
  workers: 1,
  forbidOnly: true,
  // As the suites of Jest: what passes only when it is repeated is reported as flaky.
  retries: 1,
  timeout: 300_000,
  expect: { timeout: 10_000 },
  use: browserSettings(),
});
