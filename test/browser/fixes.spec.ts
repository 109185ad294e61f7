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

const CASHIER = `apiVersion: apps/v1
kind: Deployment
metadata: {name: cashier, namespace: shop}
spec:
  replicas: 2
  selector: {matchLabels: {app: cashier}}
  template:
    metadata: {labels: {app: cashier}}
    spec: {containers: [{name: main, image: "web:1", ports: [{name: http, containerPort: 8080}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: cashier, namespace: shop}
spec: {selector: {app: cashiers}, ports: [{port: 80, targetPort: http}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: cashier, namespace: shop}
spec:
  rules:
    - host: cashier.test
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: cashier, port: {number: 80}}}}]}
`;

test('draws the map of a workload, whose broken edge a fix of the Service repairs', async ({
  page,
  product,
}) => {
  await product.createCluster('staging');
  await product.call('POST', '/clusters/staging/resources/apply?runtime=demo', { yaml: CASHIER });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/cluster/staging/resources/apps/v1/deployments?runtime=demo&object=shop/cashier');
  const panel = page.getByRole('region', { name: 'cashier' });
  const map = panel.locator('sw-object-map');
  const broken = 'Service cashier → Deployment cashier: Its selector does not match the Pods of cashier.';
  await expect(map.getByText(broken)).toBeVisible();
  await map.getByText('As a list').click();
  await expect(map.getByRole('list', { name: 'Map' })).toContainText('cashier.test/ → 80');
  await expectAccessible(page, 'sw-object-map');
  await page.setViewportSize({ width: 1024, height: 700 });
  await map.getByRole('link', { name: 'cashier', exact: true }).nth(1).click();
  const service = panel.getByRole('region', { name: 'Cause' });
  await service.getByRole('button', { name: 'Correct selector…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Correct selector' });
  await expect(dialog.getByRole('textbox', { name: 'Changes' })).toContainText('app: cashier');
  await dialog.getByRole('button', { name: 'Correct selector' }).click();
  await expect(page.getByText('Set the selector to app=cashier.')).toBeVisible();
  await page.goBack();
  await expect(map.getByRole('link').first()).toBeVisible();
  await expect(map.getByText(broken)).toHaveCount(0);
});

/** In the order that moves most: what is on top of the details comes last. */
const LATE_MS = { '/problems': 400, '/forwards': 500, '/map?': 900, '/diagnosis?': 1200 };

test('keeps the place of what comes late in the details of a broken object', async ({ page, product }) => {
  await product.createCluster('staging');
  await product.call('POST', '/clusters/staging/resources/apply?runtime=demo', { yaml: HUNGRY });
  // With the three that the demo has.
  await expect
    .poll(async () => (await product.call<{ problems?: number }>('GET', '/clusters/staging')).problems)
    .toBe(4);
  await page.route('**/api/v1/**', async (route) => {
    const url = route.request().url();
    const [, delay = 0] = Object.entries(LATE_MS).find(([part]) => url.includes(part)) ?? [];
    await new Promise((resolve) => setTimeout(resolve, delay));
    await route.continue();
  });
  await page.addInitScript(`
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/cluster/staging/resources/apps/v1/deployments?runtime=demo&object=shop/hungry');
  const panel = page.getByRole('region', { name: 'hungry' });
  await expect(panel.getByRole('button', { name: 'Raise memory limit…' })).toBeVisible();
  await expect(panel.getByRole('heading', { name: 'Map' })).toBeVisible();
  expect(await page.evaluate<number>('window.shift')).toBeLessThanOrEqual(0.05);
});
