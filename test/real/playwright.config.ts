import { defineConfig } from '@playwright/test';
import { browserSettings } from '../browser/support/browser-settings.js';

/** The main job in a browser, on real engines: `npm run test:real`. One cluster at a time. */
export default defineConfig({
  testDir: './browser',
  testMatch: '*.browser.ts',
  outputDir: '../../.cache/browser-real',
  workers: 1,
  forbidOnly: true,
  timeout: 300_000,
  expect: { timeout: 10_000 },
  use: browserSettings(),
});
