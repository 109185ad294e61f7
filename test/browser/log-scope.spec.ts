import type { Locator } from '@playwright/test';
import { expectAccessible } from './support/accessibility.js';
import * as boards from './support/board-fixtures.js';
import { expect, test as base } from './support/fixtures.js';

const { open, startBoth, untilStored } = boards;

/** A log board with a cluster. */
const test = base.extend({
  product: async ({}, use) => {
    const product = await startBoth();
    await product.createCluster('staging');
    await use(product);
    await product.stop();
  },
});

test('opens with the lines of apps, and says which lines of the system it hides', async ({
  page,
  product,
}) => {
  await open(page, `${product.boardOrigin}/logs`);
  const scope = page.getByRole('group', { name: 'Lines of' });
  const button = (name: string): Locator => scope.getByRole('button', { name, exact: true });
  await expect(button('Apps')).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('.ll').first()).toBeVisible();
  await untilStored(product, ({ service }) => service === 'kubelet');
  // The system of the cluster is in the tree, and not among the lines.
  await page.getByRole('searchbox', { name: 'Search' }).fill('source:kubelet');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/scope=apps/);
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
  const hidden = page.getByText(/^0 lines of apps; [\d,]+ lines of the system:$/);
  await expect(hidden).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(button('All')).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('.ll').first()).toBeVisible();

  await button('System').click();
  await expect(page).toHaveURL(/scope=system/);
  // The choice is in the link.
  await page.reload();
  await expect(button('System')).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('.ll').first()).toBeVisible();

  // Patterns that are new since the newest ReplicaSet of a Deployment.
  await page.goto(`${product.boardOrigin}/logs?pane=patterns`);
  await page.getByRole('button', { name: 'All patterns' }).press('Enter');
  await page
    .getByRole('menuitemradio', { name: /^New since the rollout of staging\// })
    .first()
    .press('Enter');
  await expect(page).toHaveURL(/new=2/);
  await expect(page.getByRole('button', { name: /^New since the rollout of staging\// })).toBeVisible();

  // A link with a choice of its own is not narrowed.
  await page.goto(`${product.boardOrigin}/logs?cluster=staging&namespace=kube-system`);
  await expect(button('All')).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('.ll').first()).toBeVisible();
});
