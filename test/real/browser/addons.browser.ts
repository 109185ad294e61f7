import { join } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Locator, Page } from '@playwright/test';
import { FAILED_REQUESTS } from '../../browser/support/page-guard.js';
import type { EngineName } from '../../transcripts/transcript.js';
import { ChartServer } from '../../support/charts/chart-server.js';
import { shopChart } from '../../support/charts/own-chart.js';
import { waitFor } from '../../support/wait-for.js';
import { deleteWithKind, engines, makeWithKind, run } from '../support/engines.js';
import { expect as atOnce, test as base } from './real-page.js';

/** Each program on one engine: that either works on both is for addons.spec.ts to show. */
const PROGRAMS: Readonly<Record<EngineName, string>> = { docker: 'helm', podman: 'helm3' };
/** Everything here waits for helm, for pods or for an engine, perhaps on a busy machine. */
const expect = atOnce.configure({ timeout: 90_000 });
/** Values with which a shop never opens. */
const HOPELESS = 'image: nowhere.invalid/nothing:v1\n';

interface AddonFixtures {
  /** A repository of charts on this machine. */
  charts: ChartServer;
  /** Which helm the product drives. */
  program: string;
}

const test = base.extend<AddonFixtures>({
  program: ['helm', { option: true }],
  charts: async ({}, use) => {
    const charts = await ChartServer.start([shopChart('1.1.0'), shopChart('1.0.0')]);
    await use(charts);
    await charts.stop();
  },
  environment: async ({ charts, program }, use) => {
    const path = await run('sh', ['-c', `command -v ${program}`]);
    await use({ APP_HELM: path, APP_CHART_HOSTS: charts.host });
  },
});

for (const engine of engines) {
  const cluster = `browser-addons-${engine}`;
  const program = PROGRAMS[engine];
  const namespace = `page-${program}`;

  test.describe(`addons on ${engine} by ${program}`, () => {
    test.use({ program });
    test.describe.configure({ timeout: 600_000 });
    let folder: string;
    let kubeconfig: string;
    const kubectl = (...args: string[]): Promise<string> =>
      run('kubectl', [`--kubeconfig=${kubeconfig}`, ...args]);

    test.beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'addons-'));
      kubeconfig = join(folder, 'kubeconfig');
      await deleteWithKind(engine, cluster);
      await makeWithKind(engine, cluster, kubeconfig);
      await kubectl('wait', '--for=condition=Ready', 'nodes', '--all', '--timeout=120s');
    });

    test.afterAll(async () => {
      await deleteWithKind(engine, cluster);
      rmSync(folder, { recursive: true, force: true });
    });

    test('a chart of one’s own is installed, upgraded, rolled back, repaired and uninstalled', async ({
      page,
      real,
      charts,
      guard,
    }) => {
      const installed = page.getByRole('region', { name: 'Installed' });
      const row = installed.getByRole('listitem').filter({ hasText: `${namespace}/shop` });
      const release = page.getByRole('region', { name: 'shop', exact: true });
      const revisions = release.getByRole('list').last().getByRole('listitem');

      await test.step('its repository is added', async () => {
        await page.goto(`/cluster/${cluster}/addons?runtime=${engine}`);
        await page.getByRole('button', { name: 'Add a repository' }).click();
        const form = page.getByRole('form', { name: 'Add a repository' });
        await form.getByLabel('Name').fill('own');
        await form.getByLabel('Address').fill(charts.url);
        await form.getByRole('button', { name: 'Add', exact: true }).click();
        await expect(page.getByRole('button', { name: 'own', exact: true })).toHaveAttribute(
          'aria-pressed',
          'true',
        );
      });

      await test.step('it is installed', async () => {
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

      await test.step('it is upgraded once the difference was seen', async () => {
        const form = await upgradeForm(page);
        await form.getByLabel('Version').selectOption('1.1.0');
        await enterValues(page, form, 'replicas: 2\npassword: canary\n');
        await form.getByRole('button', { name: 'Show what would change' }).click();
        await expect(form.getByRole('status')).toHaveText('4 objects: 3 changed, 1 unchanged');
        await form.getByText('Deployment shop-counter').click();
        const difference = form.getByLabel('What differs of Deployment shop-counter');
        await expect(difference).toContainText('replicas: 1');
        await expect(difference).toContainText('replicas: 2');
        await form.getByText('Secret shop-till').click();
        await expect(form.getByLabel('What differs of Secret shop-till')).toContainText('kind: Secret');
        await expect(form.locator('sw-config-difference', { hasText: 'canary' })).toHaveCount(0);
        await form.getByRole('button', { name: 'Upgrade', exact: true }).click();
        await expect(row).toContainText('1.1.0');
        await expect(row).toContainText('Installed');
        await expect(revisions).toHaveCount(2);
      });

      await test.step('it is rolled back', async () => {
        await release.getByRole('button', { name: 'Roll back to revision 1' }).click();
        await page.getByRole('alertdialog').getByRole('button', { name: 'Roll back' }).click();
        await expect(revisions).toHaveCount(3);
        await expect(row).toContainText('1.0.0');
        await expect(row).toContainText('Installed');
      });

      await test.step('the server ends in the middle of an upgrade, and the page sees it repaired', async () => {
        const form = await upgradeForm(page);
        await enterValues(page, form, HOPELESS);
        guard.expect(FAILED_REQUESTS);
        await form.getByRole('button', { name: 'Upgrade', exact: true }).click();
        await expect(row).toContainText('Upgrading');
        const pending = (): Promise<string> =>
          run(program, ['list', '-A', '--pending', `--kubeconfig=${kubeconfig}`]);
        await waitFor(async () => (await pending()).includes('pending-upgrade'), 'helm at work', 30_000);
        await real.kill();
        await expect(page.getByText('Reconnecting')).toBeVisible();
        await real.start();
        // The page was left alone all the while: it finds the server again, and reads anew.
        await expect(revisions).toHaveCount(5);
        await expect(row).toContainText('Installed');
        await expect(row).toContainText('1.0.0');
        await expect(release).toContainText('4 of 4 ready');
        await expect(release.getByRole('button', { name: /^Roll back/ })).toHaveCount(3);
        expect(await image()).toContain('pause');
      });

      await test.step('it is uninstalled', async () => {
        await moreFor(page, /^Uninstall/);
        await page.getByRole('alertdialog').getByRole('button', { name: 'Uninstall shop' }).click();
        await expect(row).toHaveCount(0);
        await expect.poll(() => kubectl('get', 'all', '-n', namespace, '--output=name')).toBe('');
      });

      function image(): Promise<string> {
        const path = '{.spec.template.spec.containers[0].image}';
        return kubectl('get', 'deployment/shop-counter', '-n', namespace, `--output=jsonpath=${path}`);
      }
    });
  });
}

async function upgradeForm(page: Page): Promise<Locator> {
  await moreFor(page, /^Change its values/);
  return page.getByRole('dialog', { name: 'Upgrade shop' });
}

async function moreFor(page: Page, item: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'More for shop' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

async function enterValues(page: Page, form: Locator, text: string): Promise<void> {
  await form.getByRole('textbox', { name: 'Values' }).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
}
