import type { Page } from '@playwright/test';
import { expectAccessible, expectNoOverflow } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 800 },
  { width: 390, height: 844 },
];

/** Checks the page in all sizes and both themes without a reload. */
async function inEachLook(page: Page, within: string, check: () => Promise<void>): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await check();
      await expectNoOverflow(page);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await expectAccessible(page, within);
}

test.describe('of a new cluster', () => {
  test.use({ environment: { APP_RUNTIME: 'demo', APP_DEMO_SPEED: '4' } });

  test('follows the form, and fills while the cluster is created', async ({ page, product }) => {
    await product.createCluster('earlier', { workers: 2 });
    await page.goto('/clusters');
    await page.getByRole('button', { name: 'Create cluster' }).click();
    const form = page.getByRole('dialog');
    await page.getByLabel('Name').fill('My_Shop!');
    await page.getByRole('button', { name: 'More workers' }).click();
    await expect(form.getByRole('img', { name: '1 control plane, 2 workers' })).toBeVisible();
    await expect(form.getByText(/^About 1\.7 GB/)).toBeVisible();
    await expect(form.getByText(/^about \d+ s$/)).toBeVisible();
    await expect(form.getByText('name: unnamed')).toBeVisible();
    const ingress = page.getByRole('button', { name: /^Ingress/ });
    await ingress.click();
    await expect(ingress).toBeDisabled();
    const planned = '1 control plane, 2 workers. Ports of this host: 8080 → 80 and 8443 → 443';
    await inEachLook(page, '[role=dialog]', async () => {
      await expect(form.getByRole('img', { name: planned })).toBeAttached();
    });
    await page.getByRole('button', { name: 'Use my-shop' }).click();
    await expect(page.getByLabel('Name')).toHaveValue('my-shop');
    await page.getByRole('button', { name: 'Create cluster' }).click();

    const screen = page.getByRole('dialog', { name: 'Create my-shop' });
    await expect(screen.getByRole('img', { name: /2 workers, \d+ % created/ })).toBeVisible();
    await screen.getByRole('button', { name: 'Log' }).click();
    const log = screen.getByRole('grid');
    await expect(log).toContainText('Preparing nodes');
    const steps = screen.getByRole('list', { name: 'Steps' });
    const [left, right] = [await steps.boundingBox(), await log.boundingBox()];
    expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0));

    const done = screen.locator('#job-screen-now').filter({ hasText: /^Created my-shop with / });
    await expect(done).toBeVisible();
    await expect(done).toBeInViewport();
    await expect(
      screen.getByRole('img', { name: /^1 control plane, 2 workers, 100 % created/ }),
    ).toBeVisible();
    await expect(log.getByText('Preparing nodes')).toHaveCount(1);
    await inEachLook(page, '[role=dialog]', () => expect(done).toBeInViewport());
  });

  test('tells the time left of a creation in list, jobs and job', async ({ page, product }) => {
    await product.createCluster('earlier', { workers: 1 });
    const { job_id: id } = await product.call<{ job_id: number }>('POST', '/clusters', {
      name: 'later',
      workers: 1,
      node_image_tag: 'v1.34.4',
    });
    const left = /about \d+ s left/;
    await page.goto('/clusters');
    await expect(page.getByRole('row', { name: /later/ })).toContainText(left);
    await page.goto(`/jobs?job=${id}`);
    await expect(page.getByRole('region', { name: 'Create later' })).toContainText(left);
  });
});
