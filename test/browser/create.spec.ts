import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.js';
import { enterText } from './support/editor.js';
import { expect, test } from './support/fixtures.js';
import { FAILED_REQUESTS } from './support/page-guard.js';

const CONFIG = `kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
nodes:
  - role: control-plane
    extraMounts:
      - hostPath: /var/run/docker.sock
        containerPath: /var/run/docker.sock
`;

async function openForm(page: Page): Promise<void> {
  await page.goto('/clusters');
  await page.getByRole('button', { name: 'Create cluster' }).click();
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page.getByLabel('Node image tag')).toHaveValue('v1.34.4');
}

function creations(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/v1/clusters')) sent.push(request.url());
  });
  return sent;
}

test('creates, opens and deletes a cluster with the keyboard alone', async ({ page }) => {
  await page.goto('/clusters');
  const first = page.getByRole('button', { name: 'Create cluster' });
  await expect(first).toBeVisible();
  const focused = (): Promise<string> => page.evaluate('document.activeElement?.textContent?.trim() ?? ""');
  for (let presses = 0; presses < 30 && (await focused()) !== 'Create cluster'; presses += 1) {
    await page.keyboard.press('Tab');
  }
  await expect(first).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('staging');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Workers', { exact: true })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByLabel('Workers', { exact: true })).toHaveValue('2');
  await page.keyboard.press('Enter');

  const screen = page.getByRole('dialog');
  await expect(screen.getByRole('progressbar')).toBeVisible();
  const open = screen.getByRole('button', { name: 'Open staging' });
  await expect(open).toBeFocused();
  await expect(screen.getByText(/^Created staging with /)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/cluster\/staging\?runtime=demo$/);

  await page.goto('/clusters');
  const more = page.getByRole('button', { name: 'More actions for staging' });
  await more.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('menuitem', { name: 'Delete…' })).toBeFocused();
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('staging-control-plane');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'No clusters yet' })).toBeVisible();
  await expect(page.getByText('staging was deleted.')).toBeVisible();
});

test('lists all problems in an alert before it sends a request', async ({ page }) => {
  const sent = creations(page);
  await openForm(page);
  await page.getByLabel('Name').fill('Staging_EU');
  await page.getByLabel('Workers', { exact: true }).fill('24');
  await page.getByLabel('Node image tag').fill('1.34');
  await page.getByRole('button', { name: 'Add port mapping' }).click();
  await page.getByLabel('Host port').fill('70000');
  await page.getByLabel('Node port').fill('80');
  await page.getByRole('button', { name: 'Create cluster' }).click();

  const alert = page.getByRole('alertdialog');
  await expect(alert.getByRole('heading')).toHaveText('Could not create the cluster');
  await expect(alert.getByRole('listitem')).toHaveText([
    /Name\s*Staging_EU Must consist of lowercase letters, digits and hyphens/,
    /Workers\s*24 Must be a whole number from 0 to 20\./,
    /Node image tag\s*1\.34 Must be a full tag, such as v1\.34\.4\./,
    /Port mapping 1, host port\s*70000 Must be a whole number from 1 to 65535\./,
  ]);
  await expectAccessible(page, '[role=alertdialog]');
  await page.keyboard.press('Escape');
  await expect(alert).toBeHidden();

  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('Must consist of lowercase letters, digits and hyphens')).toBeVisible();
  await expect(page.getByText('Must be a whole number from 0 to 20.')).toBeVisible();
  await expect(page.getByText('4 problems')).toBeVisible();
  expect(sent).toEqual([]);

  await page.getByLabel('Name').fill('staging');
  await expect(page.getByLabel('Name')).not.toHaveAttribute('aria-invalid');
  await expect(page.getByText('3 problems')).toBeVisible();
});

test('previews the config, and keeps entries when the dialog is closed or the page reloaded', async ({
  page,
}) => {
  await openForm(page);
  await page.getByLabel('Name').fill('half-typed');
  const preview = page.getByLabel('Config preview');
  await expect(preview).toContainText('kind.x-k8s.io/v1alpha4');
  await page.getByRole('button', { name: 'More workers' }).click();
  await expect(preview.getByText('worker')).toHaveCount(2);
  await expectAccessible(page, '[role=dialog]');
  await page.getByRole('button', { name: 'Edit as YAML' }).click();
  await page.getByLabel('kind config').fill('kind: Cluster # mine');
  await page.keyboard.press('Escape');
  // Chromium aborts a reload while the dialog leaves its entry in the history.
  await page.waitForFunction('!history.state?.dialogs');
  await page.reload();
  await page.getByRole('button', { name: 'Create cluster' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('half-typed');
  await expect(page.getByLabel('kind config')).toHaveValue('kind: Cluster # mine');
  await page.getByRole('button', { name: 'Back to the form' }).click();
  await expect(page.getByLabel('Workers', { exact: true })).toHaveValue('2');
});

test('confirms a config that accesses the host', async ({ page }) => {
  await openForm(page);
  const sent = creations(page);
  await page.getByLabel('Name').fill('reaching');
  await page.getByRole('button', { name: 'Edit as YAML' }).click();
  await page.getByLabel('kind config').fill(CONFIG);
  await expect(page.getByRole('heading', { name: 'This config accesses the host' })).toBeVisible();
  await page.getByRole('button', { name: 'Create cluster' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('/var/run/docker.sock');
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(sent).toEqual([]);
  await page.getByRole('button', { name: 'Create cluster' }).click();
  await question.getByRole('button', { name: 'Allow and create' }).click();
  await expect(page.getByText(/^Created reaching with /)).toBeVisible();
  expect(sent).toHaveLength(1);
});

test('selects the line of an invalid config', async ({ page, guard }) => {
  guard.expect(FAILED_REQUESTS);
  await openForm(page);
  await page.getByLabel('Name').fill('broken');
  await page.getByRole('button', { name: 'Edit as YAML' }).click();
  await page
    .getByLabel('kind config')
    .fill('kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes:\n  - role: captain\n');
  await page.getByRole('button', { name: 'Create cluster' }).click();
  const alert = page.getByRole('alertdialog');
  await expect(alert.getByRole('listitem').first()).toContainText('Line 4');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('kind config')).toBeFocused();
  const selected = await page.evaluate<string>(
    '((area) => area.value.slice(area.selectionStart, area.selectionEnd))(document.activeElement)',
  );
  expect(selected).toBe('  - role: captain');
});

test('installs selected addons and shows invalid values at the addon', async ({ page, guard }) => {
  guard.expect(FAILED_REQUESTS);
  await openForm(page);
  await page.getByLabel('Name').fill('staging');
  await page.getByText('installed once the cluster is ready').click();
  await expect(page.getByText('All 9 addons support Kubernetes v1.34.4.')).toBeVisible();
  await page.getByLabel('cert-manager', { exact: true }).check();
  await page.getByLabel('Istio control plane (istiod)').check();
  await page.getByRole('button', { name: 'Select too' }).click();
  await expect(page.getByText('3 selected')).toBeVisible();

  const values = page.getByRole('button', { name: 'Values of cert-manager' });
  await values.click();
  const editor = page.getByRole('textbox', { name: /^Values of cert-manager/ });
  await expect(editor).toContainText('crds');
  await enterText(page, editor, 'crds:\n  enabled: true\nreplicas: two\n');
  await page.getByRole('button', { name: 'Create cluster' }).click();
  const alert = page.getByRole('alertdialog');
  await expect(alert.getByRole('listitem')).toHaveText(/cert-manager\s*Line 3: Replicas must be integer\./);
  await page.keyboard.press('Enter');
  await expect(values).toBeFocused();
  await expect(page.getByText('Line 3: Replicas must be integer.').first()).toBeVisible();
  await expect(page.locator('.cm-lint-marker-error')).toBeVisible();

  await enterText(page, editor, 'crds:\n  enabled: true\nreplicas: 2\n');
  await page.getByRole('button', { name: 'Create cluster' }).click();
  const screen = page.getByRole('dialog');
  await expect(screen.getByText(/^Created staging with /)).toBeVisible();
  await expect(screen.getByRole('list', { name: 'Steps' })).toContainText('Installing cert-manager');
  await screen.getByRole('button', { name: 'Open staging' }).click();
  const card = page.getByRole('region', { name: 'Addons' });
  await expect(card.getByRole('listitem')).toContainText([
    /cert-manager.*Installed/,
    /Istio CRDs \(base\).*Installed/,
    /Istio control plane \(istiod\).*Installed/,
  ]);
});

test.describe('slowly', () => {
  test.use({ environment: { APP_RUNTIME: 'demo', APP_DEMO_SPEED: '0.4' } });

  test('runs a job in the background, and cancels it', async ({ page }) => {
    await openForm(page);
    await page.getByLabel('Name').fill('slow');
    await page.getByRole('button', { name: 'Create cluster' }).click();
    const screen = page.getByRole('dialog');
    await expect(screen.getByRole('button', { name: 'Run in background' })).toBeFocused();
    await expect(screen.getByRole('list', { name: 'Steps' }).getByRole('listitem').first()).toContainText(
      /\d s$/,
    );
    await screen.getByRole('button', { name: 'Log' }).click();
    await expect(screen.getByRole('grid')).toContainText('Preparing nodes');
    await expectAccessible(page, '[role=dialog]');
    // Without a row behind the dialog, the focus would move to the page.
    await expect(page.locator('[data-key]', { hasText: 'slow' })).toBeAttached();
    await page.keyboard.press('Escape');
    await expect(screen).toBeHidden();
    await expect(page.getByRole('link', { name: /^Jobs\s*1/ })).toBeVisible();
    // The button that opened the dialog is gone, so the focus moves to the list.
    const row = page.getByRole('row', { name: /slow/ });
    await expect(row).toBeFocused();

    await expect(row.getByRole('progressbar')).toBeVisible();
    await row.getByRole('button', { name: 'View job' }).click();
    await screen.getByRole('button', { name: 'Cancel job' }).click();
    const question = page.getByRole('alertdialog');
    await expect(question).toContainText('Slipway removes everything created so far');
    await question.getByRole('button', { name: 'Cancel job' }).click();
    await expect(screen.getByText(/^Canceled at /)).toBeVisible();
    await screen.getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('heading', { name: 'No clusters yet' })).toBeVisible();
  });
});

test.describe('failing', () => {
  test.use({
    environment: { APP_RUNTIME: 'demo', APP_DEMO_SPEED: '100', APP_DEMO_FAILURES: 'create:joining-workers' },
  });

  test('shows the failed step, the error and the logs of kept nodes', async ({ page }) => {
    await openForm(page);
    await page.getByLabel('Name').fill('doomed');
    await page.getByLabel('Keep the nodes for troubleshooting').check();
    await page.getByRole('button', { name: 'Create cluster' }).click();
    const screen = page.getByRole('dialog');
    await expect(screen.getByText(/^Failed at Joining worker nodes: .*The demo fails here/)).toBeVisible();
    const download = page.waitForEvent('download');
    await screen.getByRole('button', { name: 'Download node logs' }).click();
    expect((await download).suggestedFilename()).toBe('doomed-logs.tar.gz');
    await screen.getByRole('button', { name: 'Close' }).click();
    const row = page.getByRole('row', { name: /doomed/ });
    await expect(row).toContainText('Failed at Joining worker nodes');
    await row.getByRole('link', { name: 'doomed' }).click();
    const reason = page.getByRole('alert');
    await expect(reason).toContainText('The Access tab downloads their logs');
    await expect(reason.getByRole('link', { name: 'Logs of doomed, in a new window' })).toHaveAttribute(
      'href',
      /^\/log-board\?runtime=demo&cluster=doomed&from=2.*&to=2/,
    );
    await reason.getByRole('link', { name: 'Provision log' }).click();
    const log = page.getByRole('region', { name: 'Provision log' });
    await expect(log.getByRole('group', { name: 'Output of Joining worker nodes' })).toBeVisible();
  });
});

test('offers to create nodes that are not expected to start with cgroup v1', async ({ page }) => {
  const refusal = {
    field: 'node_image_tag',
    problem: 'v1.37.0 does not start on this host',
    code: 'needs_cgroup_v2',
  };
  await page.route('**/api/v1/clusters/check', async (route) => {
    const response = await route.fetch();
    // The machine of the test may have warnings, which are shown instead of the state.
    const body = { ...((await response.json()) as object), warnings: [] };
    const isAccepted = route.request().postData()?.includes('"accept_cgroup_v1":true') === true;
    await route.fulfill({ json: isAccepted ? body : { ...body, acceptable: false, problems: [refusal] } });
  });
  await openForm(page);
  await page.getByLabel('Name').fill('old-host');
  const dialog = page.getByRole('dialog');
  const accept = dialog.getByRole('checkbox', { name: /cgroup v1/ });
  await accept.check();
  await expect(dialog.getByText('Ready to create')).toBeVisible();
  await expect(accept).toBeChecked();
  const sent = page.waitForRequest(
    (one) => one.method() === 'POST' && one.url().endsWith('/api/v1/clusters'),
  );
  await dialog.getByRole('button', { name: 'Create cluster' }).click();
  expect((await sent).postDataJSON()).toMatchObject({ name: 'old-host', accept_cgroup_v1: true });
});
