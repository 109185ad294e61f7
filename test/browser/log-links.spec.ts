import type { Locator, Page } from '@playwright/test';
import { freePort } from '../support/free-port.js';
import * as boards from './support/board-fixtures.js';
import { expect, test as base } from './support/fixtures.js';
import { ScriptedLogs } from './support/scripted-logs.js';

const { open, startBoth, untilStored } = boards;

/** Both applications, which link to each other. */
const test = base.extend({
  product: async ({}, use) => {
    const product = await startBoth({ APP_DEMO_FAILURES: 'start', APP_PORT: String(await freePort()) });
    await use(product);
    await product.stop();
  },
});

/** Opens a link in its new window. It signs in by a ticket. */
async function follow(link: Locator): Promise<Page> {
  const [board] = await Promise.all([link.page().context().waitForEvent('page'), link.click()]);
  await board.waitForLoadState();
  await board.waitForURL(({ pathname }) => pathname === '/logs');
  // A cluster that could not start wrote nothing in that time.
  const isEmpty = board.getByRole('heading', { name: 'No lines in this time range' });
  await expect(board.locator('.ll').or(isEmpty).first()).toBeVisible({ timeout: 30_000 });
  return board;
}

/** Names of the selected sources. */
async function chosen(board: Page): Promise<string[]> {
  const items = board.locator('[role=treeitem][aria-checked=true]:not([aria-expanded])');
  return (await items.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
}

test('opens the lines of a node, a Pod and a failed job from the dashboard', async ({ page, product }) => {
  await product.createCluster('staging');
  await page.goto('/cluster/staging?runtime=demo');
  const node = await follow(page.getByRole('link', { name: 'Logs of staging-worker, in a new window' }));
  await expect(node).toHaveURL(/runtime=demo&cluster=staging&node=staging-worker/);
  const ofNode = await chosen(node);
  expect(ofNode.length).toBeGreaterThan(0);
  expect(ofNode.filter((name) => !name.startsWith('worker '))).toEqual([]);
  await node.close();

  const pods = '/cluster/staging/resources/core/v1/pods?runtime=demo&namespace=shop';
  await page.goto(pods);
  await page
    .getByRole('grid', { name: 'Pods of staging' })
    .getByRole('link', { name: /^postgres-0/ })
    .click();
  const pod = await follow(
    page.getByRole('link', { name: 'Open in log board: postgres-0, in a new window' }),
  );
  await expect(pod).toHaveURL(/namespace=shop&pod=postgres-0/);
  const ofPod = await chosen(pod);
  expect(ofPod.length).toBeGreaterThan(0);
  expect(ofPod.filter((name) => !name.startsWith('postgres'))).toEqual([]);
  await pod.close();

  // Leaves the page of the pod, which would request it again when the cluster stops.
  await page.goto('/clusters');
  await product.call('POST', '/clusters/staging/stop?runtime=demo');
  const row = page.getByRole('row', { name: /staging/ });
  await expect(row).toContainText('Stopped');
  const { job_id } = await product.call<{ job_id: number }>('POST', '/clusters/staging/start?runtime=demo');
  await page.goto(`/jobs?job=${job_id}`);
  const job = await follow(page.getByRole('link', { name: 'Logs of staging, in a new window' }));
  // The time range of the finished job.
  await expect(job).toHaveURL(/\/logs\?runtime=demo&cluster=staging&from=2[^&]+Z&to=2[^&]+Z$/);
  expect((await chosen(job)).length).toBeGreaterThan(0);
  await expect(job.getByRole('treeitem', { name: 'staging', exact: true, checked: true })).toBeVisible();
});

test('leads from a cause to its last line, and from a line to the cause of its Pod', async ({
  page,
  product,
}) => {
  await product.createCluster('staging');
  const problems = '/clusters/staging/problems?runtime=demo';
  type Problems = { name: string; message: string }[];
  const crash = async (): Promise<string> =>
    (await product.call<Problems>('GET', problems)).find(({ name }) => name === 'mailer')?.message ?? '';
  await expect.poll(crash, { timeout: 60_000 }).toContain('exited with code 1');
  await untilStored(product, ({ name }) => name.startsWith('mailer-'));
  await page.goto('/cluster/staging/resources/apps/v1/deployments?runtime=demo&object=shop%2Fmailer');
  const cause = page.getByRole('region', { name: 'Cause' });
  const board = await follow(cause.getByRole('link', { name: /^Logs of mailer-/ }));
  await expect(board).toHaveURL(/&pod=mailer-[^&]+&at=2/);
  const details = board.getByRole('complementary', { name: 'Line', exact: true });
  await expect(details).toContainText('SMTP_HOST is not set');
  await expect(board.locator('.ll.cursor')).toContainText('SMTP_HOST is not set');
  await expect(details.getByRole('region', { name: 'Cause' })).toContainText(
    /Deployment mailer.*exited with code 1/,
  );
  const pod = details.getByRole('link', { name: /^mailer-/ });
  const [back] = await Promise.all([board.context().waitForEvent('page'), pod.click()]);
  await back.waitForURL(/\/cluster\/staging\/resources\/core\/v1\/pods\?runtime=demo&object=shop/);
  await expect(back.getByRole('region', { name: 'Cause' })).toContainText('exited with code 1');
});

boards.test('shows a linked line without matches, or that it is outside the time range', async ({ page }) => {
  const logs = new ScriptedLogs();
  logs.add({ name: 'shop' }, 9000);
  await logs.serve(page);
  const line = 'sources=container/docker/shop&line=container/docker/shop@4000';
  await open(page, `/logs?${line}&q=nowhere`);
  await expect(page.locator('[data-at="4000"]')).toBeInViewport();
  await expect(page.locator('.ll.cursor')).toHaveText(/line 4000 of shop/);
  await expect(page.getByText('0 matches in 9,000 lines')).toBeVisible();
  const details = page.getByRole('complementary', { name: 'Line', exact: true });
  await expect(details.getByText('4,000 of its source')).toBeVisible();
  const clear = page.getByRole('button', { name: 'Clear filter' });
  await expect(clear).toBeVisible();
  await page.getByRole('button', { name: 'Matches', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
  await clear.click();
  await expect(page).not.toHaveURL(/q=/);
  await expect(page.locator('.ll').first()).toBeVisible();

  await page.goto(`/logs?${line}&from=2026-11-21T09:00:06Z&to=2026-11-21T09:00:07Z`);
  const messages = page.getByRole('log');
  await expect(messages).toContainText('Line not shown It is outside the selected time range.');
  await messages.getByRole('button', { name: 'Clear time range' }).click();
  await expect(page).not.toHaveURL(/from=|to=/);
  await expect(page.locator('[data-at="4000"]')).toBeInViewport();
  await expect(details.getByText('4,000 of its source')).toBeVisible();
});

test('shows the stored lines of a Pod that was deleted before in the log of its Deployment', async ({
  page,
  product,
}) => {
  await product.createCluster('staging');
  const pods = '/clusters/staging/resources/core/v1/pods';
  const log = page.getByRole('grid', { name: 'Log of all Pods' });
  const shown = async (): Promise<string[]> =>
    await page.evaluate<string[]>(
      `[...document.querySelectorAll('sw-line-list .from')].map(({ title }) => title.split('/')[0])`,
    );
  await page.goto('/cluster/staging/resources/apps/v1/deployments?runtime=demo&namespace=shop');
  await page
    .getByRole('grid', { name: 'Deployments of staging' })
    .getByRole('link', { name: 'ledger' })
    .click();
  await page.getByRole('region', { name: 'ledger' }).getByRole('tab', { name: 'Logs' }).click();
  await expect.poll(shown).not.toEqual([]);
  const [deleted = ''] = await shown();
  await untilStored(product, ({ name }) => name === deleted);
  await product.call('DELETE', `${pods}/${deleted}?namespace=shop`);
  await expect
    .poll(async () => await product.call('GET', `${pods}?namespace=shop`).then(JSON.stringify))
    .not.toContain(deleted);

  await page.reload();
  await expect(log.getByRole('row').first()).toBeVisible();
  // They are added a moment after the lines of present Pods.
  await expect(async () => {
    await log.press('Home');
    expect(await shown()).toContain(deleted);
  }).toPass();
});
