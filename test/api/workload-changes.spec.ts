import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { ClusterImagesDto } from '../../backend/src/modules/images/common/image.dto.js';
import type { RunCronJobDto } from '../../backend/src/modules/resource-changes/batch/batch.dto.js';
import type { ResourceObjectDto } from '../../backend/src/modules/resources/common/object.dto.js';
import type { ResourceTableDto } from '../../backend/src/modules/resources/common/resource.dto.js';
import type { EffectDto } from '../../backend/src/modules/resource-changes/effects/effects.dto.js';
import type { ChangedImagesDto } from '../../backend/src/modules/resource-changes/image/image.dto.js';
import type { ApiResponse } from '../support/app/api-client.js';
import { createCluster, journalOf, lastDiff } from '../support/app/clusters.js';
import { expectError } from '../support/app/error-response.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

const RESOURCES = '/api/v1/clusters/staging/resources';
const CONFIG_MAP = `${RESOURCES}/core/v1/configmaps/settings?namespace=shop-test`;
const WEB = `${RESOURCES}/apps/v1/deployments/web`;

const SHOP = `apiVersion: v1
kind: Namespace
metadata: {name: shop-test}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop-test}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop-test}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: "nginx:1.27"}]}}
`;

describe('changes of workloads', () => {
  let app: TestApp;

  const send = async (method: string, path: string, body?: unknown): Promise<ApiResponse> =>
    await app.client.send(method, path, body === undefined ? {} : { body });
  const ok = async <TBody>(method: string, path: string, body?: unknown): Promise<TBody> => {
    const answer = await send(method, path, body);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.body as TBody;
  };

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'staging', { workers: 1 });
    await ok('POST', `${RESOURCES}/apply`, { yaml: SHOP });
  });

  afterAll(() => app.stop());

  it('changes an image after a comparison with those of the nodes', async () => {
    const path = `${WEB}/image?namespace=shop-test`;
    const change = (image: string, more: object = {}): object => ({
      images: [{ container: 'main', image }],
      ...more,
    });
    const [known] = (await ok<ClusterImagesDto>('GET', '/api/v1/clusters/staging/images')).images;
    expect(await ok('POST', `${path}&dry_run=true`, change(known?.references[0] ?? ''))).toMatchObject({
      missing: [],
      outcome: 'configured',
      dry_run: true,
    });
    const dry = await ok<ChangedImagesDto>('POST', `${path}&dry_run=true`, change('shop/web:9'));
    expect([dry.missing, dry.after.includes('shop/web:9'), dry.warnings[0]]).toEqual([
      ['shop/web:9'],
      true,
      expect.stringContaining('Load the image first'),
    ]);
    expect(
      expectError(await send('POST', path, change('shop/web:9')), 422, 'confirmation_required'),
    ).toMatchObject({
      details: { missing: ['shop/web:9'] },
    });
    expect(await ok('POST', path, change('shop/web:9', { accept_missing: true }))).toMatchObject({
      outcome: 'configured',
    });
    expect((await ok<ResourceObjectDto>('GET', `${WEB}?namespace=shop-test`)).yaml).toContain(
      'image: shop/web:9',
    );
    const [entry] = await journalOf(app.client, '?kind=image-change');
    expect(entry).toMatchObject({ outcome: 'succeeded', subject: 'deployments/shop-test/web' });
    const unknown = { images: [{ container: 'other', image: 'a:1' }] };
    expect(expectError(await send('POST', path, unknown), 400, 'invalid_input').message).toContain('main');
    for (const image of ['', 'a b', `a@sha256:${'x'.repeat(64)}`, 'a'.repeat(500), 7]) {
      expectError(await send('POST', path, { images: [{ container: 'main', image }] }), 400, 'invalid_input');
    }
    expectError(
      await send('POST', CONFIG_MAP.replace('?', '/image?'), change('a:1')),
      422,
      'resource_refused',
    );
  });

  it('runs a CronJob as kubectl does, and suspends CronJobs and Jobs', async () => {
    const totals = `${RESOURCES}/batch/v1/cronjobs/nightly-totals`;
    const dry = await ok<RunCronJobDto>('POST', `${totals}/run?namespace=shop&dry_run=true`);
    const job = (name: string): string => `${RESOURCES}/batch/v1/jobs/${name}?namespace=shop`;
    expectError(await send('GET', job(dry.job)), 404, 'resource_not_found');
    const run = await ok<RunCronJobDto>('POST', `${totals}/run?namespace=shop`);
    const { yaml, owners } = await ok<ResourceObjectDto>('GET', job(run.job));
    expect(parse(yaml)).toMatchObject({
      metadata: { annotations: { 'cronjob.kubernetes.io/instantiate': 'manual' } },
      spec: { template: { spec: { containers: [{ name: 'totals' }] } } },
    });
    expect(owners).toMatchObject([{ kind: 'CronJob', name: 'nightly-totals', controller: true }]);

    expect(await ok('POST', `${totals}/suspend?namespace=shop&dry_run=true`)).toMatchObject({
      dry_run: true,
    });
    for (const [change, next] of [
      ['suspend', 'resume'],
      ['resume', 'suspend'],
    ]) {
      expect(await ok('POST', `${totals}/${change ?? ''}?namespace=shop`)).toMatchObject({
        suspended: change === 'suspend',
      });
      const { actions } = await ok<ResourceObjectDto>('GET', `${totals}?namespace=shop`);
      expect(actions).toEqual(['run', 'change-image', next]);
    }
    await ok('POST', `${RESOURCES}/apply`, {
      yaml: 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: long, namespace: shop-test}\nspec: {suspend: true, template: {spec: {restartPolicy: Never, nodeSelector: {fits: none}, containers: [{name: main, image: "nginx:1.27"}]}}}\n',
    });
    const long = `${RESOURCES}/batch/v1/jobs/long`;
    const pods = `${RESOURCES}/core/v1/pods?namespace=shop-test&label_selector=job-name%3Dlong`;
    await ok('POST', `${long}/resume?namespace=shop-test`);
    expect((await ok<ResourceTableDto>('GET', pods)).rows).toHaveLength(1);
    await ok('POST', `${long}/suspend?namespace=shop-test`);
    await app.client.until<ResourceTableDto>(pods, ({ rows }) => rows.length === 0);
    expectError(await send('POST', `${WEB}/run?namespace=shop-test`), 422, 'resource_refused');
    expectError(await send('POST', `${WEB}/suspend?namespace=shop-test`), 422, 'resource_refused');
    const diffs = await Promise.all(
      ['cronjob-run', 'job-suspend', 'job-resume'].map((kind) => lastDiff(app.client, kind)),
    );
    expect(diffs).toMatchObject([
      { before: null, after: expect.stringContaining('kind: Job\n') },
      { before: expect.stringContaining('suspend: false'), after: expect.stringContaining('suspend: true') },
      { before: expect.stringContaining('suspend: true'), after: expect.stringContaining('suspend: false') },
    ]);
  });

  it('describes what a change does to each of several objects, without making it', async () => {
    const effects = async (plural: string, request: object): Promise<EffectDto[]> =>
      await ok('POST', `${RESOURCES}/${plural}/effects`, request);
    const webs = [
      { namespace: 'shop-test', name: 'web' },
      { namespace: 'shop-test', name: 'nowhere' },
    ];
    expect(
      await effects('apps/v1/deployments', { action: 'scale', replicas: 5, objects: webs }),
    ).toMatchObject([
      { possible: true, effect: 'From 2 to 5 replicas. 3 Pods are added.', loss: false },
      { possible: false, effect: 'It no longer exists.' },
    ]);
    const etcd = { namespace: 'kube-system', name: 'etcd-staging-control-plane' };
    expect(await effects('core/v1/pods', { action: 'restart', objects: [etcd] })).toMatchObject([
      { possible: false, effect: expect.stringContaining('static pod') },
    ]);
    const claim = { namespace: 'shop', name: 'data-postgres-0' };
    expect(
      await effects('core/v1/persistentvolumeclaims', { action: 'delete', objects: [claim] }),
    ).toMatchObject([{ loss: true, effect: expect.stringContaining('is deleted too') }]);
    const many = Array.from({ length: 101 }, () => claim);
    for (const request of [
      { action: 'delete', objects: many },
      { action: 'delete', objects: [] },
      { action: 'edit', objects: webs },
      { action: 'restart', objects: [{ namespace: 'shop', name: '../nodes' }] },
    ]) {
      expectError(
        await send('POST', `${RESOURCES}/apps/v1/deployments/effects`, request),
        400,
        'invalid_input',
      );
    }
    expect((await ok<ResourceObjectDto>('GET', `${WEB}?namespace=shop-test`)).replicas).toBe(2);
  });
});
