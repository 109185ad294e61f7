import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { OWN_KUBECONFIG } from '../support/own-kubeconfig.js';
import { expect, test } from './support/fixtures.js';
import { FAILED_REQUESTS } from './support/page-guard.js';
import type { Product } from './support/product.js';

/** With a comment, which kubectl also keeps. */
const WORK = `# mine\n${OWN_KUBECONFIG}`;
const AFTER_REMOVAL = WORK.replace('current-context: work', 'current-context: ""');

/** The `~/.kube/config` of the product's user. */
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

/** Creates the file and a cluster. */
async function clusterWithFile(product: Product, text: string): Promise<OwnFile> {
  const file = new OwnFile(product);
  await file.write(text);
  await product.createCluster('staging');
  return file;
}

async function open(page: Page): Promise<Locator> {
  await page.goto('/cluster/staging/access');
  return page.getByRole('region', { name: 'Terminal' });
}

test('adds a cluster to the user’s kubeconfig, sets the current context and removes it', async ({
  page,
  product,
}) => {
  const file = await clusterWithFile(product, WORK);
  const part = await open(page);
  await expect(part).toContainText(`Adds the context kind-staging to ${file.path}`);
  await expect(part.getByRole('checkbox', { name: 'Set as current context' })).not.toBeChecked();

  await part.getByRole('button', { name: 'Add to my kubeconfig' }).click();
  await expect(part.getByText('kubectl --context kind-staging get nodes')).toBeVisible();
  await expect(part.getByText('Deleting the cluster removes the entry.')).toContainText(`In ${file.path}.`);
  expect(await file.text()).toContain('  name: kind-staging\n');
  expect(await file.current()).toBe('work');

  await part.getByRole('button', { name: 'Set as current context' }).click();
  await expect(part.getByText('Deleting the cluster removes the entry.')).toContainText(
    'as the current context',
  );
  await expect(part.getByRole('button', { name: 'Set as current context' })).toHaveCount(0);
  expect(await file.current()).toBe('kind-staging');

  await part.getByRole('button', { name: 'Remove' }).click();
  await expect(part.getByRole('button', { name: 'Add to my kubeconfig' })).toBeVisible();
  expect(await file.text()).toBe(AFTER_REMOVAL);
  await page.goto('/journal');
  for (const [kind, count] of [
    ['Kubeconfig added', 2],
    ['Kubeconfig removed', 1],
  ] as const) {
    await expect(page.getByRole('row', { name: new RegExp(kind) })).toHaveCount(count);
  }
});

test('shows an invalid, locked, outdated and changed file', async ({ page, product, guard }) => {
  guard.expect(FAILED_REQUESTS);
  const file = await clusterWithFile(product, `${WORK}users: again\n`);
  const part = await open(page);
  const add = part.getByRole('button', { name: 'Add to my kubeconfig' });
  await expect(part.getByRole('alert')).toContainText(
    `${file.path}: line ${WORK.split('\n').length}: users must be a list.`,
  );
  await expect(add).toHaveCount(0);
  await file.write(WORK);
  await part.getByRole('button', { name: 'Check again' }).click();

  await writeFile(`${file.path}.lock`, '');
  await add.click();
  await expect(page.getByText(`rm '${file.path}.lock'`)).toBeVisible();
  expect(await file.text()).toBe(WORK);
  await rm(`${file.path}.lock`);
  await add.click();
  await expect(part.getByRole('button', { name: 'Remove' })).toBeVisible();

  const added = await file.text();
  const server = /server: (https:\/\/127\.0\.0\.1:\d+)/.exec(added)?.[1] ?? '';
  const focusWindow = (): Promise<unknown> => page.evaluate(`window.dispatchEvent(new Event('focus'))`);
  await file.write(added.replace(server, 'https://127.0.0.1:1'));
  await focusWindow();
  await expect(part.getByText('The entry is outdated')).toBeVisible();
  await part.getByRole('button', { name: 'Update entry' }).click();
  await expect(part.getByRole('button', { name: 'Update entry' })).toHaveCount(0);
  expect(await file.text()).toBe(added);

  // As after `kubectl config delete-context`.
  await file.write(WORK);
  await focusWindow();
  await expect(add).toBeVisible();
});
