import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';

const SICK = {
  ready: false,
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
      message: 'kind is not on this machine, and it is what makes the clusters.',
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
          address: '/home/somebody/.local/share/containers/podman/machine/podman-machine-default/docker.sock',
          answered: false,
          reason: 'Nothing listens there.',
          fix: null,
        },
      ],
    },
  ],
};

async function find(page: Page, found: () => object): Promise<void> {
  await page.route('**/api/v1/diagnostics', (route) => route.fulfill({ json: found() }));
}

test('on the demo it says so, and how to get to real clusters', async ({ page }) => {
  await page.goto('/diagnostics');
  await expect(page.getByRole('heading', { name: 'Only the demo runs here' })).toBeVisible();
  const install = page.getByRole('region', { name: 'For real clusters' });
  await expect(install.getByRole('heading', { name: /Docker/ })).toBeVisible();
  await expect(install.getByRole('link', { name: /kind\.sigs\.k8s\.io/ })).toHaveAttribute(
    'rel',
    'noopener noreferrer',
  );
  await expect(page.getByRole('region', { name: 'Checks' })).toContainText('inotify limits');
  await expect(page.getByRole('region', { name: 'Versions' })).toContainText('v1.34.4');
});

test('what needs a person comes first, each with its fix, and healing shows by itself', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  let healed = false;
  await find(page, () =>
    healed
      ? {
          ready: true,
          checks: [],
          runtimes: [{ ...SICK.runtimes[0], available: true, version: '28.5.1', reason: null }],
        }
      : SICK,
  );
  await page.goto('/diagnostics');
  await expect(page.getByRole('heading', { name: 'This machine cannot make clusters yet' })).toBeVisible();
  const checks = page.getByRole('region', { name: 'Checks' }).getByRole('listitem');
  await expect(checks).toHaveCount(4);
  await expect(checks.nth(0).getByRole('img', { name: 'Problem' })).toBeVisible();
  await expect(checks.nth(0)).toContainText('sudo systemctl start docker');
  await expect(checks.nth(1).getByRole('link', { name: /kind\.sigs/ })).toBeVisible();
  await expect(checks.nth(2).getByRole('img', { name: 'Warning' })).toBeVisible();
  await expect(page.getByText('Nothing listens there.')).toBeVisible();
  await checks.nth(0).getByRole('button', { name: 'Copy the command' }).click();
  await expect
    .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
    .toBe('sudo systemctl start docker');
  await expectAccessible(page);
  healed = true;
  await expect(page.getByRole('heading', { name: 'This machine can make clusters' })).toBeVisible();
});

test('checks that cannot be made say why and are tried again', async ({ page, guard }) => {
  guard.expect(/Failed to load resource/);
  await page.route('**/api/v1/diagnostics', (route) => route.abort());
  await page.goto('/diagnostics');
  await expect(page.getByRole('heading', { name: 'The checks cannot be made' })).toBeVisible();
  await page.unroute('**/api/v1/diagnostics');
  await page.getByRole('button', { name: 'Try now' }).click();
  await expect(page.getByRole('region', { name: 'Checks' })).toBeVisible();
});

test('the support bundle is saved, after it says what is in it', async ({ page }) => {
  await page.goto('/diagnostics');
  const bundle = page.getByRole('region', { name: 'Support bundle' });
  await expect(bundle).toContainText('Left out');
  const saving = page.waitForEvent('download');
  await bundle.getByRole('button', { name: 'Save the bundle' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^slipway-support-\d{4}-\d\d-\d\d\.tar\.gz$/);
  const content = readFileSync(await saved.path());
  expect(gunzipSync(content).toString('utf8')).toContain('/diagnostics.json');
  await expect(bundle.getByRole('button', { name: 'Save the bundle' })).toBeEnabled();
});

test('a support bundle that cannot be had is told', async ({ page, guard }) => {
  guard.expect(/Failed to load resource/);
  await page.route('**/api/v1/diagnostics/bundle', (route) => route.abort());
  await page.goto('/diagnostics');
  await page.getByRole('button', { name: 'Save the bundle' }).click();
  await expect(page.getByText(/No support bundle/)).toBeVisible();
});
