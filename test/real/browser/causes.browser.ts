import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { expectAccessible, expectNoOverflow } from '../../browser/support/accessibility.js';
import { brokenObjects, HEALTHY, NAMESPACE, UNLOADED_IMAGE, yamlOf } from '../support/broken-objects.js';
import { deleteWithKind, engines, run } from '../support/engines.js';
import { expect as baseExpect, test } from './real-page.js';

/** A cause that a usual start has too is a problem after 30 s. */
const expect = baseExpect.configure({ timeout: 90_000 });

for (const engine of engines) {
  const name = `browser-causes-${engine}`;
  // The image exists nowhere: the spec of the API loads it.
  const broken = brokenObjects(`${name}-control-plane`, UNLOADED_IMAGE);

  test(`on ${engine}: shows every cause in list, cluster page and palette, and fixes one`, async ({
    page,
    real,
  }) => {
    test.setTimeout(400_000);
    await deleteWithKind(engine, name);
    try {
      const tag = await real.nodeImageTag();
      await real.ended(await real.create({ name, workers: 1, node_image_tag: tag, runtime: engine }));
      const kubeconfig = join(real.dataDirectory, 'clusters', name, 'kubeconfig');
      for (const objects of [HEALTHY, broken.flatMap((each) => each.objects)]) {
        const file = join(real.dataDirectory, 'causes.yaml');
        await writeFile(file, yamlOf(objects));
        await run('kubectl', [`--kubeconfig=${kubeconfig}`, 'apply', `--filename=${file}`]);
      }

      await test.step('name them in the list of clusters', async () => {
        await page.goto('/clusters');
        const row = page.getByRole('row', { name: `${name}, Running` });
        await expect(row).toContainText(`${broken.length + CLAIMS} workloads do not work:`);
        await page.getByRole('button', { name: 'Needs attention 1' }).click();
        await expect(row).toBeVisible();
        await expect(page).toHaveTitle(`(${broken.length + CLAIMS}) Clusters · Slipway`);
      });

      await test.step('list them first on the cluster page', async () => {
        await page.goto(`/cluster/${name}?runtime=${engine}`);
        const wrong = page.getByRole('region', { name: 'What is wrong' });
        await wrong.getByRole('button', { name: /^Show all/ }).click();
        for (const each of broken) {
          await expect(wrong.getByRole('link', { name: each.name, exact: true })).toBeVisible();
        }
        await expectAccessible(page, 'sw-cluster-problems');
        for (const width of [390, 1024, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          await expectNoOverflow(page);
        }
      });

      await test.step('find them in the palette', async () => {
        await page.keyboard.press('Control+k');
        const palette = page.getByRole('dialog', { name: 'Search or jump to' });
        for (const each of broken) {
          await palette.getByRole('combobox').fill(`${each.name} wrong`);
          await expect(
            palette.getByRole('option', { name: new RegExp(`^${each.name}\\b.*${NAMESPACE}`) }),
          ).toBeVisible();
        }
        await page.keyboard.press('Escape');
      });

      const panelOf = async (object: string): Promise<Locator> => {
        const query = `runtime=${engine}&namespace=${NAMESPACE}&object=${NAMESPACE}/${object}`;
        await page.goto(`/cluster/${name}/resources/apps/v1/deployments?${query}`);
        return page.getByRole('region', { name: object, exact: true });
      };

      await test.step('fix one', async () => {
        const panel = await panelOf('memory');
        await panel.getByRole('button', { name: 'Raise memory limit…' }).click();
        const dialog = page.getByRole('dialog', { name: 'Raise memory limit' });
        await expect(dialog.locator('sw-config-diff')).toContainText('memory: 48Mi');
        await dialog.getByRole('button', { name: 'Raise memory limit' }).click();
        await expect(page.getByText(/Set the memory limit of container main to 48Mi/)).toBeVisible();
        await expect(panel.getByRole('region', { name: 'Cause' })).toHaveCount(0);
      });

      await test.step('offer the log of another around its end', async () => {
        const panel = await panelOf('crash');
        const link = panel
          .getByRole('region', { name: 'Cause' })
          .getByRole('link', { name: /^Logs of crash-/ });
        await expect(link).toHaveAttribute('href', /crash-.*from=.*to=/);
      });
      // Requests of the page fail once the cluster is deleted.
      await page.goto('about:blank');
    } finally {
      await deleteWithKind(engine, name);
    }
  });
}

/** Claims that are problems besides the workloads that wait for them. */
const CLAIMS = 1;
