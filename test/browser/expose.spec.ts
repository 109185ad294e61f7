import { expectAccessible } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';
import { chooseMore } from './support/more-actions.js';
import { FAILED_REQUESTS } from './support/page-guard.js';

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: fresh, namespace: default}
spec:
  selector: {matchLabels: {app: fresh}}
  template:
    metadata: {labels: {app: fresh}}
    spec: {containers: [{name: main, image: "nginx:1.27", ports: [{name: http, containerPort: 8080}]}]}
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: traefik}
spec: {controller: traefik.io/ingress-controller}
`;

test('exposes a Deployment and opens its page in three clicks', async ({ page, product }) => {
  await product.createCluster('staging');
  await product.call('POST', '/clusters/staging/resources/apply?runtime=demo', { yaml: DEPLOYMENT });
  await page.goto('/cluster/staging/resources/apps/v1/deployments?runtime=demo&object=default/fresh');
  const panel = page.getByRole('region', { name: 'fresh' });
  await chooseMore(panel, 'Expose…');
  const dialog = page.getByRole('dialog', { name: 'Expose fresh' });
  await expect(dialog.getByText('Creates Service default/fresh')).toBeVisible();
  await expect(dialog.getByText('Creates Ingress default/fresh')).toBeVisible();
  await expectAccessible(page, '[role=dialog]');
  await dialog.getByRole('button', { name: 'Expose', exact: true }).click();
  await expect(dialog.getByText('Created Service default/fresh and Ingress default/fresh.')).toBeVisible();
  await expect(dialog.getByText('No published port of the nodes leads to')).toBeVisible();
  await expectAccessible(page, '[role=dialog]');
  const opened = page.waitForEvent('popup');
  await dialog.getByRole('button', { name: 'Open' }).click();
  await expect((await opened).getByRole('heading', { name: /^fresh-/ })).toBeVisible();
});

test('shows what cannot be exposed before it is sent, by keyboard alone', async ({
  guard,
  page,
  product,
}) => {
  guard.expect(FAILED_REQUESTS);
  await product.createCluster('staging');
  await page.goto('/clusters');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search or jump to' });
  await palette.getByRole('combobox').fill('expose web');
  await expect(palette.getByRole('option', { name: /^Expose web/ }).first()).toBeVisible();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Expose web' });
  const port = dialog.getByLabel('Port', { exact: true });
  await expect(port).toBeFocused();
  await expect(dialog.getByText(/^Uses Service shop\//)).toBeVisible();
  await port.fill('grpc');
  await expect(dialog.getByText('Must be a port of deployment shop/web.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Expose', exact: true })).toBeDisabled();
  await port.fill('');
  await expect(dialog.getByText(/^Uses Service shop\//)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('It is already exposed.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Open' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});
