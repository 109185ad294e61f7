import type { Locator, Page } from '@playwright/test';
import { ScriptedServer } from '../support/server/scripted-server.js';
import { expect, test as base } from './support/fixtures.js';

const IMAGE = 'docker.io/kindest/node:v1.34.4';

/** Two engines, each with an adopted cluster of the same name. */
const test = base.extend<{ machine: ScriptedServer }>({
  machine: async ({}, use) => {
    const machine = await ScriptedServer.start(
      { engines: ['docker', 'podman'] },
      { APP_RUNTIME: 'auto', APP_LOG_LEVEL: 'info' },
    );
    await machine.machine.kind.makeOutside('docker', 'twin', { nodes: [{ image: IMAGE }] });
    await machine.machine.kind.makeOutside('podman', 'twin', {
      nodes: [{ image: IMAGE }, { role: 'worker', image: IMAGE }],
    });
    await machine.client.until<{ state: string }[]>(
      '/api/v1/clusters',
      (clusters) => clusters.length === 2 && clusters.every(({ state }) => state === 'running'),
    );
    await use(machine);
    await machine.close();
  },
  baseURL: async ({ machine }, use) => {
    await use(`http://127.0.0.1:${machine.client.port}`);
  },
});

const editorOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Config of twin' });

test('shows a name in two engines twice, and recreates an adopted cluster only from a saved config', async ({
  page,
}) => {
  await page.goto('/clusters');
  const rows = page.locator('sw-cluster-row').filter({ hasText: 'twin' });
  await expect(rows).toHaveCount(2);
  await expect(rows.getByText('adopted', { exact: true })).toHaveCount(2);
  const row = rows.filter({ hasText: 'podman' });
  await row.getByRole('button', { name: 'More actions for twin' }).click();
  await page.getByRole('menuitem', { name: 'Recreate…' }).click();
  const question = page.getByRole('alertdialog', { name: 'twin has no saved config' });
  await expect(question).toContainText('Review and save the rebuilt config first.');
  await question.getByRole('button', { name: 'Review config' }).click();

  await expect(page).toHaveURL(/\/cluster\/twin\/config\?runtime=podman$/);
  await expect(editorOf(page)).toContainText('role: worker');
  const notice = page.getByRole('note').filter({ hasText: 'kept no copy of its config' });
  await expect(notice).toContainText('from the containers and the kubeadm files in them');
  await expect(notice).toContainText('kubeadm and containerd patches');
  await expect(page.getByText('Rebuilt, not saved')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('You can now recreate twin from it.')).toBeVisible();
  await expect(notice).toHaveCount(0);
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();

  const clusters = page
    .getByRole('navigation', { name: 'Breadcrumbs' })
    .getByRole('link', { name: 'Clusters' });
  await clusters.click();
  await row.getByRole('button', { name: 'More actions for twin' }).click();
  await page.getByRole('menuitem', { name: 'Recreate…' }).click();
  const losses = page.getByRole('alertdialog', { name: 'Recreate twin?' });
  await expect(losses).toContainText('Add what is missing before you recreate the cluster.');
  await expect(losses).toContainText('twin-control-plane, twin-worker');
  await losses.getByRole('button', { name: 'Cancel' }).click();

  // Chromium aborts a navigation while the dialog leaves its entry in the history.
  await page.waitForFunction('!history.state?.dialogs');
  // The other cluster still has no saved config.
  await page.goto('/cluster/twin/config');
  await page.getByRole('link', { name: 'twin on docker' }).click();
  await expect(page).toHaveURL(/\/cluster\/twin\/config\?runtime=docker$/);
  await expect(editorOf(page)).toContainText('role: control-plane');
  await expect(editorOf(page)).not.toContainText('role: worker');
  await expect(notice).toBeVisible();
});
