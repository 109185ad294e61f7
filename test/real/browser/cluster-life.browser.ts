import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { deleteWithKind, engines, createWithKind, run, tracesOf } from '../support/engines.js';
import type { EngineName } from '../../transcripts/transcript.js';
import { buildImage } from '../support/images.js';
import type { Product } from '../support/product.js';
import { expect, test } from './real-page.js';

/** For a job on a busy machine. */
const LONG = { timeout: 240_000 };
const MINE = `apiVersion: v1
kind: Config
clusters:
  - name: mine
    cluster: { server: "https://127.0.0.1:1" }
contexts:
  - name: mine
    context: { cluster: mine, user: mine }
users:
  - name: mine
    user: { token: mine }
current-context: mine
`;

for (const engine of engines) {
  const name = `browser-life-${engine}`;
  const twin = `${name}-2`;
  const reference = 'slipway-test/life:dev';
  // Podman adds localhost/ to images that it builds.
  const built = engine === 'podman' ? `localhost/${reference}` : reference;

  test(`on ${engine}: recreates, stops, starts and clones an adopted cluster, loads images and merges its kubeconfig`, async ({
    page,
    real,
    home,
    guard,
  }) => {
    test.setTimeout(900_000);
    // An adopted cluster has no provision log, and a busy engine may not read its nodes in time. Requests also fail
    // while the cluster stops, starts or is deleted, and Chromium logs each of them.
    guard.expect(
      new RegExp(
        `status of (404|409|503).*/clusters/(${name}|${twin})/(addons/installed|overview|images|problems|provision-log)`,
      ),
    );
    for (const cluster of [name, twin]) await deleteWithKind(engine, cluster);
    try {
      mkdirSync(join(home, 'build'));
      await buildImage(engine, reference, join(home, 'build'));
      await createWithKind(engine, name, join(home, 'kind'));

      await test.step('list the cluster as adopted', async () => {
        await page.goto('/clusters');
        const row = page.getByRole('row', { name: new RegExp(name) });
        await expect(row).toContainText('adopted', { timeout: 60_000 });
        await row.getByRole('link', { name }).click();
        await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
      });

      await test.step('edit and save the rebuilt config', async () => {
        await page.getByRole('link', { name: 'Config', exact: true }).click();
        const editor = page.getByRole('textbox', { name: `Config of ${name}` });
        await expect(editor).toContainText('kind: Cluster');
        await expect(page.getByText('rebuilt', { exact: true })).toBeVisible();
        await addWorker(page, editor);
        await page.keyboard.press('Control+s');
        const modal = page.getByRole('alertdialog', { name: 'Config saved' });
        await expect(modal).toContainText('Start with new config deletes and recreates the cluster');
        await expect(modal).toContainText(`${name}-control-plane`);
        await modal.getByRole('button', { name: 'Start with new config' }).click();
      });

      await test.step('recreate with one more worker', async () => {
        const screen = page.getByRole('dialog');
        await expect(screen.getByRole('progressbar')).toBeVisible();
        await expect(screen).toHaveCount(0, LONG);
        await page.goto(`/cluster/${name}`);
        await expect(page.getByRole('img', { name: '1 control plane, 1 worker, all running' })).toBeVisible();
        expect((await tracesOf(engine, name)).containers).toEqual([
          `${name}-control-plane`,
          `${name}-worker`,
        ]);
      });

      await test.step('stop and start', async () => {
        const screen = page.getByRole('dialog');
        await page.getByRole('button', { name: 'Stop', exact: true }).click();
        await expect(screen.getByRole('progressbar')).toBeVisible();
        await expect(screen).toHaveCount(0, LONG);
        await expect(page.getByText(`${name} is stopped.`)).toBeVisible();
        expect(await runningOf(engine, name)).toEqual([]);
        await page.getByRole('button', { name: 'Start', exact: true }).click();
        await expect(screen.getByRole('progressbar')).toBeVisible();
        await expect(screen).toHaveCount(0, LONG);
        await expect(page.getByText(new RegExp(`^Started \\d nodes? of ${name}`))).toBeVisible();
        expect(await runningOf(engine, name)).toHaveLength(2);
      });

      await test.step('add to the kubeconfig of the user', async () => {
        writeFileSync(join(home, 'config'), MINE, { mode: 0o600 });
        await page.reload();
        await page.getByRole('button', { name: 'Add to my kubeconfig' }).click();
        await expect(page.getByText(`kubectl --context kind-${name} get nodes`)).toBeVisible();
        const nodes = await kubectl(home, `--context=kind-${name}`, 'get', 'nodes', '--output=name');
        expect(nodes.split('\n').sort()).toEqual([`node/${name}-control-plane`, `node/${name}-worker`]);
        expect(await kubectl(home, 'config', 'current-context')).toBe('mine');
      });

      await test.step('load an image and run it in a Pod', async () => {
        await page.getByRole('button', { name: 'Load images…' }).click();
        const dialog = page.getByRole('dialog', { name: `Load images into ${name}` });
        await dialog.getByRole('searchbox').fill('slipway-test/life');
        await dialog.getByLabel(built).check();
        await dialog.getByRole('button', { name: 'Load', exact: true }).click();
        const job = page.getByRole('dialog', { name: new RegExp(`^Load .*life.* into ${name}$`) });
        await expect(job).toBeVisible(LONG);
        await job.getByRole('button', { name: 'Close' }).click();
        await expect(page.getByRole('list', { name: 'Loaded images' })).toContainText(reference);
        expect(await runPod(home, name, built)).toContain('kind v');
      });

      await test.step('clone', async () => {
        await page.getByRole('button', { name: `More actions for ${name}` }).click();
        await page.getByRole('menuitem', { name: 'Clone…' }).click();
        const dialog = page.getByRole('dialog', { name: `Clone ${name}` });
        await expect(dialog.getByLabel('Name')).toHaveValue(twin);
        await dialog.getByRole('button', { name: `Clone ${name}` }).click();
        const job = page.getByRole('dialog', { name: `${twin} is running` });
        await expect(job).toBeVisible(LONG);
        await job.getByRole('button', { name: `Open ${twin}` }).click();
        await expect(page.getByRole('heading', { level: 1 })).toContainText(twin);
        expect((await tracesOf(engine, twin)).containers).toEqual([
          `${twin}-control-plane`,
          `${twin}-worker`,
        ]);
      });

      await test.step('remove from the kubeconfig and delete', async () => {
        await page.goto(`/cluster/${name}`);
        await page.getByRole('button', { name: 'Remove' }).click();
        await expect(page.getByRole('button', { name: 'Add to my kubeconfig' })).toBeVisible();
        expect(readFileSync(join(home, 'config'), 'utf8')).toBe(MINE);
        for (const cluster of [name, twin]) await deleteFromPage(page, cluster);
        expect((await tracesOf(engine, name)).containers).toEqual([]);
        expect((await tracesOf(engine, twin)).containers).toEqual([]);
        expect(savedFoldersOf(real)).toEqual([false, false]);
      });
    } finally {
      for (const cluster of [name, twin]) await deleteWithKind(engine, cluster);
      await run(engine, ['image', 'rm', '--force', built]).catch(() => undefined);
    }

    function savedFoldersOf(product: Product): boolean[] {
      return [name, twin].map((cluster) => existsSync(join(product.dataDirectory, 'clusters', cluster)));
    }
  });
}

/** Inserts a worker with the image of the first node. */
async function addWorker(page: Page, editor: ReturnType<Page['getByRole']>): Promise<void> {
  const text = await editor.innerText();
  const image = /image: (\S+)/.exec(text)?.[1];
  if (image === undefined) throw new Error(`the config names no image:\n${text}`);
  await editor.getByText(/^nodes:/).click();
  await page.keyboard.press('End');
  // A worker that comes first is as good to kind, and its lines need no place to be found.
  await page.keyboard.insertText(`\n  - role: worker\n    image: ${image}`);
}

async function runningOf(engine: EngineName, cluster: string): Promise<string[]> {
  const label = `label=io.x-k8s.kind.cluster=${cluster}`;
  const names = await run(engine, ['ps', '--filter', label, '--format', '{{.Names}}']);
  return names.split('\n').filter((line) => line !== '');
}

async function kubectl(home: string, ...args: string[]): Promise<string> {
  return await run('kubectl', args, { KUBECONFIG: join(home, 'config') });
}

/** Runs a Pod that never pulls its image. @returns its output. */
async function runPod(home: string, cluster: string, image: string): Promise<string> {
  const context = `--context=kind-${cluster}`;
  await kubectl(
    home,
    context,
    'run',
    'loaded',
    `--image=${image}`,
    '--image-pull-policy=Never',
    '--restart=Never',
  );
  await kubectl(
    home,
    context,
    'wait',
    'pod/loaded',
    '--for=jsonpath={.status.phase}=Succeeded',
    '--timeout=120s',
  );
  return await kubectl(home, context, 'logs', 'loaded');
}

async function deleteFromPage(page: Page, cluster: string): Promise<void> {
  await page.goto(`/cluster/${cluster}`);
  await page.getByRole('button', { name: `More actions for ${cluster}` }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(page).toHaveURL(/\/clusters(\?.*)?$/, { timeout: 60_000 });
}
