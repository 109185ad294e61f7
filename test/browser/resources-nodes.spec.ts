import { expect, test } from './support/fixtures.js';
import { chooseMore } from './support/more-actions.js';

const SCRATCH = `apiVersion: v1
kind: Pod
metadata: { name: scratch, namespace: default }
spec:
  nodeName: staging-worker
  containers: [{ name: sleep, image: busybox, command: [sleep, infinity] }]
  volumes: [{ name: data, emptyDir: {} }]
`;

test('cordons a node, drains it after its losses are accepted, and uncordons it', async ({
  page,
  product,
  guard,
}) => {
  guard.expect(/422/);
  await product.createCluster('staging');
  await product.call('POST', '/clusters/staging/resources/apply?runtime=demo', { yaml: SCRATCH });
  await page.goto('/cluster/staging/resources/core/v1/nodes?runtime=demo&object=staging-worker');
  const panel = page.getByRole('region', { name: 'staging-worker' });
  await chooseMore(panel, 'Cordon');
  await expect(page.getByText(/^staging-worker: No new pods are scheduled on the node\./)).toBeVisible();

  await chooseMore(panel, 'Drain…');
  await page
    .getByRole('alertdialog', { name: 'Drain staging-worker?' })
    .getByRole('button', { name: 'Drain' })
    .click();
  const losses = page.getByRole('alertdialog', { name: 'Drain staging-worker and lose data?' });
  await expect(losses.getByText('default/scratch')).toHaveCount(2);
  const drain = losses.getByRole('button', { name: 'Drain' });
  await expect(drain).toBeDisabled();
  await losses.getByRole('checkbox', { name: 'Delete this Pod' }).check();
  await expect(drain).toBeDisabled();
  await losses.getByRole('checkbox', { name: 'Delete emptyDir data' }).check();
  await drain.click();
  await expect(losses).toHaveCount(0);
  await expect
    .poll(async () => {
      const { rows } = await product.call<{ rows: { name: string }[] }>(
        'GET',
        '/clusters/staging/resources/core/v1/pods?runtime=demo&namespace=default',
      );
      return rows.map(({ name }) => name);
    })
    .not.toContain('scratch');

  await page.goto('/cluster/staging/resources/core/v1/nodes?runtime=demo&object=staging-worker');
  await panel.getByRole('button', { name: 'Uncordon' }).click();
  await expect(page.getByText('staging-worker: New pods can be scheduled on the node.')).toBeVisible();
});
