import { expect, type Page } from '@playwright/test';
import { signIn, type SignedIn } from '../../support/app/signed-in.js';
import { LOG_BOARD_PASSWORD } from '../../support/app/log-board-password.js';
import { guardFixture, type PageGuard } from './page-guard.js';
import { freePort } from '../../support/free-port.js';
import { Product } from './product.js';
import { startBoard, test as base } from './worker-fixtures.js';

export const PASSWORD = LOG_BOARD_PASSWORD;

interface Fixtures {
  guard: PageGuard;
}

/** A test of the log board, whose page must not report errors. */
export const test = base.extend<Fixtures>({
  baseURL: async ({ board }, use) => {
    await use(board.boardOrigin);
  },
  guard: [...guardFixture],
});

export { expect, startBoard };

/** Fills in and submits the sign-in form. */
export async function enter(page: Page, { username = 'admin', password = PASSWORD } = {}): Promise<void> {
  const field = page.getByLabel('User name');
  if (await field.isEditable()) await field.fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}

/** Opens a page of the log board with a new session. The sign-in page itself has its own tests. */
export async function open(page: Page, path: string): Promise<void> {
  const origin = URL.canParse(path) ? new URL(path).origin : '';
  // The page shares its cookies with these requests.
  const response = await page.request.post(`${origin}/api/auth/login`, {
    data: { username: 'admin', password: PASSWORD },
  });
  expect(response.status()).toBe(200);
  await page.goto(path);
}

/** Starts both applications in one process, which link to each other. */
export async function startBoth(environment: Readonly<Record<string, string>> = {}): Promise<Product> {
  const own = {
    APP_RUNTIME: 'demo',
    APP_DEMO_SPEED: '100',
    APP_PASS: PASSWORD,
    APP_LOG_BOARD_PORT: String(await freePort()),
  };
  return await Product.start({ ...own, ...environment }, ['dashboard', 'log-board']);
}

/** Waits until the log board has stored lines of a source, which it reads apart from the dashboard. */
export async function untilStored(
  product: Product,
  isMeant: (source: { name: string; service: string | null }) => boolean,
): Promise<void> {
  const { bearer: headers } = await signIn({ client: product.board });
  await expect
    .poll(async () => {
      const { body } = await product.board.send('GET', '/api/sources', { headers });
      const sources = body as { name: string; service: string | null; next_seq: number }[];
      return sources.some((source) => source.next_seq > 1 && isMeant(source));
    })
    .toBe(true);
}

/** Signs in as a new session and ends all others. */
export async function endAllElsewhere(product: Product): Promise<SignedIn> {
  const session = await signIn({ client: product.board });
  await product.board.send('DELETE', '/api/auth/sessions', { headers: session.bearer });
  return session;
}
