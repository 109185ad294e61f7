import type { Page } from '@playwright/test';
import { expectAccessible, expectNoOverflow } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';
import type { Product } from './support/product.js';

interface Line {
  sequence: number;
  time: string;
  kind: string;
  text: string;
}

/** Replaces the log of a job. */
async function giveLog(page: Page, id: number, lines: () => Line[]): Promise<void> {
  await page.route(`**/api/v1/jobs/${id}?*`, async (route) => {
    const response = await route.fetch();
    const job = (await response.json()) as object;
    const after = Number(new URL(route.request().url()).searchParams.get('log_after') ?? 0);
    await route.fulfill({
      response,
      json: { ...job, progress_log: lines().filter(({ sequence }) => sequence > after) },
    });
  });
}

function logOf(count: number): Line[] {
  return Array.from({ length: count }, (_, index) => ({
    sequence: index + 1,
    time: new Date(Date.UTC(2026, 10, 21, 9) + index).toISOString(),
    kind: 'output',
    text: `[kubelet-check] line ${index + 1} of the log`,
  }));
}

async function begin(product: Product, name: string): Promise<number> {
  const { job_id } = await product.call<{ job_id: number }>('POST', '/clusters', {
    name,
    workers: 1,
    node_image_tag: 'v1.34.4',
  });
  return job_id;
}

test('shows steps, durations and log of a finished job', async ({ page, product }) => {
  const id = await product.createCluster('staging');
  await page.goto('/jobs');
  const detail = page.getByRole('region', { name: 'Create staging' });
  await expect(detail).toContainText(`job ${id} on demo`);
  await expect(detail).toContainText(/Created staging with .+ on demo\.\s+[\d.]+ s · /);
  const steps = detail.getByRole('list', { name: 'Steps' });
  await expect(steps.getByRole('img', { name: 'Succeeded' })).toHaveCount(11);
  await expect(steps.getByRole('listitem').filter({ hasText: 'Starting control-plane' })).toContainText(
    /\d s/,
  );
  await expect(detail.getByRole('grid', { name: /^Log of job/ })).toContainText('Preflight checks');
  await expectAccessible(page);
  await detail.getByRole('link', { name: 'Open cluster' }).click();
  await expect(page).toHaveURL(/\/cluster\/staging\?runtime=demo$/);
});

test('moves in the list with arrow keys, filters it, and clears finished jobs', async ({ page, product }) => {
  for (const name of ['first', 'second']) await product.createCluster(name);
  await page.goto('/jobs');
  const newer = page.getByRole('link', { name: /Create second/ });
  const older = page.getByRole('link', { name: /Create first/ });
  await expect(newer).toBeVisible();
  // The list is one tab stop.
  await page.getByRole('searchbox').focus();
  await page.keyboard.press('Tab');
  await expect(newer).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(older).toBeFocused();
  await page.keyboard.press('End');
  await expect(older).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/job=\d+/);
  await expect(page.getByRole('heading', { name: 'Create first' })).toBeVisible();
  await page.keyboard.press('Home');
  await expect(newer).toBeFocused();

  await page.getByRole('searchbox').fill('first');
  await expect(page.getByRole('link', { name: /Create/ })).toHaveCount(1);
  await page.getByRole('link', { name: /^Failed/ }).click();
  await expect(page).toHaveURL(/show=failed/);
  await expect(page.getByText('The filter hides 2 jobs.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(page.getByRole('link', { name: /Create/ })).toHaveCount(2);

  await page.getByRole('button', { name: 'Clear 2 finished or failed' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('The journal keeps their results');
  await question.getByRole('button', { name: 'Clear 2 jobs' }).click();
  await expect(page.getByRole('heading', { name: 'No jobs' })).toBeVisible();
});

test.describe('a running job', () => {
  test.use({ environment: { APP_RUNTIME: 'demo', APP_DEMO_SPEED: '1' } });

  test('follows a running job and cancels it after a confirmation', async ({ page, product }) => {
    const id = await begin(product, 'staging');
    await page.goto(`/jobs?job=${id}`);
    const detail = page.getByRole('region', { name: 'Create staging' });
    const progress = detail.getByRole('progressbar', { name: 'Progress' });
    await expect.poll(async () => Number(await progress.getAttribute('aria-valuenow'))).toBeGreaterThan(0);
    await expect(detail.getByRole('grid', { name: /^Log of job/ })).toContainText('Preparing nodes');
    await expect(page.getByRole('link', { name: /Create staging/ })).toContainText('step');
    await detail.getByRole('button', { name: 'Cancel job' }).click();
    const question = page.getByRole('alertdialog');
    await expect(question).toContainText('Slipway removes everything created so far');
    await question.getByRole('button', { name: 'Cancel job' }).click();
    await expect(detail).toContainText(/Canceled at .+\./);
    await expect(detail.getByRole('grid', { name: /^Log of job/ })).toContainText(
      /Removed \d+ container|Nothing was left to remove/,
    );
    await expect(detail.getByRole('button', { name: 'Cancel job' })).toHaveCount(0);
  });
});

test.describe('a failed job', () => {
  test.use({
    environment: { APP_RUNTIME: 'demo', APP_DEMO_SPEED: '100', APP_DEMO_FAILURES: 'create:joining-workers' },
  });

  test('shows the error, the failed step and the command', async ({ page, product }) => {
    const id = await product.createCluster('mesh');
    const command =
      'kind create cluster --name=mesh --config=/a/path/that/is/long --kubeconfig=/another/path --retain';
    await page.route(`**/api/v1/jobs/${id}?*`, async (route) => {
      const response = await route.fetch();
      const job = (await response.json()) as { error: object };
      const error = { ...job.error, command, output: 'kubelet is not running' };
      await route.fulfill({ response, json: { ...job, error, warnings: ['Memory is tight'] } });
    });
    await page.goto(`/jobs?job=${id}`);
    const detail = page.getByRole('region', { name: 'Create mesh' });
    await expect(detail.getByRole('group', { name: 'Error' })).toContainText(
      /Failed at Joining worker nodes: .*The demo fails here/,
    );
    await expect(detail.getByRole('group', { name: 'Failed command' })).toContainText('--name=mesh \\');
    await expect(detail.getByRole('button', { name: 'Copy command' })).toBeVisible();
    await detail.getByText('End of the output').click();
    await expect(detail.getByText('kubelet is not running')).toBeVisible();
    await expect(detail.getByText('Memory is tight')).toBeVisible();
  });
});

test('renders few rows of a long log, shows its gap and copies all lines', async ({
  page,
  product,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const id = await product.createCluster('staging');
  const lines = logOf(10_000);
  lines[4999] = { ...logOf(5000)[4999], kind: 'cut', text: '12345 lines were left out here' } as Line;
  await giveLog(page, id, () => lines);
  await page.goto(`/jobs?job=${id}`);
  const log = page.getByRole('grid', { name: /^Log of job/ });
  await expect(log).toContainText('line 1 of');
  await expect(page.getByText('10,000 lines')).toBeVisible();
  const rows = (): Promise<number> =>
    page.evaluate<number>(`document.querySelectorAll('sw-job-log [role=grid] time').length`);
  expect(await rows()).toBeLessThan(120);
  await page.evaluate(`{
    const log = document.querySelector('sw-job-log [role=grid]');
    log.scrollTop = 4990 * (log.scrollHeight / 10_000);
  }`);
  await expect(log).toContainText('12345 lines were left out here');
  await log.focus();
  await page.keyboard.press('End');
  await expect(log).toContainText('line 10000 of');
  expect(await rows()).toBeLessThan(120);
  await page.getByRole('button', { name: 'Copy log' }).click();
  await expect
    .poll(async () => (await page.evaluate<string>('navigator.clipboard.readText()')).split('\n').length)
    .toBe(10_001);
});

test('shows either the list or a job on a phone', async ({ page, product }) => {
  await product.createCluster('a-name-with-exactly-forty-characters-a12');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/jobs');
  await expect(page.getByRole('grid', { name: /^Log of job/ })).toBeHidden();
  await page.getByRole('link', { name: /Create a-name/ }).click();
  await expect(page.getByRole('grid', { name: /^Log of job/ })).toBeVisible();
  await expect(page.getByRole('searchbox')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Wrap' })).toHaveAttribute('aria-pressed', 'true');
  await expectNoOverflow(page);
  await page.getByRole('link', { name: 'All jobs' }).click();
  await expect(page.getByRole('searchbox')).toBeVisible();
});
