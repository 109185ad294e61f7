import type { PlaywrightTestOptions, PlaywrightWorkerOptions } from '@playwright/test';

/** Settings of every browser suite: the system's browser, a picture of what failed, and a trace of it where `APP_TEST_TRACE` is 1. */
export function browserSettings(): Partial<PlaywrightTestOptions & PlaywrightWorkerOptions> {
  const executablePath = process.env['APP_TEST_BROWSER'];
  return {
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      // As root, which containers are, Chromium has no sandbox.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    },
    viewport: { width: 1280, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    screenshot: 'only-on-failure',
    // A trace of every test, which is thrown away of those that pass, is a sixth of all that a suite costs.
    trace: process.env['APP_TEST_TRACE'] === '1' ? 'retain-on-failure' : 'off',
    // A test that waits for what does not come says what it was, well before its own time is up.
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
  };
}
