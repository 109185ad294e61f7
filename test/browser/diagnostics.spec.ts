import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';

const UNHEALTHY = {
  ready: false,
  event_loop_delay: { p99_ms: 1.2, worst_ms: 1500, worst_at: '2026-11-21T09:00:00.000Z' },
  checks: [
    {
      name: 'runtime-podman',
      title: 'podman',
      level: 'warning',
      message: 'podman is not on this machine.',
      fix: null,
    },
    { name: 'memory', title: 'Memory free', level: 'ok', message: '23 GB', fix: null },
    {
      name: 'runtime-docker',
      title: 'docker',
      level: 'problem',
      message: 'docker is installed, but its engine is not running.',
      fix: 'sudo systemctl start docker',
    },
    {
      name: 'provisioner',
      title: 'kind',
      level: 'problem',
      message: 'kind is not installed. Slipway needs it to create clusters.',
      fix: 'https://kind.sigs.k8s.io/docs/user/quick-start/#installation',
    },
  ],
  runtimes: [
    {
      id: 'docker',
      available: false,
      version: null,
      reason: 'docker is installed, but its engine is not running.',
      fix: 'sudo systemctl start docker',
      since: '2026-11-21T09:00:00.000Z',
      attempts: [
        {
          source: 'docker context "a-context-with-a-rather-long-name"',
          address: '/home/user/.local/share/containers/podman/machine/podman-machine-default/docker.sock',
          answered: false,
          reason: 'Nothing listens there.',
          fix: null,
        },
      ],
    },
  ],
};

async function mockDiagnostics(page: Page, response: () => object): Promise<void> {
  await page.route('**/api/v1/diagnostics', (route) => route.fulfill({ json: response() }));
}

test('shows in demo mode how to install an engine, and downloads the support bundle', async ({ page }) => {
  await page.goto('/diagnostics');
  await expect(page.getByRole('heading', { name: 'Demo mode only' })).toBeVisible();
  const install = page.getByRole('region', { name: 'Create real clusters' });
  await expect(install.getByRole('heading', { name: /Docker/ })).toBeVisible();
  await expect(install.getByRole('link', { name: /kind\.sigs\.k8s\.io/ })).toHaveAttribute(
    'rel',
    'noopener noreferrer',
  );
  await expect(page.getByRole('region', { name: 'Checks' })).toContainText('inotify limits');
  await expect(page.getByRole('region', { name: 'Versions' })).toContainText('v1.34.4');
  await expect(page.getByRole('region', { name: 'Versions' })).toContainText('ms (p99 of the last minute)');

  const bundle = page.getByRole('region', { name: 'Support bundle' });
  await expect(bundle).toContainText('Not included');
  await bundle.getByRole('button', { name: 'Show content' }).click();
  await bundle.getByText('system.json', { exact: true }).click();
  await expect(bundle.getByText('"platform"')).toBeVisible();
  const saving = page.waitForEvent('download');
  await bundle.getByRole('button', { name: 'Download' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^slipway-support-\d{4}-\d\d-\d\d\.tar\.gz$/);
  const content = readFileSync(await saved.path());
  expect(gunzipSync(content).toString('utf8')).toContain('/diagnostics.json');
  await expect(bundle.getByRole('button', { name: 'Download' })).toBeEnabled();
});

test('lists problems first with their fixes, and refreshes once they are fixed', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  let fixed = false;
  await mockDiagnostics(page, () =>
    fixed
      ? {
          ready: true,
          checks: [],
          event_loop_delay: UNHEALTHY.event_loop_delay,
          runtimes: [{ ...UNHEALTHY.runtimes[0], available: true, version: '28.5.1', reason: null }],
        }
      : UNHEALTHY,
  );
  await page.goto('/diagnostics');
  await expect(page.getByRole('heading', { name: 'This host cannot create clusters yet' })).toBeVisible();
  const checks = page.getByRole('region', { name: 'Checks' }).getByRole('listitem');
  await expect(checks).toHaveCount(4);
  await expect(checks.nth(0).getByRole('img', { name: 'Problem' })).toBeVisible();
  await expect(checks.nth(0)).toContainText('sudo systemctl start docker');
  await expect(checks.nth(1).getByRole('link', { name: /kind\.sigs/ })).toBeVisible();
  await expect(checks.nth(2).getByRole('img', { name: 'Warning' })).toBeVisible();
  await expect(page.getByText('Nothing listens there.')).toBeVisible();
  await checks.nth(0).getByRole('button', { name: 'Copy command' }).click();
  await expect
    .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
    .toBe('sudo systemctl start docker');
  await expectAccessible(page);
  fixed = true;
  await expect(page.getByRole('heading', { name: 'This host can create clusters' })).toBeVisible();
});
