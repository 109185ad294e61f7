import { join } from 'node:path';
import { test, type Page } from '@playwright/test';
import type { EngineName } from '../../transcripts/transcript.js';
import { run } from '../support/engines.js';
import type { Product } from '../support/product.js';
import { expect as baseExpect } from './real-page.js';

/** Pods and engines may be slow on a busy machine. */
const expect = baseExpect.configure({ timeout: 60_000 });
const POD = 'shell-page';

/** Runs a command in a node and in a Pod. */
export async function testShells(
  page: Page,
  { cluster, engine, real }: { cluster: string; engine: EngineName; real: Product },
): Promise<void> {
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

  await test.step('run a command in a Pod', async () => {
    const kubeconfig = join(real.dataDirectory, 'clusters', cluster, 'kubeconfig');
    const options = [
      '--image=busybox:1.36',
      '--image-pull-policy=IfNotPresent',
      '--command',
      '--',
      'sleep',
      '3600',
    ];
    const kubectl = (...words: string[]): Promise<string> =>
      run('kubectl', [`--kubeconfig=${kubeconfig}`, ...words]);
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
    await command('echo $((6*7))-in-$(hostname)', `42-in-${POD}`);
    await dock.getByRole('button', { name: 'Close all shells' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Close', exact: true }).click();
    await expect(dock).toBeHidden();
  });
}
