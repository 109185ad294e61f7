import { join } from 'node:path';
import { test, type Page } from '@playwright/test';
import { FAILED_REQUESTS, type PageGuard } from '../../browser/support/page-guard.js';
import type { EngineName } from '../../transcripts/transcript.js';
import { run } from '../support/engines.js';
import type { Product } from '../support/product.js';
import { expect as baseExpect } from './real-page.js';

/** Pods and engines may be slow on a busy machine. */
const expect = baseExpect.configure({ timeout: 60_000 });
const POD = 'shell-page';

interface ShellTarget {
  cluster: string;
  engine: EngineName;
  real: Product;
  guard: PageGuard;
}

/** Runs a command in a node, a Pod and a debug container. */
export async function testShells(page: Page, { cluster, engine, real, guard }: ShellTarget): Promise<void> {
  const dock = page.getByRole('region', { name: 'Shells' });
  const rows = page.locator('.xterm-rows:visible');
  const command = async (text: string, says: string): Promise<void> => {
    await expect(rows).toContainText(/[#$]/);
    await page.keyboard.type(`${text}\n`);
    await expect(rows).toContainText(says);
  };

  await test.step('run a command in a node', async () => {
    await page.goto(`/cluster/${cluster}?runtime=${engine}`);
    await page.getByRole('button', { name: `Shell in ${cluster}-control-plane` }).click();
    await command('echo $((6*7))-in-$(hostname)', `42-in-${cluster}-control-plane`);
  });

  const kubeconfig = join(real.dataDirectory, 'clusters', cluster, 'kubeconfig');
  const kubectl = (...words: string[]): Promise<string> =>
    run('kubectl', [`--kubeconfig=${kubeconfig}`, ...words]);

  await test.step('run a command in a Pod', async () => {
    const options = [
      '--image=busybox:1.36',
      '--image-pull-policy=IfNotPresent',
      '--command',
      '--',
      'sleep',
      '3600',
    ];
    await kubectl('run', POD, ...options);
    await kubectl('wait', '--for=condition=Ready', `pod/${POD}`, '--timeout=60s');
    await page.getByRole('link', { name: 'Journal', exact: true }).click();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog');
    // The search knows the Pod a moment later.
    await expect(async () => {
      await palette.getByRole('combobox').fill('');
      await palette.getByRole('combobox').fill(`shell ${POD}`);
      await palette.getByRole('option', { name: `Shell ${POD}` }).click({ timeout: 3000 });
    }).toPass();
    // Otherwise the shell of the node, which is still shown, would get the command.
    await expect(dock.getByRole('button', { name: POD, exact: true })).toBeVisible();
    await command('echo $((6*7))-in-$(hostname)', `42-in-${POD}`);
    await dock.getByRole('button', { name: 'Close all shells' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Close', exact: true }).click();
    await expect(dock).toBeHidden();
  });

  await test.step('see the files of an image without tools through a debug container', async () => {
    const selection = ['--namespace=kube-system', '--selector=k8s-app=kube-dns'];
    const pod = await kubectl('get', 'pods', ...selection, '--output=jsonpath={.items[0].metadata.name}');
    guard.expect(FAILED_REQUESTS);
    await page.goto(`/cluster/${cluster}/files/kube-system/${pod}?runtime=${engine}`);
    await expect(page.getByText('The image has no tools for files')).toBeVisible();
    await page.getByRole('button', { name: 'Start a debug container…' }).click();
    const question = page.getByRole('dialog', { name: `Debug ${pod}` });
    await question.getByLabel('Image').fill('busybox:1.36');
    await question.getByRole('button', { name: 'Start shell' }).click();
    await page.getByRole('link', { name: 'etc/' }).click();
    await page.getByRole('link', { name: 'coredns/' }).click();
    await expect(page.getByRole('link', { name: 'Corefile', exact: true })).toBeVisible();
    await page.locator('.xterm-screen:visible').click();
    await command('tr "\\0" " " </proc/1/cmdline', 'coredns');
    await dock.getByRole('button', { name: 'Close all shells' }).click();
    await expect(dock).toBeHidden();
  });
}
