import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Request } from '@playwright/test';
import { readProject } from '../../backend/src/core/config/project.js';
import { expectAccessible } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';

const PAGES = [
  ['/clusters', 'Clusters', 'Clusters · Slipway'],
  ['/cluster/staging', 'Clusters', 'staging · Slipway'],
  ['/journal', 'Journal', 'Journal · Slipway'],
  ['/jobs', 'Jobs', 'Jobs · Slipway'],
  ['/diagnostics', 'Diagnostics', 'Diagnostics · Slipway'],
  ['/documentation', 'Documentation', 'Documentation · Slipway'],
  ['/diagnostics/images', 'Diagnostics', 'Images and disk · Slipway'],
  ['/cluster/staging/config', 'Clusters', 'Config of staging · Slipway'],
  ['/cluster/staging/addons', 'Clusters', 'Addons of staging · Slipway'],
  ['/cluster/staging/apply', 'Clusters', 'Apply YAML to staging · Slipway'],
  ['/cluster/staging/resources/core/v1/pods?runtime=demo', 'Clusters', 'pods of staging · Slipway'],
] as const;

/** The theme's script, and those of the menu, notifications and port-forwards, which come after the page. */
const LATE = /^\/(theme|header-menu-.+|job-notifications-.+|forward-list-.+)\.js$/;

const BUILT = join(readProject().root, 'dist', 'frontend', 'dashboard');
const HAS_EDITOR = /\/(config|apply)$/;

function compressedBytes(scripts: readonly string[]): number {
  return scripts.reduce((sum, path) => sum + statSync(join(BUILT, 'browser', `${path}.br`)).size, 0);
}

test('gives each page its title, navigation item and demo banner, and loads little for it', async ({
  page,
  product,
  guard,
}) => {
  await product.createCluster('staging');
  // Pages may request resources that do not exist yet, such as a provision log.
  guard.expect(/404/);
  await page.goto('/');
  await expect(page).toHaveURL(/\/clusters$/);
  const banner = page.getByRole('region', { name: 'Demo', exact: true });
  const active = page.getByRole('navigation', { name: 'Pages', exact: true }).locator('[aria-current]');
  for (const [path, pill, title] of PAGES) {
    const requested: string[] = [];
    const note = (request: Request): void => void requested.push(new URL(request.url()).pathname);
    page.on('request', note);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    page.off('request', note);
    const scripts = requested.filter((address) => address.endsWith('.js') && !LATE.test(address));
    expect(scripts.length).toBeGreaterThan(2);
    expect(new Set(scripts).size).toBe(scripts.length);
    // The editor alone has 130 kB.
    if (!HAS_EDITOR.test(path)) expect(compressedBytes(scripts)).toBeLessThan(240_000);

    // Workloads that do not work are counted before the title.
    await expect(page).toHaveTitle(new RegExp(`^(\\(\\d+\\) )?${title}$`));
    await expect(active).toHaveText(pill, { useInnerText: true });
    await expect(active).toHaveAttribute('aria-current', 'page');
    await expect(banner).toContainText('This is a demo.');
  }
  // The last page requests its rows once.
  await expect(page.getByRole('grid', { name: 'Pods of staging' })).toBeVisible();
  const reads = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map((entry) => entry.name)
      .filter((name) => name.includes('/resources/core/v1/pods')),
  );
  expect(reads).toHaveLength(1);
  await banner.getByRole('link', { name: 'Install an engine' }).click();
  await expect(page).toHaveURL(/\/diagnostics$/);

  // On a phone, the active item is scrolled into view. The last 16 px of the row fade out.
  await page.setViewportSize({ width: 390, height: 844 });
  for (const pill of ['Docs', 'Clusters', 'Diagnostics']) {
    await page
      .getByRole('navigation', { name: 'Pages', exact: true })
      .getByRole('link', { name: pill })
      .click();
    await expect(active).toHaveText(pill, { useInnerText: true });
    await expect.poll(async () => ((await active.boundingBox())?.x ?? -1) >= 0).toBe(true);
    await expect
      .poll(async () => {
        const box = await active.boundingBox();
        return box ? box.x + box.width : Infinity;
      })
      .toBeLessThanOrEqual(374);
  }
});

test('shows a 404 page with a link back for an unknown URL', async ({ page, guard }) => {
  guard.expect(/status of 404.*clustrs/);
  await page.goto('/clustrs');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await expect(page.getByText('/clustrs')).toBeVisible();
  await page.getByRole('link', { name: 'Go to Clusters' }).click();
  await expect(page).toHaveURL(/\/clusters$/);
});

test('links to the log board, and has a menu without sessions, without a sign-in', async ({ page }) => {
  await page.goto('/login?next=%2Fclusters');
  await expect(page).toHaveURL(/\/clusters$/);
  await expect(page.getByRole('link', { name: 'Log board' })).toHaveAttribute('href', '/log-board');
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByText(/Sign out|Sessions|Signed in/)).toHaveCount(0);
  await expect(page.getByRole('menuitem').and(page.locator('a[target=_blank]'))).toHaveCount(3);
});

test('keeps the chosen theme, and applies it before the first paint', async ({ page }) => {
  await page.addInitScript(`
    new MutationObserver((_, observer) => {
      if (!document.body) return;
      window.themeAtBody = document.documentElement.dataset.theme ?? 'system';
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  `);
  const theme = (): Promise<string> => page.evaluate('document.documentElement.dataset.theme ?? "system"');
  await page.goto('/clusters');
  expect(await theme()).toBe('system');

  await page.getByRole('button', { name: 'Menu' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemradio', { name: 'Dark' }).press('Enter');
  await expect.poll(theme).toBe('dark');
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(13, 20, 23)');

  await page.reload();
  expect(await page.evaluate('window.themeAtBody')).toBe('dark');
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toHaveAttribute('aria-checked', 'true');

  await page.getByRole('menuitemradio', { name: 'System' }).click();
  await expect.poll(theme).toBe('system');
  expect(await page.evaluate('localStorage.getItem("slipway.theme")')).toBeNull();
});

test('retries a failed script, and shows an error with a Reload link if the retry fails too', async ({
  page,
  guard,
}) => {
  guard.expect(/net::ERR_FAILED/, /dynamically imported module/);
  await page.goto('/clusters');
  await expect(page.getByRole('heading', { name: 'No clusters yet' })).toBeVisible();
  // Scripts that are loaded later than the page must not be the first request.
  await page.waitForLoadState('networkidle');
  let requests = 0;
  await page.route('**/*.js', async (route) => {
    requests += 1;
    await (requests === 1 ? route.abort() : route.continue());
  });
  await page.getByRole('link', { name: 'Journal' }).click();
  await expect(page.getByRole('heading', { name: 'Journal' })).toBeVisible();
  expect(requests).toBeGreaterThan(1);

  await page.unroute('**/*.js');
  await page.route('**/*.js', (route) => route.abort());
  await page.getByRole('link', { name: 'Diagnostics' }).click();
  await expect(page.getByRole('alert')).toContainText('Could not load the page.');
  await page.unroute('**/*.js');
  await page.getByRole('link', { name: 'Reload' }).click();
  await expect(page).toHaveURL(/\/diagnostics$/);
  await expect(page.getByRole('heading', { name: 'Diagnostics', level: 1 })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('skips the header with the first Tab, and opens the keyboard shortcuts with ?', async ({ page }) => {
  await page.goto('/journal');
  await expect(page.getByRole('heading', { name: 'Journal' })).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();

  // In a field, it is a character.
  await page.getByRole('searchbox').fill('');
  await page.keyboard.type('?');
  await expect(page.getByRole('searchbox')).toHaveValue('?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help).toContainText('Select all shown rows');
  await expectAccessible(page, '[role=dialog]');
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
  await expect(help).toBeVisible();
});
