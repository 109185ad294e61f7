import type { Locator, Page } from '@playwright/test';
import { ScriptedServer } from '../support/server/scripted-server.js';
import { expect, test as base } from './support/fixtures.js';

const IMAGE = 'docker.io/kindest/node:v1.34.4';

/** Slipway on a machine with two engines, each with a cluster of the same name that kind created. */
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
    await machine.client.until<unknown[]>('/api/v1/clusters', ({ length }) => length === 2);
    await use(machine);
    await machine.close();
  },
  baseURL: async ({ machine }, use) => {
    await use(`http://127.0.0.1:${machine.client.port}`);
  },
});

const editorOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Config of twin' });

test('shows two rows, pages and configs for clusters of the same name in two engines', async ({ page }) => {
  await page.goto('/clusters');
  const rows = page.locator('sw-cluster-row').filter({ hasText: 'twin' });
  await expect(rows).toHaveCount(2);
  await expect(rows.getByText('adopted', { exact: true })).toHaveCount(2);

  await page.goto('/cluster/twin/config');
  await page.getByRole('link', { name: 'twin on podman' }).click();
  await expect(page).toHaveURL(/\/cluster\/twin\/config\?runtime=podman$/);
  await expect(editorOf(page)).toContainText('role: worker');
  await page.goto('/cluster/twin/config?runtime=docker');
  await expect(editorOf(page)).toContainText('role: control-plane');
  await expect(editorOf(page)).not.toContainText('role: worker');
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
  // Not followed: that page queries the cluster, which the scripted engines do not simulate.
  await expect(crumbs.getByRole('link', { name: 'twin' })).toHaveAttribute(
    'href',
    '/cluster/twin?runtime=docker',
  );
});

test('explains what a rebuilt config may lack, and saves it unchanged', async ({ page }) => {
  await page.goto('/cluster/twin/config?runtime=docker');
  const notice = page.getByRole('note').filter({ hasText: 'kept no copy of its config' });
  await expect(notice).toContainText('from the containers and the files of kubeadm in them');
  await expect(notice).toContainText('which patches kind was given');
  await expect(page.getByText('Rebuilt, not saved')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('twin can be recreated from it now.')).toBeVisible();
  await expect(notice).toHaveCount(0);
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  // The other cluster of this name still has no saved config.
  await page.goto('/cluster/twin/config?runtime=podman');
  await expect(notice).toBeVisible();
});

test('recreates an adopted cluster only from a reviewed config', async ({ page }) => {
  await page.goto('/clusters');
  const row = page.locator('sw-cluster-row').filter({ hasText: 'podman' });
  await row.getByRole('button', { name: 'More actions for twin' }).click();
  await page.getByRole('menuitem', { name: 'Recreate…' }).click();
  const question = page.getByRole('alertdialog', { name: 'twin has no saved config yet' });
  await expect(question).toContainText('Nothing happens to twin now.');
  await question.getByRole('button', { name: 'Look at the rebuilt config' }).click();
  await expect(page).toHaveURL(/\/cluster\/twin\/config\?runtime=podman$/);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('twin can be recreated from it now.')).toBeVisible();
  await page.goto('/cluster/twin/config?runtime=podman');
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Clusters' }).click();
  await row.getByRole('button', { name: 'More actions for twin' }).click();
  await page.getByRole('menuitem', { name: 'Recreate…' }).click();
  const losses = page.getByRole('alertdialog', { name: 'Recreate twin?' });
  await expect(losses).toContainText('what was patched is lost unless you write it in');
  await expect(losses).toContainText('twin-control-plane, twin-worker');
  await losses.getByRole('button', { name: 'Leave it as it is' }).click();
});
