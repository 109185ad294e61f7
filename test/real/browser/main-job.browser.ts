import { ChartServer } from '../../support/charts/chart-server.js';
import { shopChart } from '../../support/charts/own-chart.js';
import { deleteWithKind, engines, leftOf, NOTHING, pathOf, tracesOf } from '../support/engines.js';
import { HELM_OF_PAGES } from '../support/helm-programs.js';
import { testAddons } from './addons.js';
import { expect, test as base } from './real-page.js';
import { testShells } from './shells.js';
import { testWorkloads } from './workloads.js';

interface AddonFixtures {
  charts: ChartServer;
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
    await use({ APP_HELM: await pathOf(program), APP_CHART_HOSTS: charts.host });
  },
});

for (const engine of engines) {
  const name = `browser-${engine}`;
  const program = HELM_OF_PAGES[engine];

  test.describe(`on ${engine}`, () => {
    test.use({ program });
    test(`creates a cluster, manages addons with ${program}, and deletes the cluster`, async ({
      page,
      real,
      charts,
      guard,
    }) => {
      test.setTimeout(600_000);
      await deleteWithKind(engine, name);
      const tag = await real.nodeImageTag();
      try {
        await page.goto('/clusters');
        await page.getByRole('button', { name: 'Create cluster' }).click();
        await page.getByLabel('Name').fill(name);
        await page.getByLabel('Workers', { exact: true }).fill('1');
        await page.getByLabel('Node image tag').fill(tag);
        // The choice is visible if the machine has both engines.
        const choice = page.getByRole('radio', { name: new RegExp(engine, 'i') });
        if ((await choice.count()) > 0) await choice.check({ force: true });
        const clicked = performance.now();
        await page.getByRole('button', { name: 'Create cluster' }).click();

        const screen = page.getByRole('dialog');
        await expect(screen.getByRole('progressbar')).toBeVisible();
        expect(performance.now() - clicked).toBeLessThan(5000);
        await expect(screen.getByText('Preparing nodes').first()).toBeVisible({ timeout: 60_000 });
        const open = screen.getByRole('button', { name: `Open ${name}` });
        await expect(open).toBeVisible({ timeout: 240_000 });
        await open.click();

        await expect(page).toHaveURL(new RegExp(`/cluster/${name}`));
        await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
        await expect(page.getByRole('img', { name: '1 control plane, 1 worker, all running' })).toBeVisible();
        const had = await tracesOf(engine, name);
        expect(had.containers).toEqual([`${name}-control-plane`, `${name}-worker`]);
        // Memory of a real node is never 0.
        await expect(page.getByText(/[1-9][\d.]* [MG]B of/).first()).toBeVisible({ timeout: 20_000 });

        await testShells(page, { cluster: name, engine, real, guard });

        await testWorkloads(page, { cluster: name, engine, real });

        await testAddons(page, { cluster: name, engine, program, charts, real, guard });

        await page.goto(`/cluster/${name}`);
        await page.getByRole('button', { name: `More actions for ${name}` }).click();
        await page.getByRole('menuitem', { name: 'Delete…' }).click();
        await page
          .getByRole('alertdialog')
          .getByRole('button', { name: /^Delete/ })
          .click();
        await expect(page).toHaveURL(/\/clusters$/, { timeout: 60_000 });
        await expect(page.getByText(`${name} was deleted.`)).toBeVisible({ timeout: 30_000 });
        expect(await leftOf(engine, name, had)).toEqual(NOTHING);
      } finally {
        await deleteWithKind(engine, name);
      }
    });
  });
}
