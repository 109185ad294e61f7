import { join } from 'node:path';
import { test, type Locator, type Page } from '@playwright/test';
import { enterText } from '../../browser/support/editor.js';
import { FAILED_REQUESTS, type PageGuard } from '../../browser/support/page-guard.js';
import type { EngineName } from '../../transcripts/transcript.js';
import type { ChartServer } from '../../support/charts/chart-server.js';
import { HOPELESS } from '../../support/charts/own-chart.js';
import { waitFor } from '../../support/wait-for.js';
import { run } from '../support/engines.js';
import type { Product } from '../support/product.js';
import { expect as baseExpect } from './real-page.js';

/** Helm, Pods and engines may be slow on a busy machine. */
const expect = baseExpect.configure({ timeout: 90_000 });

interface AddonTarget {
  cluster: string;
  engine: EngineName;
  /** The helm program. */
  program: string;
  /** A chart repository on loopback. */
  charts: ChartServer;
  real: Product;
  guard: PageGuard;
}

/** Installs, upgrades, rolls back and uninstalls a chart of a repository, also across a crash of the server. */
export async function testAddons(page: Page, target: AddonTarget): Promise<void> {
  const { cluster, engine, program, charts, real, guard } = target;
  const namespace = `page-${program}`;
  const kubeconfig = join(real.dataDirectory, 'clusters', cluster, 'kubeconfig');
  const kubectl = (...args: string[]): Promise<string> =>
    run('kubectl', [`--kubeconfig=${kubeconfig}`, ...args]);
  const installed = page.getByRole('region', { name: 'Installed' });
  const row = installed.getByRole('listitem').filter({ hasText: `${namespace}/shop` });
  const release = page.getByRole('region', { name: 'shop', exact: true });
  const revisions = release.getByRole('list').last().getByRole('listitem');

  await test.step('add the repository', async () => {
    await page.goto(`/cluster/${cluster}/addons?runtime=${engine}`);
    await page.getByRole('button', { name: 'Add repository' }).click();
    const form = page.getByRole('form', { name: 'Add repository' });
    await form.getByLabel('Name', { exact: true }).fill('own');
    await form.getByLabel('URL').fill(charts.url);
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('button', { name: 'own', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
  });

  await test.step('install', async () => {
    await page.getByLabel('Version of shop').selectOption('1.0.0');
    await page.getByRole('button', { name: 'Install shop' }).click();
    const form = page.getByRole('dialog', { name: 'Install shop' });
    await form.getByLabel('Namespace').fill(namespace);
    await form.getByRole('button', { name: 'Install', exact: true }).click();
    await expect(row).toContainText('1.0.0');
    await expect(row).toContainText('Installed');
    await row.getByRole('button', { name: 'shop', exact: true }).click();
    await expect(release).toContainText('4 of 4 ready');
  });

  await test.step('upgrade after viewing the diff', async () => {
    const form = await upgradeForm(page);
    await form.getByLabel('Version').selectOption('1.1.0');
    await enterValues(page, form, 'replicas: 2\npassword: canary\n');
    await form.getByRole('button', { name: 'Preview changes' }).click();
    await expect(form.getByRole('status')).toHaveText('4 objects: 3 changed, 1 unchanged');
    await form.getByText('Deployment shop-counter').click();
    const diff = form.getByLabel('Diff of Deployment shop-counter');
    await expect(diff).toContainText('replicas: 1');
    await expect(diff).toContainText('replicas: 2');
    await form.getByText('Secret shop-till').click();
    await expect(form.getByLabel('Diff of Secret shop-till')).toContainText('kind: Secret');
    await expect(form.locator('sw-config-diff', { hasText: 'canary' })).toHaveCount(0);
    await form.getByRole('button', { name: 'Upgrade', exact: true }).click();
    await expect(row).toContainText('1.1.0');
    await expect(row).toContainText('Installed');
    await expect(revisions).toHaveCount(2);
  });

  await test.step('roll back', async () => {
    await release.getByRole('button', { name: 'Roll back to revision 1' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Roll back' }).click();
    await expect(revisions).toHaveCount(3);
    await expect(row).toContainText('1.0.0');
    await expect(row).toContainText('Installed');
  });

  await test.step('recover an upgrade after a crash of the server', async () => {
    const form = await upgradeForm(page);
    await enterValues(page, form, HOPELESS);
    guard.expect(FAILED_REQUESTS);
    await form.getByRole('button', { name: 'Upgrade', exact: true }).click();
    await expect(row).toContainText('Upgrading');
    const pending = (): Promise<string> =>
      run(program, ['list', '-A', '--pending', `--kubeconfig=${kubeconfig}`]);
    await waitFor(async () => (await pending()).includes('pending-upgrade'), 'helm to run', 30_000);
    await real.kill();
    await expect(page.getByText('Slipway does not respond.').first()).toBeVisible();
    await real.start();
    // The page reconnects and reloads the data by itself.
    await expect(revisions).toHaveCount(5);
    await expect(row).toContainText('Installed');
    await expect(row).toContainText('1.0.0');
    await expect(release).toContainText('4 of 4 ready');
    await expect(release.getByRole('button', { name: /^Roll back/ })).toHaveCount(3);
    expect(await image()).toContain('pause');
  });

  await test.step('uninstall', async () => {
    await chooseAction(page, /^Uninstall/);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Uninstall shop' }).click();
    await expect(row).toHaveCount(0);
    await expect.poll(() => kubectl('get', 'all', '-n', namespace, '--output=name')).toBe('');
  });

  function image(): Promise<string> {
    const path = '{.spec.template.spec.containers[0].image}';
    return kubectl('get', 'deployment/shop-counter', '-n', namespace, `--output=jsonpath=${path}`);
  }
}

async function upgradeForm(page: Page): Promise<Locator> {
  await chooseAction(page, /^Upgrade with new values/);
  return page.getByRole('dialog', { name: 'Upgrade shop' });
}

async function chooseAction(page: Page, item: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'More actions for shop' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

async function enterValues(page: Page, form: Locator, text: string): Promise<void> {
  await enterText(page, form.getByRole('textbox', { name: 'Values' }), text);
}
