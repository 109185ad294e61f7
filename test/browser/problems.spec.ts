import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectNoOverflow } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';

/** The demo cluster has three broken Deployments: mailer, reports and thumbnails. */
const BROKEN = 3;

/** Without a reload. */
async function changeLook(page: Page, check: () => Promise<void>): Promise<void> {
  for (const width of [1024, 390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: width === 390 ? 'dark' : 'light' });
    await check();
    await expectNoOverflow(page);
  }
}

test('lists what is wrong first on the cluster page, and follows changes', async ({ page, product }) => {
  await product.createCluster('staging');
  await page.goto('/cluster/staging');
  const wrong = page.getByRole('region', { name: 'What is wrong' });
  const mailer = wrong.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'mailer' }) });
  await expect(mailer).toContainText(/Deployment in shop.*exited with code 1/);
  await expect(wrong.getByRole('link')).toHaveCount(BROKEN);
  await expect(page.getByText('3 workloads do not work.')).toBeVisible();
  await expect(page).toHaveTitle('(3) staging · Slipway');
  const isFirst = await page.evaluate<boolean>(
    `document.querySelector('sw-cluster-problems').getBoundingClientRect().top <
      document.querySelector('sw-node-cards').getBoundingClientRect().top`,
  );
  expect(isFirst).toBe(true);

  await mailer.getByText(/exited with code 1/).click();
  await expect(mailer).toContainText('SMTP_HOST is not set');
  await expect(mailer).toContainText('Read the last lines of its log');
  await expectAccessible(page, 'sw-cluster-problems');
  await changeLook(page, () => expect(mailer).toContainText('SMTP_HOST is not set'));

  await product.call('DELETE', '/clusters/staging/resources/apps/v1/deployments/reports?namespace=shop');
  await expect(wrong.getByRole('link', { name: 'reports' })).toHaveCount(0);
  await expect(page).toHaveTitle('(2) staging · Slipway');
  await mailer.getByRole('link', { name: 'mailer', exact: true }).click();
  await expect(page).toHaveURL(/deployments\?.*object=shop%2Fmailer/);
  await expect(page.getByRole('heading', { name: 'mailer' })).toBeVisible();
});

test('fixes a workload from the line that says what is wrong with it', async ({ page, product }) => {
  await product.createCluster('staging');
  await page.goto('/cluster/staging');
  const wrong = page.getByRole('region', { name: 'What is wrong' });
  const reports = wrong.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'reports' }) });
  const sentence = reports.getByText(/because registry.shop.invalid cannot be reached \(name not found\)/);
  await sentence.click();
  const fix = reports.getByRole('button', { name: 'Set another image…' });
  await expect(fix).toBeVisible();
  await expectAccessible(page, 'sw-cluster-problems');
  await changeLook(page, () => expect(fix).toBeVisible());
  await fix.click();
  const dialog = page.getByRole('dialog', { name: 'Set another image' });
  await dialog.getByRole('combobox').fill('reports:2.0.1');
  await dialog.getByRole('button', { name: 'Review changes' }).click();
  await dialog.getByRole('button', { name: 'Set another image' }).click();
  await expect(reports).toHaveCount(0);
});

/** Where the keyboard is: in view, and drawn as such. */
const FOCUS = `(() => {
  let at = document.activeElement;
  const { top, bottom, width } = at.getBoundingClientRect();
  if (at === document.body || bottom <= 0 || top >= innerHeight || width === 0) return false;
  for (; at; at = at.parentElement) {
    const { outlineStyle, boxShadow } = getComputedStyle(at);
    if (outlineStyle !== 'none' || boxShadow !== 'none') return at.matches(':focus-visible, :focus-within');
  }
  return false;
})()`;

const MAX_TABS = 100;

/** Presses Tab until the target has the focus, which is visible at each step. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < MAX_TABS; presses += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate<string>('document.activeElement.outerHTML.slice(0, 200)');
    await expect.poll(() => page.evaluate(FOCUS), at).toBe(true);
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
  }
  await expect(target).toBeFocused();
}

test('fixes a workload by keyboard alone, from the list of clusters on', async ({ page, product }) => {
  await product.createCluster('staging');
  await expect
    .poll(async () => (await product.call<{ problems?: number }>('GET', '/clusters/staging')).problems)
    .toBe(BROKEN);
  await page.goto('/clusters');
  const row = page.getByRole('row', { name: 'staging, Running' });
  await tabTo(page, row.getByRole('link', { name: 'thumbnails' }));
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: 'thumbnails' });
  const cause = panel.getByRole('region', { name: 'Cause' });
  await expect(cause).toContainText('exceeded its memory limit of 64Mi');
  await tabTo(page, cause.getByRole('button', { name: 'Raise memory limit…' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Raise memory limit' });
  await expect(dialog.getByRole('textbox', { name: 'Changes' })).toContainText('memory: 128Mi');
  await tabTo(page, dialog.getByRole('button', { name: 'Raise memory limit' }));
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(cause).toHaveCount(0);
  // Where one goes on, not at the begin of the page.
  await expect.poll(() => page.evaluate(FOCUS)).toBe(true);
  await expect
    .poll(async () => (await product.call<{ problems?: number }>('GET', '/clusters/staging')).problems)
    .toBe(BROKEN - 1);
});

test('names broken workloads in the list of clusters, its filter and the palette', async ({
  page,
  product,
}) => {
  await product.createCluster('staging');
  await page.goto('/clusters');
  const row = page.getByRole('row', { name: 'staging, Running' });
  await expect(row).toContainText(/3 workloads do not work:.*mailer, crash loop for \d+/);
  await expect(row).toContainText('reports, image not pulled');
  await expect(page).toHaveTitle('(3) Clusters · Slipway');
  await page.getByRole('button', { name: 'Needs attention 1' }).click();
  await expect(row).toBeVisible();
  await page.getByRole('button', { name: 'Running 1' }).click();
  await expect(row).toBeVisible();
  await expectAccessible(page);
  await changeLook(page, () => expect(row).toContainText('3 workloads do not work'));

  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  await expect(palette.getByText('What is wrong')).toBeVisible();
  await page.keyboard.type('mailer crash');
  await palette.getByRole('option', { name: /mailer.*crash loop/ }).click();
  await expect(page).toHaveURL(/object=shop%2Fmailer/);

  await page.goto('/clusters');
  await row.getByRole('link', { name: 'reports' }).click();
  await expect(page).toHaveURL(/object=shop%2Freports/);
  await page.goto('/clusters');
  await expect(row).toContainText('do not work');
  await product.call('DELETE', '/clusters/staging/resources/core/v1/namespaces/shop');
  await expect(row).not.toContainText('do not work');
  await expect(page.getByRole('button', { name: 'Needs attention 0' })).toBeVisible();
});

test('offers first steps in one line until the cluster has a workload', async ({ page, product }) => {
  await product.createCluster('staging');
  await product.call('DELETE', '/clusters/staging/resources/core/v1/namespaces/shop');
  await page.goto('/cluster/staging');
  const line = page.getByText('This cluster has no workloads yet.');
  const steps = page.getByRole('list', { name: 'First steps' });
  await expect(line).toBeVisible();
  await expect(steps).toBeHidden();
  await line.click();
  await expect(steps.getByRole('listitem')).toHaveCount(4);
  await expectAccessible(page, 'sw-first-steps');
  await changeLook(page, () => expect(steps).toBeVisible());
  await steps.getByRole('button', { name: 'Add to my kubeconfig' }).press('Enter');
  await expect(steps).toContainText('Added to your kubeconfig.');
  await product.call('POST', '/clusters/staging/resources/apply', {
    yaml: [
      'apiVersion: apps/v1',
      'kind: Deployment',
      'metadata: { name: web, namespace: default }',
      'spec:',
      '  selector: { matchLabels: { app: web } }',
      '  template:',
      '    metadata: { labels: { app: web } }',
      '    spec: { containers: [{ name: web, image: nginx }] }',
    ].join('\n'),
  });
  await expect(line).toBeHidden();
});

test('says at the job that created a cluster what does not work in it', async ({ page, product }) => {
  await product.createCluster('staging');
  await expect
    .poll(async () => (await product.call<{ problems: object[] }[]>('GET', '/jobs'))[0]?.problems.length)
    .toBe(BROKEN);
  await page.goto('/jobs');
  const row = page.getByRole('link', { name: /Create staging/ });
  await expect(row).toContainText('Succeeded, but 3 workloads do not work: ');
  await expect(row.getByRole('img', { name: 'Warning' })).toBeVisible();
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page, 'sw-job-detail');
  }
  const notice = page.locator('sw-job-notices sw-notice', { hasText: 'Deployment mailer does not work.' });
  await notice.getByRole('link', { name: 'Show why' }).click();
  await expect(
    page.getByRole('region', { name: 'mailer' }).getByRole('region', { name: 'Cause' }),
  ).toContainText('exited with code 1');
});
