import { expectAccessible } from './support/accessibility.js';
import { enterText } from './support/editor.js';
import { expect, test } from './support/fixtures.js';

const SETTINGS = `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: default
data:
  mode: MODE
`;
const SECOND = SETTINGS.replace('settings', 'other');

test('shows the diff of two documents, marks errors at their lines, and applies both', async ({
  page,
  product,
}) => {
  await product.createCluster('staging');
  await product.call('POST', '/clusters/staging/resources/apply', { yaml: SETTINGS });
  await page.goto('/cluster/staging/apply?runtime=demo');
  const text = page.getByRole('textbox', { name: 'YAML to apply' });

  await text.click();
  await page.keyboard.type('apiVersion: v1');
  await expect(page.getByRole('option', { name: 'v1', exact: true })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  // CodeMirror ignores Enter at first.
  await page.waitForTimeout(200);
  await page.keyboard.press('Enter');
  await page.keyboard.type('kind: ConfigMap');
  await expect(text.locator('.cm-line')).toHaveText(['apiVersion: v1', 'kind: ConfigMap']);

  const wrong = SECOND.replace('kind: ConfigMap', 'kind: Nothing');
  await enterText(page, text, `${SETTINGS.replace('MODE', 'fast')}---\n${wrong}`);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  const changes = page.getByRole('region', { name: 'Changes' });
  await expect(changes.getByRole('listitem')).toHaveText([/settings.*line 1/, /other.*line 9/]);
  await expect(changes).toContainText('Nothing');
  await expect(text).toContainText('kind: Nothing');
  await expect(page.locator('.cm-lintRange-error, .cm-lint-marker-error').first()).toBeVisible();

  await enterText(page, text, `${SETTINGS.replace('MODE', 'fast')}---\n${SECOND}`);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  // A diff is rendered once it is in view.
  await changes.getByText('New object').scrollIntoViewIfNeeded();
  await expect(changes.getByLabel('Diff of ConfigMap settings').first()).toContainText('fast');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  const done = page.getByRole('region', { name: 'Applied' });
  await expect(done.getByRole('listitem')).toHaveText([/settings/, /other/]);
  await expect(text).toContainText('mode: fast');
  const applied = await product.call<{ yaml: string }>(
    'GET',
    '/clusters/staging/resources/core/v1/configmaps/settings?namespace=default',
  );
  expect(applied.yaml).toContain('mode: fast');
});

test('follows what it created until it is ready, exposed and reachable', async ({ page, product }) => {
  await product.createCluster('staging');
  await page.goto('/cluster/staging/apply?runtime=demo');
  const text = page.getByRole('textbox', { name: 'YAML to apply' });
  await enterText(
    page,
    text,
    `apiVersion: apps/v1
kind: Deployment
metadata: { name: hello, namespace: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: hello } }
  template:
    metadata: { labels: { app: hello } }
    spec: { containers: [{ name: hello, image: 'shop/web:1.4.0', ports: [{ containerPort: 8080 }] }] }
`,
  );
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  const done = page.getByRole('region', { name: 'Applied' });
  await expect(done.getByText('2 of 2 ready')).toBeVisible();
  await expect(done.getByRole('link', { name: 'Logs of hello, in a new window' })).toBeVisible();
  await expectAccessible(page, 'sw-applied-object');
  await done.getByRole('button', { name: 'Expose…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Expose', exact: true }).click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const reachable = done.getByText('Reachable at');
  await expect(reachable).toBeVisible();
  const [forward] = await product.call<{ local_address: string }[]>('GET', '/clusters/staging/forwards');
  const address = forward?.local_address ?? '';
  await expect(done.getByRole('button', { name: `http://${address}`, exact: true })).toBeVisible();

  // The panels of the Service and its Deployment name the same address.
  for (const [kind, width] of [
    ['apps/v1/deployments', 1440],
    ['core/v1/services', 390],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/cluster/staging/resources/${kind}?runtime=demo&object=shop/hello`);
    await expect(page.getByRole('button', { name: `http://${address}`, exact: true })).toBeVisible();
  }
});

test('completes kinds, and lists kinds that the cluster does not serve', async ({ page, product }) => {
  await product.createCluster('staging');
  await page.goto('/cluster/staging/apply?runtime=demo');
  const text = page.getByRole('textbox', { name: 'YAML to apply' });
  // The cluster is known.
  await expect(page.getByText('The demo has no schemas')).toBeVisible();
  await text.click();
  await page.keyboard.type('apiVersion: apps/v1\nkind: Dep');
  const options = page.getByRole('listbox').getByRole('option');
  await expect(options).toHaveText(['Deployment']);
  await options.click();
  await expect(text).toContainText('kind: Deployment');

  await enterText(page, text, SETTINGS.replace('ConfigMap', 'ConfigMop'));
  const problems = page.getByRole('list', { name: 'Problems' }).getByRole('listitem');
  await expect(problems).toHaveText([
    /Line 2, column 7.*not serve ConfigMop in v1\. Did you mean ConfigMap\?/,
  ]);
  await expectAccessible(page);
  await text.press('Control+Home');
  await page.keyboard.press('F8');
  await expect(page.locator('.cm-tooltip .cm-diagnostic-warning, .cm-panel-lint')).toBeVisible();
});
