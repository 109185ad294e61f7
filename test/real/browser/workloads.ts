import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type Page } from '@playwright/test';
import { enterText } from '../../browser/support/editor.js';
import type { EngineName } from '../../transcripts/transcript.js';
import { run } from '../support/engines.js';
import type { Product } from '../support/product.js';
import { expect as baseExpect } from './real-page.js';

/** Pods and engines may be slow on a busy machine. */
const expect = baseExpect.configure({ timeout: 60_000 });
const NAMES = ['first', 'second'];
const PORT = 8080;

interface WorkloadTarget {
  cluster: string;
  engine: EngineName;
  real: Product;
}

/** A web server whose image each node has. */
function deploymentOf(name: string): object {
  const container = {
    name: 'main',
    image: 'busybox:1.36',
    imagePullPolicy: 'IfNotPresent',
    command: [
      'sh',
      '-c',
      `mkdir /www; echo '<h1>Page of ${name}</h1>' >/www/index.html; exec httpd -f -p ${PORT} -h /www`,
    ],
    ports: [{ name: 'http', containerPort: PORT }],
  };
  const template = {
    metadata: { labels: { app: name } },
    spec: { terminationGracePeriodSeconds: 0, containers: [container] },
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: { selector: { matchLabels: { app: name } }, template },
  };
}

/** A developer's daily work with workloads: forwards, rollouts, bulk changes, files and templates. */
export async function testWorkloads(page: Page, { cluster, engine, real }: WorkloadTarget): Promise<void> {
  const kubeconfig = join(real.dataDirectory, 'clusters', cluster, 'kubeconfig');
  const kubectl = (...words: string[]): Promise<string> =>
    run('kubectl', [`--kubeconfig=${kubeconfig}`, ...words]);
  const resources = `/cluster/${cluster}/resources`;
  const query = `runtime=${engine}&namespace=default`;
  const panel = page.getByRole('region', { name: 'first', exact: true });
  const openPage = async (open: () => Promise<void>): Promise<void> => {
    const opened = page.waitForEvent('popup');
    await open();
    const popup = await opened;
    await expect(popup.getByRole('heading', { name: 'Page of first' })).toBeVisible();
    await popup.close();
  };

  const file = join(real.dataDirectory, 'workloads.json');
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: NAMES.map(deploymentOf) }));
  await kubectl('apply', `--filename=${file}`);
  await kubectl(
    'wait',
    '--for=condition=Available',
    ...NAMES.map((name) => `deployment/${name}`),
    '--timeout=60s',
  );

  await test.step('forward a port, and open its page', async () => {
    await page.goto(`${resources}/apps/v1/deployments?${query}&object=default/first`);
    await panel.getByRole('button', { name: `Forward port ${PORT}` }).click();
    const question = page.getByRole('dialog', { name: 'Forward a port of first' });
    await question.getByLabel('Local port').fill('');
    await question.getByRole('button', { name: 'Start' }).click();
    const open = panel.getByRole('button', { name: `Open the page of port ${PORT} in a new window` });
    await openPage(() => open.click());
    await kubectl('delete', 'pods', '--selector=app=first', '--wait');
    await kubectl('wait', '--for=condition=Available', 'deployment/first', '--timeout=60s');
    await openPage(() => open.click());
    await page.goto(`/cluster/${cluster}/forwards?runtime=${engine}`);
    await page.getByRole('button', { name: /^Stop the port-forward from 127/ }).click();
    await expect(page.getByText('None. Start one from the ports of')).toBeVisible();
  });

  await test.step('expose a Deployment', async () => {
    await page.goto(`${resources}/apps/v1/deployments?${query}&object=default/first`);
    await panel.getByRole('button', { name: /^More actions for / }).click();
    await page.getByRole('menuitem', { name: 'Expose…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Expose first' });
    await expect(dialog.getByText('Creates Service default/first')).toBeVisible();
    await dialog.getByRole('button', { name: 'Expose', exact: true }).click();
    await openPage(() => dialog.getByRole('button', { name: 'Open' }).click());
    await dialog.getByRole('button', { name: 'Close', exact: true }).first().click();
    expect(await kubectl('get', 'service/first', '--output=jsonpath={.spec.ports[0].port}')).toBe(`${PORT}`);
  });

  await test.step('undo a rollout', async () => {
    await kubectl('set', 'env', 'deployment/first', 'MODE=second-revision');
    await page.goto(`${resources}/apps/v1/deployments?${query}&object=default/first`);
    await panel.getByRole('tab', { name: 'Rollout' }).click();
    await panel.getByRole('button', { name: 'Changes of revision 1' }).click();
    await expect(panel.locator('sw-config-diff')).toContainText('second-revision');
    await panel.getByRole('button', { name: 'Roll back to 1' }).click();
    const question = page.getByRole('dialog', { name: 'Roll back first to revision 1?' });
    await expect(question.locator('sw-config-diff')).toContainText('second-revision');
    await question.getByRole('button', { name: 'Roll back' }).click();
    await expect(page.getByText('first: Rolled back to revision 1, now revision 3.')).toBeVisible();
    const env = '--output=jsonpath={.spec.template.spec.containers[0].env}';
    expect(await kubectl('get', 'deployment/first', env)).toBe('');
  });

  await test.step('restart two Deployments together', async () => {
    await page.goto(`${resources}/apps/v1/deployments?${query}`);
    for (const name of NAMES) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    await page.getByRole('button', { name: 'Restart…' }).click();
    const question = page.getByRole('alertdialog', { name: 'Restart 2 Deployments?' });
    await expect(question.getByRole('list', { name: 'Effects' }).getByRole('listitem')).toHaveText([
      /default\/first/,
      /default\/second/,
    ]);
    await question.getByRole('button', { name: 'Restart 2 objects' }).click();
    await expect(page.getByText('Restarted 2 Deployments.')).toBeVisible();
    const restarted = '--output=jsonpath={.items[*].spec.template.metadata.annotations}';
    expect((await kubectl('get', 'deployments', restarted)).match(/restartedAt/g)).toHaveLength(2);
    await kubectl('rollout', 'status', 'deployment/first', '--timeout=60s');
  });

  await test.step('edit a file of a container', async () => {
    const pod = await kubectl(
      'get',
      'pods',
      '--selector=app=first',
      '--field-selector=status.phase=Running',
      '--sort-by=.metadata.creationTimestamp',
      '--output=jsonpath={.items[-1:].metadata.name}',
    );
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search or jump to' });
    // The search knows the Pod a moment later.
    await expect(async () => {
      await palette.getByRole('combobox').fill('');
      await palette.getByRole('combobox').fill(`files of ${pod}`);
      await palette.getByRole('option', { name: `Files of ${pod}` }).click({ timeout: 3000 });
    }).toPass();
    await page.getByRole('link', { name: 'www/' }).click();
    await page.getByRole('link', { name: 'index.html', exact: true }).click();
    await enterText(page, page.getByRole('textbox', { name: '/www/index.html' }), '<h1>Edited</h1>\n');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Unsaved')).toBeHidden();
    expect(await kubectl('exec', pod, '--', 'cat', '/www/index.html')).toBe('<h1>Edited</h1>');
  });

  await test.step('create an object from a template', async () => {
    await page.goto(`/cluster/${cluster}/apply?runtime=${engine}`);
    const text = page.getByRole('textbox', { name: 'YAML to apply' });
    await text.click();
    await page.keyboard.type('apiVersion: v1\nkind: ConfigMap\nimm');
    await page.getByRole('option', { name: /^immutable/ }).click();
    await page.keyboard.type('maybe');
    const problems = page.getByRole('list', { name: 'Problems' }).getByRole('listitem');
    await expect(problems).toContainText(['immutable must be true or false']);
    await enterText(page, text, ' ');
    await page.getByLabel('Add a template').selectOption('ConfigMap');
    await expect(problems).toHaveCount(0);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Changes' })).toContainText('New object');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Applied' }).getByRole('listitem')).toHaveCount(1);
  });
  await kubectl('delete', 'deployments', ...NAMES, '--wait=false');
}
