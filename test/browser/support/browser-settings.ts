import type { PlaywrightTestOptions, PlaywrightWorkerOptions } from '@playwright/test';

/** A host name that only the browser under test resolves. */
export const HOST_NAME = 'slipway.test';

/** Settings of all browser suites. Failed tests save a screenshot, and a trace if `APP_TEST_TRACE` is 1. */
export function browserSettings(): Partial<PlaywrightTestOptions & PlaywrightWorkerOptions> {
  const executablePath = process.env['APP_TEST_BROWSER'];
  return {
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        `--host-resolver-rules=MAP ${HOST_NAME} 127.0.0.1`,
        // Chromium's sandbox does not work as root, as in containers.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    },
    viewport: { width: 1280, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    screenshot: 'only-on-failure',
    // Recording traces takes a sixth of the time of a suite.
    trace: process.env['APP_TEST_TRACE'] === '1' ? 'retain-on-failure' : 'off',
    // Shorter than the timeout of a test, so that a failure names the action.
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
  };
}
