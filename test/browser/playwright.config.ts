import { defineConfig } from '@playwright/test';
import { browserSettings } from './support/browser-settings.js';

/** The main job of each application. `npm test` runs these specs; the gate also runs the others. */
const MAIN = ['clusters', 'create', 'resources', 'resources-edit', 'log-board', 'logs'].map(
  (name) => `${name}.spec.ts`,
);

/** The product in a browser, on the demo runtime: needs no engine. */
export default defineConfig({
  testDir: '.',
  projects: [
    { name: 'main', testMatch: MAIN },
    { name: 'rest', testIgnore: MAIN },
  ],
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
