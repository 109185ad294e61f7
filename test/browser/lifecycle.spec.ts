import { expect, test } from './support/fixtures.js';

test('stops and starts a cluster from its page and shows the job screen', async ({ page, product }) => {
  await product.createCluster('staging', { workers: 2 });
  await page.goto('/cluster/staging');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  const screen = page.getByRole('dialog');
  // In one assertion: the screen closes a moment later.
  const running = screen.filter({ has: page.getByRole('progressbar') });
  await expect(running.getByRole('heading', { name: 'Stop staging' })).toBeVisible();
  // It closes with the end of the job, and a toast shows the result.
  await expect(screen).toHaveCount(0);
  const toasts = page.getByRole('log', { name: 'Messages' });
  await expect(toasts.getByText('Stopped 3 nodes of staging on demo.')).toBeVisible();
  await expect(page.getByText(/Stopped for \d+ s/)).toBeVisible();
  // A node that was stopped on purpose has no warning color.
  await expect(page.getByRole('list', { name: 'Nodes' }).getByText('Stopped').first()).toHaveCSS(
    'color',
    await page.evaluate<string>(`getComputedStyle(document.querySelector('sw-node-cards .usage')).color`),
  );

  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(screen.getByRole('progressbar')).toBeVisible();
  await expect(screen).toHaveCount(0);
  await expect(toasts.getByText('Started 3 nodes of staging on demo.')).toBeVisible();
  await expect(page.getByText(/Running for \d+ s\. 3 of 3 nodes and \d+ of \d+ pods ready\./)).toBeVisible();
});

test('offers the actions of a state in the row and keeps the focus', async ({ page, product }) => {
  await product.createCluster('staging');
  await page.goto('/clusters');
  const row = page.getByRole('row', { name: /staging/ });
  await row.getByRole('button', { name: 'Stop staging' }).press('Enter');
  await expect(row).toContainText('Stopped');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(row.getByRole('button', { name: 'Start staging' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(row).toContainText('Running');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(row.getByRole('button', { name: 'Stop staging' })).toBeFocused();

  await row.getByRole('button', { name: 'More actions for staging' }).click();
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await expect(row).toContainText('Paused');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await row.getByRole('button', { name: 'Unpause staging' }).click();
  await expect(row).toContainText('Running');
});

test('lists the losses before a recreation and shows the new cluster', async ({ page, product, guard }) => {
  // Requests of the page while its cluster is deleted.
  guard.expect(/status of 409/);
  await product.createCluster('staging');
  await page.goto('/cluster/staging');
  await page.getByRole('button', { name: 'More actions for staging' }).click();
  await page.getByRole('menuitem', { name: 'Recreate…' }).click();
  const question = page.getByRole('alertdialog', { name: 'Recreate staging?' });
  await expect(question).toContainText('1 control plane and 1 worker');
  await expect(question).toContainText(/\d+ pods and 1 volume claim in staging, with all data/);
  await expect(question).toContainText('2 containers in demo: staging-control-plane, staging-worker');
  await question.getByRole('button', { name: 'Recreate staging' }).click();
  const screen = page.getByRole('dialog');
  await expect(screen.getByText(/^Recreated staging with /)).toBeVisible();
  await screen.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText(/Running for \d+ s/)).toBeVisible();
});
