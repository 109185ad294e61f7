import { expectAccessible } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';
import { FAILED_REQUESTS } from './support/page-guard.js';

const HUNGRY = `apiVersion: apps/v1
kind: Deployment
metadata: {name: hungry, namespace: shop}
spec:
  selector: {matchLabels: {app: hungry}}
  template:
    metadata: {labels: {app: hungry}}
    spec:
      containers:
        - {name: main, image: "stress:1", command: [stress, --vm-bytes, 100M], resources: {limits: {memory: 64Mi}}}
`;

test('raises a memory limit that was exceeded, from 1440 to 390 px and in both themes', async ({
  guard,
  page,
  product,
}) => {
  guard.expect(FAILED_REQUESTS);
  await product.createCluster('staging');
  await product.call('POST', '/clusters/staging/resources/apply?runtime=demo', { yaml: HUNGRY });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/cluster/staging/resources/apps/v1/deployments?runtime=demo&object=shop/hungry');
  const panel = page.getByRole('region', { name: 'hungry' });
  const cause = panel.getByRole('region', { name: 'Cause' }).first();
  await expect(cause).toContainText('exceeded its memory limit of 64Mi');
  await expectAccessible(page, 'sw-object-diagnosis');
  await cause.getByRole('button', { name: 'Raise memory limit…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Raise memory limit' });
  const diff = dialog.getByRole('textbox', { name: 'Changes' });
  // The proposed value is checked at once.
  await expect(diff).toContainText('memory: 128Mi');
  await page.setViewportSize({ width: 1024, height: 700 });
  await expectAccessible(page, '[role=dialog]');
  const limit = dialog.getByLabel('Memory limit (currently 64Mi)');
  await limit.fill('much');
  await dialog.getByRole('button', { name: 'Review changes' }).click();
  await expect(dialog.getByText('parameters.memory must be an amount, such as 128Mi')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await limit.fill('256Mi');
  await limit.press('Enter');
  await expect(diff).toContainText('memory: 256Mi');
  await dialog.getByRole('button', { name: 'Raise memory limit' }).click();
  await expect(
    page.getByText('Set the memory limit of container main to 256Mi. A rollout replaces the Pods.'),
  ).toBeVisible();
  await expect(panel.getByRole('region', { name: 'Cause' })).toHaveCount(0);
});
