import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.js';

const tag = (name: string, more: object): object => ({
  tag: name,
  image: `docker.io/kindest/node:${name}`,
  origin: 'registry',
  present_in: [],
  size_bytes: null,
  fits: 'unknown',
  fits_reason: null,
  ...more,
});

const KNOWN = [
  tag('v1.34.4', { origin: 'local', present_in: ['demo'] }),
  tag(`v1.37.0@sha256:${'a'.repeat(64)}`, { origin: 'kind', fits: 'likely' }),
  tag('v1.36.4', { origin: 'kind', fits: 'likely' }),
];
const NEWER = tag('v1.39.1', {
  fits: 'unlikely',
  fits_reason: 'is newer than v1.37, the newest for kind 0.33.0; it may not start',
});

/** Mocks the versions: one response per request, the last one repeated. */
async function serve(
  page: Page,
  responses: { state: string; reason?: string; tags: object[] }[],
): Promise<void> {
  let requests = 0;
  await page.route('**/api/v1/versions', (route) => {
    const {
      state,
      reason = null,
      tags,
    } = responses[Math.min(requests, responses.length - 1)] ?? { state: 'off', tags: [] };
    requests += 1;
    return route.fulfill({
      json: {
        default_tag: 'v1.34.4',
        provisioner: 'kind',
        provisioner_version: '0.33.0',
        registry: { repository: 'docker.io/kindest/node', state, reason, read_at: null },
        tags,
      },
    });
  });
}

async function openForm(page: Page): Promise<void> {
  await page.goto('/clusters');
  await page.getByRole('button', { name: 'Create cluster' }).click();
  await expect(page.getByLabel('Node image tag')).toHaveValue('v1.34.4');
}

test('groups node image tags by source, and adds the registry’s tags when they arrive', async ({ page }) => {
  await serve(page, [
    { state: 'reading', tags: KNOWN },
    { state: 'reached', tags: [...KNOWN, NEWER] },
  ]);
  await openForm(page);
  const field = page.getByLabel('Node image tag');
  await field.click();
  await expect(page.getByRole('group', { name: 'On this host' }).getByRole('option')).toHaveText([
    /v1\.34\.4/,
  ]);
  const registry = page.getByRole('group', { name: 'docker.io/kindest/node' });
  await expect(registry.getByRole('option')).toHaveText([/v1\.39\.1\s*may not start/]);
  await field.fill('39');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue('v1.39.1');
  await expect(page.getByText('v1.39.1 is newer than v1.37, the newest for kind 0.33.0')).toBeVisible();
});
