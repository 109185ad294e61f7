import { expect, type Page } from '@playwright/test';

/** A page may read a cluster while it stops; the page then shows the rejection. */
const READ_WHILE_STOPPING =
  /status of 409.*\/clusters\/[^/]+\/(overview|addons\/installed|pods\/placement)\b/;

/** Most tests run the dashboard alone, which the tab with a log finds out by a request. */
const WITHOUT_LOG_BOARD = /status of 503.*\/api\/v1\/logs\/sources/;

/** Collects console errors, uncaught exceptions and violations of the content security policy. */
export class PageGuard {
  private readonly errors: string[] = [];
  /** Chromium drops requests when an engine adds or removes a network; the page repeats them. */
  private readonly expected: RegExp[] = [/net::ERR_NETWORK_CHANGED/, READ_WHILE_STOPPING, WITHOUT_LOG_BOARD];

  /** Call it before the page is opened. */
  async watch(page: Page): Promise<void> {
    page.on('console', (message) => {
      if (message.type() === 'error') {
        this.errors.push(`console: ${message.text()} (${message.location().url})`);
      }
    });
    page.on('pageerror', (error) => this.errors.push(`uncaught: ${error.message}`));
    await page.exposeBinding('reportViolation', (_source, text: string) =>
      this.errors.push(`policy: ${text}`),
    );
    await page.addInitScript(`
      document.addEventListener('securitypolicyviolation', (event) =>
        window.reportViolation(event.violatedDirective + ' refused ' + event.blockedURI));
    `);
  }

  /** Ignores errors that a test causes on purpose, such as failed requests. */
  expect(...patterns: RegExp[]): void {
    this.expected.push(...patterns);
  }

  get unexpected(): string[] {
    return this.errors.filter((line) => !this.expected.some((pattern) => pattern.test(line)));
  }
}

/** Console messages of the browser about failed requests and closed connections. */
export const FAILED_REQUESTS = /Failed to load resource|WebSocket connection to/;

/** Fails a test if its page reports unexpected errors. */
export const guardFixture = [
  async ({ page }: { page: Page }, use: (guard: PageGuard) => Promise<void>): Promise<void> => {
    const guard = new PageGuard();
    await guard.watch(page);
    await use(guard);
    // Requests at the very end do not matter, and their responses may be gone before a route changes them.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(guard.unexpected, 'errors of the page').toEqual([]);
  },
  { auto: true },
] as const;
