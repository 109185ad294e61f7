import { expect, type Page } from '@playwright/test';

/** A page looked into a cluster at the moment in which it stopped: the refusal is what it is to show. */
const READ_AS_IT_STOPPED = /status of 409.*\/clusters\/[^/]+\/(overview|addons\/installed)\b/;

/**
 * Hears everything that a sound page never says: errors in the console, errors that nobody caught, and what
 * the content security policy refused.
 */
export class PageGuard {
  private readonly heard: string[] = [];
  /**
   * The machine's doing and not the page's: a network that an engine makes or removes has Chromium drop what is
   * under way, and the page asks again.
   */
  private readonly expected: RegExp[] = [/net::ERR_NETWORK_CHANGED/, READ_AS_IT_STOPPED];

  /** Before the page is opened. */
  async watch(page: Page): Promise<void> {
    page.on('console', (message) => {
      if (message.type() === 'error') {
        this.heard.push(`console: ${message.text()} (${message.location().url})`);
      }
    });
    page.on('pageerror', (error) => this.heard.push(`uncaught: ${error.message}`));
    await page.exposeBinding('tellViolation', (_source, text: string) => this.heard.push(`policy: ${text}`));
    await page.addInitScript(`
      document.addEventListener('securitypolicyviolation', (event) =>
        window.tellViolation(event.violatedDirective + ' refused ' + event.blockedURI));
    `);
  }

  /** What a test brings about on purpose, such as the browser's own line about a server that is gone. */
  expect(...patterns: RegExp[]): void {
    this.expected.push(...patterns);
  }

  get complaints(): string[] {
    return this.heard.filter((line) => !this.expected.some((pattern) => pattern.test(line)));
  }
}

/** The browser's own lines about answers that are errors, and about connections that end. */
export const FAILED_REQUESTS = /Failed to load resource|WebSocket connection to/;

/** The fixture of every test: hears its page, and fails it over what it was not told to expect. */
export const guardFixture = [
  async ({ page }: { page: Page }, use: (guard: PageGuard) => Promise<void>): Promise<void> => {
    const guard = new PageGuard();
    await guard.watch(page);
    await use(guard);
    // What a page asks for at the very end is nobody's concern any more, and its answer gone before it is changed.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(guard.complaints, 'what the page complained of').toEqual([]);
  },
  { auto: true },
] as const;
