import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { OWN_KUBECONFIG } from '../support/own-kubeconfig.js';
import { expectAccessible } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';
import { FAILED_REQUESTS } from './support/page-guard.js';
import type { Product } from './support/product.js';

/** With a comment, which kubectl leaves alone too. */
const WORK = `# mine\n${OWN_KUBECONFIG}`;
const LEFT = WORK.replace('current-context: work', 'current-context: ""');

/** The file of the product's user: what `~/.kube/config` is to a person. */
class OwnFile {
  readonly path: string;

  constructor(product: Product) {
    this.path = join(product.home, '.kube', 'config');
  }

  async write(text: string): Promise<void> {
    await mkdir(join(this.path, '..'), { recursive: true });
    await writeFile(this.path, text, { mode: 0o600 });
  }

  async text(): Promise<string> {
    return await readFile(this.path, 'utf8');
  }

  async current(): Promise<string | undefined> {
    return /^current-context: (.*)$/m.exec(await this.text())?.[1];
  }
}

/** A cluster of a person who has such a file. */
async function clusterBeside(product: Product, text: string): Promise<OwnFile> {
  const file = new OwnFile(product);
  await file.write(text);
  await product.createCluster('staging');
  return file;
}

async function open(page: Page): Promise<Locator> {
  await page.goto('/cluster/staging');
  return page.getByRole('region', { name: 'For the terminal' });
}

test('goes into one’s own kubeconfig, becomes the current context, and is taken out again', async ({
  page,
  product,
}) => {
  const file = await clusterBeside(product, WORK);
  const part = await open(page);
  await expect(part).toContainText(`${file.path} as kind-staging`);
  await expect(part.getByRole('checkbox', { name: 'Make it the current context' })).not.toBeChecked();

  await part.getByRole('button', { name: 'Add to my kubeconfig' }).click();
  await expect(part.getByText('kubectl --context kind-staging get nodes')).toBeVisible();
  await expect(part.getByText('It is in')).toContainText(`It is in ${file.path}.`);
  expect(await file.text()).toContain('  name: kind-staging\n');
  expect(await file.current()).toBe('work');
  await expectAccessible(page);

  await part.getByRole('button', { name: 'Make it the current context' }).click();
  await expect(part.getByText('It is in')).toContainText('as the current context');
  await expect(part.getByRole('button', { name: 'Make it the current context' })).toHaveCount(0);
  expect(await file.current()).toBe('kind-staging');

  await part.getByRole('button', { name: 'Take it out' }).click();
  await expect(part.getByRole('button', { name: 'Add to my kubeconfig' })).toBeVisible();
  expect(await file.text()).toBe(LEFT);
  await page.goto('/journal');
  for (const [kind, count] of [
    ['Kubeconfig added', 2],
    ['Kubeconfig removed', 1],
  ] as const) {
    await expect(page.getByRole('row', { name: new RegExp(kind) })).toHaveCount(count);
  }
});

test('is made the current context as it goes in, and goes with its cluster', async ({ page, product }) => {
  const file = await clusterBeside(product, WORK);
  const part = await open(page);
  await part.getByRole('checkbox', { name: 'Make it the current context' }).check();
  await part.getByRole('button', { name: 'Add to my kubeconfig' }).click();
  await expect(part.getByText('It is in')).toContainText('as the current context');
  expect(await file.current()).toBe('kind-staging');

  await page.getByRole('button', { name: 'More actions for staging' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete staging' }).click();
  await expect(page.getByText('staging was deleted.')).toBeVisible();
  expect(await file.text()).toBe(LEFT);
});

test('what a terminal did to it meanwhile is seen when one comes back to the page', async ({
  page,
  product,
}) => {
  const file = await clusterBeside(product, WORK);
  await product.call('POST', '/clusters/staging/kubeconfig/merge', {});
  const part = await open(page);
  await expect(part.getByRole('button', { name: 'Take it out' })).toBeVisible();
  const comeBack = (): Promise<unknown> => page.evaluate(`window.dispatchEvent(new Event('focus'))`);
  // As `kubectl config delete-context` and its like leave the file.
  await file.write(WORK);
  await comeBack();
  await expect(part.getByRole('button', { name: 'Add to my kubeconfig' })).toBeVisible();
  await product.call('POST', '/clusters/staging/kubeconfig/merge', { set_current: true });
  await comeBack();
  await expect(part.getByText('It is in')).toContainText('as the current context');
});

test('a file that is not there yet is made', async ({ page, product }) => {
  await product.createCluster('staging');
  const part = await open(page);
  await part.getByRole('button', { name: 'Add to my kubeconfig' }).click();
  await expect(part.getByRole('button', { name: 'Take it out' })).toBeVisible();
  expect(await new OwnFile(product).text()).toContain('name: kind-staging');
});

test('what leads nowhere any more is said, and renewed', async ({ page, product }) => {
  const file = new OwnFile(product);
  await product.createCluster('staging');
  await product.call('POST', '/clusters/staging/kubeconfig/merge', {});
  const added = await file.text();
  const server = /server: (https:\/\/127\.0\.0\.1:\d+)/.exec(added)?.[1] ?? '';
  await file.write(added.replace(server, 'https://127.0.0.1:1'));
  const part = await open(page);
  await expect(part.getByText('It is in')).toContainText('leads nowhere any more');
  await part.getByRole('button', { name: 'Renew it' }).click();
  await expect(part.getByRole('button', { name: 'Renew it' })).toHaveCount(0);
  expect(await file.text()).toBe(added);
});

test('a file that cannot be used is told by its line, and looked at again', async ({ page, product }) => {
  const file = await clusterBeside(product, `${WORK}users: again\n`);
  const part = await open(page);
  await expect(part.getByRole('alert')).toContainText(
    `${file.path}: line ${WORK.split('\n').length} has a duplicate key.`,
  );
  await expect(part.getByRole('button', { name: 'Add to my kubeconfig' })).toHaveCount(0);
  await file.write(WORK);
  await part.getByRole('button', { name: 'Look again' }).click();
  await expect(part.getByRole('button', { name: 'Add to my kubeconfig' })).toBeVisible();
});

test('a file that another program writes is left to it, and says how to go on', async ({
  page,
  product,
  guard,
}) => {
  guard.expect(FAILED_REQUESTS);
  const file = await clusterBeside(product, WORK);
  await writeFile(`${file.path}.lock`, '');
  const part = await open(page);
  await part.getByRole('button', { name: 'Add to my kubeconfig' }).click();
  await expect(page.getByText(`rm '${file.path}.lock'`)).toBeVisible();
  expect(await file.text()).toBe(WORK);
  await rm(`${file.path}.lock`);
  await part.getByRole('button', { name: 'Add to my kubeconfig' }).click();
  await expect(part.getByRole('button', { name: 'Take it out' })).toBeVisible();
});

test('whether it is in can be asked again after the server did not say', async ({ page, product, guard }) => {
  guard.expect(FAILED_REQUESTS);
  await product.createCluster('staging');
  await page.route('**/kubeconfig/merge*', (route) => route.abort());
  const part = await open(page);
  await expect(part.getByRole('alert')).toContainText('cannot be told now');
  await page.unroute('**/kubeconfig/merge*');
  await part.getByRole('button', { name: 'Look again' }).click();
  await expect(part.getByRole('button', { name: 'Add to my kubeconfig' })).toBeVisible();
});
