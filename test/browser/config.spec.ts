import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';
import { FAILED_REQUESTS } from './support/page-guard.js';
import type { Product } from './support/product.js';

const saved = (product: Product): string =>
  readFileSync(join(product.dataDirectory, 'clusters/staging/cluster.yaml'), 'utf8');

const editorOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Config of staging' });

const save = (page: Page): Locator => page.getByRole('button', { name: 'Save', exact: true });

async function open(page: Page): Promise<Locator> {
  await page.goto('/cluster/staging/config?runtime=demo');
  const editor = editorOf(page);
  await expect(editor).toContainText('kind: Cluster');
  return editor;
}

/** Adds a worker at the end of the list of nodes. */
async function addWorker(page: Page): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press('Control+End');
  // An open completion would consume the line break.
  await page.keyboard.insertText('  - role: worker\n    image: docker.io/kindest/node:v1.34.4\n');
}

async function saveElsewhere(product: Product, text: string): Promise<void> {
  const response = await fetch(`${product.origin}/api/v1/clusters/staging/config`, {
    method: 'PUT',
    headers: { 'content-type': 'application/yaml', 'if-match': '*' },
    body: text,
  });
  expect(response.status).toBe(200);
}

test('opens from the cluster page, highlights the config and links back', async ({ page, product }) => {
  await product.createCluster('staging');
  await page.goto('/cluster/staging');
  await page.getByRole('link', { name: 'Config', exact: true }).click();
  await expect(page).toHaveURL(/\/cluster\/staging\/config\?runtime=demo$/);
  await expect(page).toHaveTitle(/Config of staging · Slipway$/);
  await expect(editorOf(page)).toContainText('apiVersion: kind.x-k8s.io/v1alpha4');
  // The nonce allows the styles; the guard reports violations of the policy.
  const colors = await page.evaluate<string[]>(
    `[...new Set([...document.querySelectorAll('.cm-line span')].map((span) => getComputedStyle(span).color))]`,
  );
  expect(colors.length).toBeGreaterThanOrEqual(2);
  await expect(page.getByText('Valid kind config')).toBeVisible();
  await expect(save(page)).toBeDisabled();
  await expectAccessible(page);
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'staging' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'staging' })).toBeVisible();
});

test('compares with the running config, saves, explains when it takes effect and starts with it', async ({
  page,
  product,
}) => {
  await product.createCluster('staging');
  await open(page);
  await page.getByRole('button', { name: 'Compare with running' }).click();
  await expect(page.getByRole('heading', { name: 'No differences' })).toBeVisible();
  await page.getByRole('button', { name: 'Edit' }).click();
  await addWorker(page);
  await page.getByRole('button', { name: 'Compare with running' }).click();
  await expect(page.getByRole('textbox', { name: 'Diff with the running config' })).toContainText(
    'role: worker',
  );
  await expect(page.locator('.cm-changedLine')).toHaveCount(2);
  await page.getByRole('button', { name: 'Edit' }).click();
  await expect(page.getByText('Not saved', { exact: true })).toBeVisible();
  await editorOf(page).click();
  await page.keyboard.press('Control+s');
  const modal = page.getByRole('alertdialog', { name: 'Config saved' });
  await expect(modal).toContainText('Start with new config deletes and recreates the cluster');
  await expect(modal).toContainText('Start keeps the existing nodes.');
  await expect(modal).toContainText('2 containers in demo: staging-control-plane, staging-worker');
  await expect(modal).toContainText('the volumes and files of its nodes');
  expect(saved(product).match(/role: worker/g)).toHaveLength(2);
  await modal.getByRole('button', { name: 'Later' }).click();
  await expect(page.getByText('config changed', { exact: true })).toBeVisible();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Start with new config…' }).click();
  const question = page.getByRole('alertdialog', { name: 'Start staging with its new config?' });
  await question.getByRole('button', { name: 'Cancel' }).click();

  const request = page.waitForRequest((sent) => sent.url().includes('/clusters/staging/start'));
  await editorOf(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('# again\n');
  await save(page).click();
  await modal.getByRole('button', { name: 'Start with new config' }).click();
  expect((await request).method()).toBe('POST');
  await expect(page.getByRole('dialog', { name: /staging/ })).toBeVisible();
});

test('applies changed labels to the running nodes after their diff', async ({ page, product }) => {
  await product.createCluster('staging');
  await open(page);
  const labeled = saved(product).replace('- role: worker\n', '- role: worker\n    labels: { disk: ssd }\n');
  await editorOf(page).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(labeled);
  await save(page).click();
  const question = page.getByRole('alertdialog', { name: 'Config saved' });
  await expect(question).toContainText('worker gets label disk=ssd');
  await question.getByRole('button', { name: 'Later' }).click();

  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'staging' }).click();
  await expect(page.getByText('Changes: worker gets label disk=ssd.')).toBeVisible();
  await page.getByRole('button', { name: 'Apply labels now…' }).click();
  const review = page.getByRole('dialog', { name: 'Apply the labels of staging now?' });
  await expect(review.locator('.cm-changedLine')).toHaveText('  disk: ssd');
  await expectAccessible(page);
  await review.getByRole('button', { name: 'Apply labels' }).click();
  await expect(page.getByText('Changed the labels of 1 node.')).toBeVisible();
  await expect(page.getByText('config changed', { exact: true })).toBeHidden();
});

test('lists the problems of an invalid config, moves the cursor to them and does not save it', async ({
  page,
  product,
  guard,
}) => {
  guard.expect(FAILED_REQUESTS);
  await product.createCluster('staging');
  const before = saved(product);
  const editor = await open(page);
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('networkin:\n  ipFamily: ipv4\n');
  const problems = page.getByRole('list', { name: 'Problems' }).getByRole('button');
  await expect(problems).toHaveText([/Line \d+, column 1\s*networkin is an unknown field/]);
  await expect(page.locator('.cm-lintRange-error')).toHaveText('networkin');
  await expect(page.getByText('1 problem')).toBeVisible();
  await page.keyboard.press('Control+Home');
  await problems.first().click();
  await expect(editor).toBeFocused();
  expect(await page.evaluate('String(getSelection()?.anchorNode?.textContent)')).toContain('networkin');

  await expect(save(page)).toBeDisabled();
  await expect(editor).toContainText('networkin');
  expect(saved(product)).toBe(before);

  await page.route('**/config/check*', (route) => route.abort());
  await addWorker(page);
  await expect(page.getByText('Could not check the config')).toBeVisible();
});

test('loads or compares a config that another client saved', async ({ page, product, guard }) => {
  guard.expect(FAILED_REQUESTS);
  await product.createCluster('staging');
  const editor = await open(page);
  await saveElsewhere(product, `# theirs\n${saved(product)}`);
  await addWorker(page);
  await save(page).click();
  const conflict = page.getByRole('alertdialog', { name: 'The saved config has changed' });
  await expect(conflict).toBeVisible();
  expect(saved(product).match(/role: worker/g)).toHaveLength(1);
  await conflict.getByRole('button', { name: 'Keep mine' }).click();
  const diff = page.getByRole('textbox', { name: 'Diff with the saved config' });
  await expect(diff).toContainText('# theirs');
  await save(page).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Later' }).click();
  expect(saved(product)).not.toContain('# theirs');
  expect(saved(product).match(/role: worker/g)).toHaveLength(2);

  await saveElsewhere(product, `# theirs again\n${saved(product)}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await addWorker(page);
  await save(page).click();
  await conflict.getByRole('button', { name: 'Load theirs' }).click();
  await expect(editor).toContainText('# theirs again');
  await editor.click();
  await page.keyboard.press('Control+z');
  await expect(editor).not.toContainText('# theirs again');
});

test('completes keys and values, and Esc then Tab leaves the editor', async ({ page, product }) => {
  await product.createCluster('staging');
  const editor = await open(page);
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('netw');
  const options = page.getByRole('listbox').getByRole('option');
  await expect(options).toHaveText(['networking object']);
  await options.click();
  await expect(editor).toContainText('networking:');
  await page.keyboard.type('ipF');
  await expect(options).toHaveText(['ipFamily']);
  await options.click();
  await page.keyboard.press('Control+Space');
  await expect(options).toHaveText(['dual', 'ipv4', 'ipv6']);
  await page.keyboard.press('Escape');
  await expect(options).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(editor).not.toBeFocused();
});

test('confirms before it leaves or reloads the page with unsaved changes', async ({ page, product }) => {
  await product.createCluster('staging');
  const editor = await open(page);
  await addWorker(page);
  const opened = page.waitForEvent('dialog');
  const reload = page.evaluate('void setTimeout(() => location.reload())');
  const prompt = await opened;
  expect(prompt.type()).toBe('beforeunload');
  await prompt.dismiss();
  await reload;
  await expect(editor.getByText('worker')).toHaveCount(2);

  const crumb = page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Clusters' });
  await crumb.click();
  const question = page.getByRole('alertdialog', { name: 'Discard unsaved changes?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(page).toHaveURL(/config/);
  await expect(editor.getByText('worker')).toHaveCount(2);
  await crumb.click();
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page).toHaveURL(/\/clusters$/);
});

test('saves a config that accesses the host only after a confirmation', async ({ page, product, guard }) => {
  guard.expect(FAILED_REQUESTS);
  await product.createCluster('staging');
  const editor = await open(page);
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('kubeadmConfigPatches:\n  - "kind: ClusterConfiguration"\n');
  await expect(page.getByRole('note').filter({ hasText: 'This config accesses the host.' })).toContainText(
    'patches the kubeadm config of the cluster',
  );
  await save(page).click();
  const question = page.getByRole('alertdialog', { name: 'Allow access to the host?' });
  await expect(question).toContainText('patches the kubeadm config of the cluster');
  await question.getByRole('button', { name: 'Allow and save' }).click();
  await expect(page.getByRole('alertdialog', { name: 'Config saved' })).toBeVisible();
  expect(saved(product)).toContain('kubeadmConfigPatches');
});

test.describe('while a job is running', () => {
  test.use({ environment: { APP_RUNTIME: 'demo', APP_DEMO_SPEED: '1' } });

  test('is read-only', async ({ page, product }) => {
    await product.call('POST', '/clusters', { name: 'staging', workers: 1, node_image_tag: 'v1.34.4' });
    const editor = await open(page);
    await expect(page.getByText('The config is read-only while a job of staging is running.')).toBeVisible();
    await expect(editor).toHaveAttribute('aria-readonly', 'true');
    await editor.click();
    await page.keyboard.type('x');
    await expect(page.getByText('Not saved', { exact: true })).toHaveCount(0);
    await expect(save(page)).toBeDisabled();
  });
});
