import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { AppliedDto } from '../../backend/src/modules/resource-changes/apply/apply.dto.js';
import type { ReplacedResourceDto } from '../../backend/src/modules/resource-changes/change/change.dto.js';
import type { ResourceObjectDto } from '../../backend/src/modules/resources/common/object.dto.js';
import type {
  RolloutDto,
  UndoneRolloutDto,
} from '../../backend/src/modules/resource-changes/rollout/rollout.dto.js';
import type { RestartedPodDto } from '../../backend/src/modules/resource-changes/pods/pod-restart.dto.js';
import type {
  ResourceTableDto,
  TableRowDto,
} from '../../backend/src/modules/resources/common/resource.dto.js';
import type { ApiResponse } from '../support/app/api-client.js';
import { createCluster, jobEnded, journalOf, lastDiff } from '../support/app/clusters.js';
import { expectError } from '../support/app/error-response.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

const CANARY = 'canary-of-a-secret';
const RESOURCES = '/api/v1/clusters/staging/resources';
const CONFIG_MAP = `${RESOURCES}/core/v1/configmaps/settings?namespace=shop-test`;
const WEB = `${RESOURCES}/apps/v1/deployments/web`;

const SHOP = `apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop-test}
data: {colour: red, mode: "0644"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop-test}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: "nginx:1.27"}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: bare, namespace: shop-test}
spec: {containers: [{name: main, image: "nginx:1.27"}]}
---
apiVersion: v1
kind: Secret
metadata: {name: pass, namespace: shop-test}
stringData: {password: ${CANARY}}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop-test}
`;

describe('changes of resources', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'staging', { workers: 2 });
  });

  afterAll(() => app.stop());

  const send = async (method: string, path: string, body?: unknown): Promise<ApiResponse> =>
    await app.client.send(method, path, body === undefined ? {} : { body });
  const ok = async <TBody>(method: string, path: string, body?: unknown): Promise<TBody> => {
    const answer = await send(method, path, body);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.body as TBody;
  };
  const apply = async (yaml: string, more: object = {}): Promise<AppliedDto> =>
    await ok('POST', `${RESOURCES}/apply`, { yaml, ...more });
  const outcomes = ({ documents }: AppliedDto): string[] =>
    documents.map(({ kind, outcome }) => `${kind} ${outcome}`);
  const webPods = async (count: number): Promise<TableRowDto[]> => {
    const path = `${RESOURCES}/core/v1/pods?namespace=shop-test&label_selector=app%3Dweb`;
    const present = ({ rows }: ResourceTableDto): TableRowDto[] =>
      rows.filter((row) => row.deleted_at === null);
    return present(
      await app.client.until<ResourceTableDto>(path, (table) => present(table).length === count),
    );
  };

  it('applies several documents, after a dry run that changes nothing', async () => {
    const dry = await apply(SHOP, { dry_run: true });
    expect(outcomes(dry)).toEqual([
      'ConfigMap created',
      'Deployment created',
      'Pod created',
      'Secret created',
      'Namespace created',
    ]);
    expectError(await send('GET', CONFIG_MAP), 404, 'resource_not_found');
    const applied = await apply(SHOP);
    expect([outcomes(applied), applied.notes.length]).toEqual([outcomes(dry), 1]);
    expect(new Set(outcomes(await apply(SHOP)).map((each) => each.split(' ')[1]))).toEqual(
      new Set(['unchanged']),
    );
    await webPods(2);
    expect((await journalOf(app.client, '?kind=resource-apply')).map(({ outcome }) => outcome)).toEqual([
      'succeeded',
    ]);
  });

  it('applies valid documents, and reports each invalid one', async () => {
    const { documents } = await apply(
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: more}\ndata: {a: "1"}\n---\nkind: x: y\n---\napiVersion: v1\nkind: Nothing\nmetadata: {name: x}\n`,
      { namespace: 'shop-test' },
    );
    expect(documents.map(({ index, line, outcome, error }) => [index, line, outcome, error?.code])).toEqual([
      [1, 1, 'created', undefined],
      [2, 6, 'failed', 'invalid_input'],
      [3, 8, 'failed', 'resource_type_not_found'],
    ]);
    expect(documents[0]).toMatchObject({ namespace: 'shop-test' });
    expectError(await send('POST', `${RESOURCES}/apply`, { yaml: '# nothing' }), 400, 'invalid_input');
  });

  it('edits by YAML, plain or in JSON, and returns the diff', async () => {
    const { yaml } = await ok<ResourceObjectDto>('GET', CONFIG_MAP);
    const text = yaml.replace('colour: red', 'colour: blue');
    const dry = await ok<ReplacedResourceDto>('PUT', `${CONFIG_MAP}&dry_run=true`, { yaml: text });
    expect([dry.outcome, dry.dry_run, dry.before.includes('red'), dry.after.includes('blue')]).toEqual([
      'configured',
      true,
      true,
      true,
    ]);
    const headers = { 'content-type': 'application/yaml' };
    const answer = await app.client.send('PUT', CONFIG_MAP, { text, headers });
    expect([answer.status, answer.body]).toMatchObject([200, { outcome: 'configured', dry_run: false }]);
    const late = expectError(await send('PUT', CONFIG_MAP, { yaml }), 409, 'resource_conflict');
    expect(parse((late.details as { yaml: string }).yaml)).toMatchObject({ data: { colour: 'blue' } });
    expect(
      (await journalOf(app.client, '?kind=resource-edit')).map(({ outcome }) => outcome).slice(0, 2),
    ).toEqual(['failed', 'succeeded']);
  });

  it('edits a Secret without returning its values', async () => {
    const path = `${RESOURCES}/core/v1/secrets/pass?namespace=shop-test`;
    const { yaml } = await ok<ResourceObjectDto>('GET', path);
    const edited = await ok<ReplacedResourceDto>('PUT', path, {
      yaml: `${yaml}stringData: {more: ${CANARY}-too}\n`,
    });
    expect(edited.after).toContain('more: <hidden, changed>');
    const broken = await send('PUT', path, { yaml: `${yaml}stringData: {more: *${CANARY}}\n` });
    expectError(broken, 400, 'invalid_input');
    const responses = [
      yaml,
      JSON.stringify(edited),
      broken.text,
      app.log(),
      JSON.stringify(await journalOf(app.client)),
    ];
    for (const form of [CANARY, Buffer.from(CANARY).toString('base64').slice(0, 20)]) {
      expect(responses.join('\n')).not.toContain(form);
    }
    const revealed = await ok<{ value: string }>('POST', path.replace('?', '/reveal?'), { key: 'password' });
    expect(revealed.value).toBe(CANARY);
  });

  it('scales and restarts a Deployment', async () => {
    expect(await ok('POST', `${WEB}/scale?namespace=shop-test`, { replicas: 3 })).toMatchObject({
      previous_replicas: 2,
      replicas: 3,
    });
    expect(await lastDiff(app.client, 'resource-scale')).toMatchObject({
      before: 'spec:\n  replicas: 2\n',
      after: 'spec:\n  replicas: 3\n',
    });
    const before = (await webPods(3)).map(({ uid }) => uid);
    await ok('POST', `${WEB}/restart?namespace=shop-test`);
    expect(await lastDiff(app.client, 'resource-restart')).toMatchObject({
      before: expect.not.stringContaining('restartedAt'),
      after: expect.stringContaining('kubectl.kubernetes.io/restartedAt: '),
    });
    const path = `${RESOURCES}/core/v1/pods?namespace=shop-test&label_selector=app%3Dweb`;
    await app.client.until<ResourceTableDto>(
      path,
      ({ rows }) => rows.length === 3 && rows.every(({ uid }) => !before.includes(uid)),
    );
    const config = CONFIG_MAP.replace('?', '/scale?');
    expectError(await send('POST', config, { replicas: 3 }), 422, 'resource_refused');
    expectError(await send('POST', CONFIG_MAP.replace('?', '/restart?')), 422, 'resource_refused');
    for (const replicas of [-1, 1001, 1.5, '2', null]) {
      expectError(await send('POST', `${WEB}/scale?namespace=shop-test`, { replicas }), 400, 'invalid_input');
    }
  });

  it('restarts a pod; requires force for one that is not recreated', async () => {
    const restart = async (request: object): Promise<ApiResponse> =>
      await send('POST', '/api/v1/clusters/staging/pods/restart', { namespace: 'shop-test', ...request });
    const [web] = await webPods(3);
    const { body } = await restart({ name: web?.name });
    expect(body).toMatchObject({
      deleted: true,
      comes_back: true,
      owner: { kind: 'ReplicaSet', owner: { kind: 'Deployment', name: 'web' } },
    });
    await webPods(3);
    const refused = expectError(await restart({ name: 'bare' }), 409, 'pod_unowned');
    expect(refused.message).toContain('It has no controller');
    const plan = (await restart({ name: 'bare', force: true, dry_run: true })).body as RestartedPodDto;
    expect(plan).toMatchObject({ deleted: false, comes_back: false, owner: null });
    expect((await restart({ name: 'bare', force: true })).body).toMatchObject({
      deleted: true,
      replacement: null,
    });
    const kubelets = (await restart({ namespace: 'kube-system', name: 'etcd-staging-control-plane' })).body;
    expect(kubelets).toMatchObject({ deleted: false, owner: { kind: 'Node' } });
    expectError(await restart({ name: 'nowhere' }), 404, 'resource_not_found');
    expectError(await restart({ name: '../nodes' }), 400, 'invalid_input');
  });

  it('lists revisions, rolls back to one after a dry run, and pauses rollouts', async () => {
    const rollout = (part = ''): string => `${WEB}/rollout${part}?namespace=shop-test`;
    const numbers = ({ revisions }: RolloutDto): number[] => revisions.map(({ revision }) => revision);
    const images = ({ revisions }: RolloutDto): string[][] => revisions.map((each) => each.images);
    const since = await app.client.until<RolloutDto>(rollout(), ({ revisions }) => revisions.length > 0);
    expect(
      expectError(await send('POST', rollout('/undo'), { revision: 99 }), 400, 'invalid_input'),
    ).toMatchObject({
      details: [{ field: 'revision' }],
    });
    const { yaml } = await ok<ResourceObjectDto>('GET', `${WEB}?namespace=shop-test`);
    await ok('PUT', `${WEB}?namespace=shop-test`, { yaml: yaml.replace('nginx:1.27', 'nginx:1.28') });
    const changed = await app.client.until<RolloutDto>(
      rollout(),
      (now) => now.revisions.length > since.revisions.length,
    );
    expect(images(changed).slice(0, 2)).toEqual([['nginx:1.28'], ['nginx:1.27']]);
    expect(changed.revisions.map(({ current }) => current).indexOf(true)).toBe(0);

    const undo = `${rollout('/undo')}&dry_run=true`;
    const dry = await ok<UndoneRolloutDto>('POST', undo, {});
    expect([dry.revision, dry.outcome, dry.before.includes('1.28'), dry.after.includes('1.27')]).toEqual([
      numbers(changed)[1],
      'configured',
      true,
      true,
    ]);
    expect(await ok('POST', rollout('/undo'), {})).toMatchObject({ outcome: 'configured', dry_run: false });
    const undone = await app.client.until<RolloutDto>(
      rollout(),
      (now) => images(now)[0]?.[0] === 'nginx:1.27',
    );
    // As in a cluster, the revision that came back has the highest number.
    expect(numbers(undone)[0]).toBe(Math.max(...numbers(changed)) + 1);
    expect(await ok('POST', rollout('/undo'), { revision: numbers(undone)[0] })).toMatchObject({
      outcome: 'unchanged',
    });

    await ok('POST', rollout('/pause'));
    expect(await ok<RolloutDto>('GET', rollout())).toMatchObject({ paused: true });
    expectError(await send('POST', rollout('/undo'), {}), 422, 'resource_refused');
    expectError(await send('POST', `${WEB}/restart?namespace=shop-test`), 422, 'resource_refused');
    await ok('POST', rollout('/resume'));
    expect(await ok<ResourceObjectDto>('GET', `${WEB}?namespace=shop-test`)).toMatchObject({
      actions: ['expose', 'scale', 'restart', 'change-image', 'pause-rollout'],
    });
    const daemons = `${RESOURCES}/apps/v1/daemonsets/kindnet/rollout`;
    expectError(await send('POST', `${daemons}/pause?namespace=kube-system`), 422, 'resource_refused');
    expectError(
      await send('GET', `${RESOURCES}/core/v1/configmaps/settings/rollout?namespace=shop-test`),
      422,
      'resource_refused',
    );
    for (const kind of ['rollout-undo', 'rollout-pause', 'rollout-resume']) {
      const [entry] = await journalOf(app.client, `?kind=${kind}`);
      expect(entry).toMatchObject({ subject: 'deployments/shop-test/web', has_diff: true });
    }
  });

  it('cordons and drains a node, after losses were accepted', async () => {
    await apply(
      'apiVersion: v1\nkind: Pod\nmetadata: {name: scratch, namespace: shop-test}\nspec: {nodeName: staging-worker, volumes: [{name: scratch, emptyDir: {}}], containers: [{name: main, image: "nginx:1.27"}]}\n',
    );
    const node = `${RESOURCES}/core/v1/nodes/staging-worker`;
    const refused = expectError(await send('POST', `${node}/drain`, {}), 422, 'confirmation_required');
    expect(refused.details).toMatchObject({
      bare: expect.arrayContaining(['shop-test/scratch']),
      emptydir: expect.arrayContaining(['shop-test/scratch']),
    });
    // With one replica and a budget of one, it would hold the drain until the Deployment is scaled.
    await ok('DELETE', `${RESOURCES}/policy/v1/poddisruptionbudgets/postgres?namespace=shop`);
    const started = await send('POST', `${node}/drain`, { force: true, delete_emptydir_data: true });
    expect([started.status, started.headers.location]).toEqual([
      202,
      expect.stringContaining('/api/v1/jobs/'),
    ]);
    const job = await jobEnded(app.client, (started.body as { job_id: number }).job_id);
    expect(job).toMatchObject({ kind: 'drain', state: 'succeeded', error: null });
    const pods = await ok<ResourceTableDto>(
      'GET',
      `${RESOURCES}/core/v1/pods?field_selector=spec.nodeName%3Dstaging-worker`,
    );
    expect(pods.rows.filter(({ owner }) => owner?.kind !== 'DaemonSet' && owner?.kind !== 'Node')).toEqual(
      [],
    );
    expect(await ok('POST', `${node}/cordon`)).toMatchObject({ message: 'The node is already cordoned.' });
    expect(await ok<{ actions: string[] }>('GET', node)).toMatchObject({ actions: ['uncordon', 'drain'] });
    await ok('POST', `${node}/uncordon`);
    expectError(
      await send('POST', `${RESOURCES}/core/v1/nodes/nowhere/drain`, {}),
      404,
      'resource_not_found',
    );
    expectError(await send('POST', `${node}/drain`, { timeout_seconds: 0 }), 400, 'invalid_input');
  });

  it('deletes, and reports what the deletion waits for', async () => {
    await apply(
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept, namespace: shop-test, finalizers: [shop.example/hold]}\n',
    );
    const kept = `${RESOURCES}/core/v1/configmaps/kept?namespace=shop-test`;
    expect(await ok('DELETE', `${kept}&dry_run=true`)).toMatchObject({ gone: false, dry_run: true });
    expect(await ok('DELETE', kept)).toMatchObject({
      gone: false,
      message: expect.stringContaining('shop.example/hold'),
    });
    expect(await ok('DELETE', CONFIG_MAP)).toMatchObject({ gone: true });
    expect(await lastDiff(app.client, 'resource-delete')).toMatchObject({
      before: expect.stringMatching(/^apiVersion: v1\nkind: ConfigMap\n[^]*name: settings\n/),
      after: '',
    });
    expectError(await send('DELETE', CONFIG_MAP), 404, 'resource_not_found');
    expect(await ok('DELETE', `${WEB}?namespace=shop-test&propagation=background`)).toMatchObject({
      name: 'web',
    });
    await webPods(0);
    expectError(await send('DELETE', `${kept}&propagation=all`), 400, 'invalid_input');
    expectError(await send('DELETE', `${kept}&grace_period_seconds=-1`), 400, 'invalid_input');
  });

  it('accepts the YAML of large objects, and rejects invalid object paths', async () => {
    const large = (bytes: number): object => ({
      yaml: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: large, namespace: shop-test}\ndata: {a: "${'x'.repeat(bytes)}"}\n`,
      dry_run: true,
    });
    expect(await ok('POST', `${RESOURCES}/apply`, large(700_000))).toMatchObject({
      documents: [{ error: null }],
    });
    // 360 kB of data are more than a megabyte of YAML.
    const lines = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: lines, namespace: shop-test}\ndata:\n  text: |\n${'    a\n'.repeat(180_000)}`;
    expect(await ok('POST', `${RESOURCES}/apply`, { yaml: lines })).toMatchObject({
      documents: [{ error: null }],
    });
    const object = `${RESOURCES}/core/v1/configmaps/lines?namespace=shop-test`;
    const { yaml } = await ok<{ yaml: string }>('GET', object);
    const edited = { yaml: yaml.replace('    a\n', '    b\n') };
    expect((await send('PUT', object, edited)).status).toBe(200);
    for (const [method, path, bytes, limit] of [
      ['POST', `${RESOURCES}/apply`, 17_000_000, '16 MB'],
      ['PUT', object, 6_500_000, '6 MB'],
    ] as const) {
      const refused = expectError(await send(method, path, large(bytes)), 413, 'payload_too_large');
      expect(refused.message).toBe(`The request is too large: a body can have up to ${limit} here.`);
    }
    expectError(await send('DELETE', `${RESOURCES}/core/v1/configmaps/settings`), 400, 'invalid_input');
    expectError(
      await send('DELETE', `${RESOURCES}/core/v1/configmaps/%2e%2e%2fnodes?namespace=shop-test`),
      404,
      'resource_not_found',
    );
    expectError(
      await send('DELETE', `${RESOURCES}/core/v1/configmaps/settings?namespace=..%2f..`),
      400,
      'invalid_input',
    );
    expectError(
      await send('DELETE', `${RESOURCES}/..%2f/v1/pods/x?namespace=x`),
      404,
      'resource_type_not_found',
    );
    expectError(
      await send('DELETE', `${RESOURCES}/core/v1/nothings/x?namespace=x`),
      404,
      'resource_type_not_found',
    );
  });

  it('lists the deletions of one batch as one entry of the journal', async () => {
    const names = ['batch-1', 'batch-2', 'batch-3'];
    await apply(
      names.map((name) => `kind: ConfigMap\napiVersion: v1\nmetadata: {name: ${name}}\n`).join('---\n'),
    );
    for (const name of names) {
      const path = `${RESOURCES}/core/v1/configmaps/${name}?namespace=default`;
      await app.client.send('DELETE', path, { headers: { 'slipway-batch': 'batch-of-three' } });
    }
    const [last] = await journalOf(app.client, '?grouped=true&kind=resource-delete');
    expect(last).toMatchObject({ subject: 'configmaps/default/batch-1', group_size: 3 });
  });
});
