import type { Page } from '@playwright/test';
import { open } from './support/board-fixtures.js';
import { expect, test } from './support/fixtures.js';
import type { PageGuard } from './support/page-guard.js';

/** An application, and what its documents and its health show. */
interface Application {
  operation: string;
  health: string;
  fields: RegExp;
}

const DASHBOARD: Application = {
  operation: 'Get the health of Slipway',
  health: '/api/v1/health',
  // Exempt users see the checks.
  fields: /"status":"ok","version":"[\d.]+","uptime_seconds":\d+,"checks":\[/,
};
const LOG_BOARD: Application = {
  operation: 'Get the health of the log board',
  health: '/api/health',
  fields: /^\{"status":"(ok|degraded)","version":"[\d.]+"\}$/,
};

/** Collects the requests of all windows of a test. */
function requestsOf(page: Page): URL[] {
  const urls: URL[] = [];
  page.context().on('request', (request) => urls.push(new URL(request.url())));
  return urls;
}

/** Opens an entry of the menu in its new window. */
async function openEntry(page: Page, guard: PageGuard, name: string, path: string): Promise<Page> {
  await page.getByRole('button', { name: 'Menu' }).click();
  const link = page.getByRole('menuitem', { name: `${name} (new window)`, exact: true });
  await expect(link).toHaveAttribute('target', '_blank');
  await expect(link).toHaveAttribute('rel', 'noopener');
  const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  await expect(opened).toHaveURL(new RegExp(`${path}$`));
  // Again, with the guard.
  await guard.watch(opened);
  await opened.reload();
  return opened;
}

async function openAll(page: Page, guard: PageGuard, application: Application): Promise<void> {
  const { operation, health, fields } = application;
  const swagger = await openEntry(page, guard, 'API documentation', '/docs');
  // Swagger UI draws of a long list only the operations in view.
  await expect(async () => {
    await swagger.mouse.wheel(0, 500);
    await expect(swagger.getByText(operation, { exact: true })).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(swagger.getByText(operation, { exact: true })).toHaveCSS('font-family', /^"Inter Variable"/);
  for (const [colorScheme, canvas] of [
    ['dark', 'rgb(13, 20, 23)'],
    ['light', 'rgb(243, 246, 248)'],
  ] as const) {
    await swagger.emulateMedia({ colorScheme });
    await expect(swagger.locator('body')).toHaveCSS('background-color', canvas);
  }
  await swagger.close();

  // Redoc tries to search in a worker that needs eval, and searches in the page where the policy forbids it.
  guard.expect(/^policy: script-src refused eval$/);
  const redoc = await openEntry(page, guard, 'Alternative API documentation', '/redoc');
  await redoc.getByRole('link', { name: 'health', exact: true }).click();
  await redoc.getByRole('link', { name: operation }).first().click();
  await expect(redoc.getByRole('heading', { name: operation }).first()).toBeVisible();
  await expect(redoc.getByText('API docs by')).toBeHidden();
  await expect(redoc.getByTestId('page-actions').first()).toBeHidden();
  await redoc.close();

  const opened = await openEntry(page, guard, 'Health', health);
  await expect(opened.locator('body')).toHaveText(fields);
  await opened.close();
}

test('dashboard: opens both API documentations and health from the menu, without requests to other hosts', async ({
  page,
  product,
  guard,
}) => {
  const urls = requestsOf(page);
  await page.goto('/clusters');
  await expect(page.getByRole('button', { name: 'Menu' })).toBeEnabled();
  // They load only when they are opened.
  expect(urls.map(({ pathname }) => pathname).filter((path) => /docs|redoc/.test(path))).toEqual([]);
  await openAll(page, guard, DASHBOARD);
  expect(urls.filter(({ protocol, origin }) => protocol !== 'data:' && origin !== product.origin)).toEqual(
    [],
  );
});

test('log board: opens both API documentations and health from the menu, without requests to other hosts', async ({
  page,
  board,
  guard,
}) => {
  const urls = requestsOf(page);
  await open(page, `${board.boardOrigin}/logs`);
  await openAll(page, guard, LOG_BOARD);
  expect(urls.filter(({ protocol, origin }) => protocol !== 'data:' && origin !== board.boardOrigin)).toEqual(
    [],
  );
});
