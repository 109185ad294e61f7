import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KubernetesObject, ResourceApi } from '../../backend/src/drivers/kubernetes/index.js';
import type { JobDto } from '../../backend/src/modules/jobs/job.dto.js';
import type { ProblemDto } from '../../backend/src/modules/problems/index.js';
import { ClusterResources } from '../../backend/src/modules/resources/index.js';
import type { ClusterDto } from '../../backend/src/modules/clusters/index.js';
import type { PodPlacementDto } from '../../backend/src/modules/resources/placement/placement.dto.js';
import type { ResourceMapDto } from '../../backend/src/modules/resources/map/map.dto.js';
import type { ResourceTableDto } from '../../backend/src/modules/resources/common/resource.dto.js';
import type { StatsDto } from '../../backend/src/modules/stats/index.js';
import { clusterOf, createCluster, submit } from '../support/app/clusters.js';
import { EventSocket } from '../support/app/event-socket.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

const PROBLEMS = '/api/v1/clusters/shop/problems';
const SEEN_MS = 5000;
const CLAIMS = { group: '', version: 'v1', plural: 'persistentvolumeclaims' };

describe('GET /problems', () => {
  let app: TestApp;
  let api: ResourceApi;
  let job: JobDto;
  const put = async (object: object, plural: string, group = ''): Promise<void> => {
    const { namespace = null, name } = (object as KubernetesObject).metadata;
    await api.apply({ group, version: 'v1', plural, namespace, name }, object as KubernetesObject);
  };
  const remove = async (plural: string, name: string, group = ''): Promise<void> => {
    await api.remove({ group, version: 'v1', plural, namespace: 'default', name });
  };
  const deployment = (name: string, spec: object): object => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec },
    },
  });
  const problemOf = async (name: string, deadlineMs = SEEN_MS): Promise<ProblemDto> => {
    const has = (found: ProblemDto[]): boolean => found.some((each) => each.name === name);
    const found = await app.client.until<ProblemDto[]>(PROBLEMS, has, deadlineMs);
    const [first, ...more] = found.filter((each) => each.name === name);
    expect(more).toEqual([]);
    return first as ProblemDto;
  };
  const gone = async (name: string): Promise<void> => {
    await app.client.until<ProblemDto[]>(PROBLEMS, (found) => !found.some((each) => each.name === name));
  };
  const healthOf = async (path: string, name: string, more = ''): Promise<string | undefined> => {
    const { rows } = await app.client.get<ResourceTableDto>(
      `/api/v1/clusters/shop/resources/${path}?namespace=default${more}`,
    );
    return rows.find((row) => row.name.startsWith(name))?.health;
  };

  beforeAll(async () => {
    app = await startApp();
    job = await createCluster(app.client, 'shop', { workers: 1 });
    ({ api } = await app.nest.get(ClusterResources, { strict: false }).open('shop'));
  });

  afterAll(() => app.stop());

  it('GET /clusters/:name/pods/placement places each Pod on its node, with its health and memory request', async () => {
    const { pods, total } = await app.client.get<PodPlacementDto>('/api/v1/clusters/shop/pods/placement');
    expect(total).toBe(pods.length);
    expect(pods).toContainEqual({
      namespace: 'kube-system',
      name: 'etcd-shop-control-plane',
      node: 'shop-control-plane',
      health: 'ok',
      status: 'Running',
      memory_request_bytes: 100 * 2 ** 20,
    });
  });

  it('has the broken workloads of a new cluster once each, with their causes', async () => {
    await problemOf('mailer');
    await problemOf('reports');
    await problemOf('thumbnails');
    const found = await app.client.get<ProblemDto[]>('/api/v1/problems');
    expect(found).toMatchObject([
      {
        cluster: 'shop',
        runtime: 'demo',
        group: 'apps',
        plural: 'deployments',
        kind: 'Deployment',
        namespace: 'shop',
        name: expect.stringMatching(/mailer|reports|thumbnails/),
      },
      { kind: 'Deployment', name: expect.stringMatching(/mailer|reports|thumbnails/) },
      { kind: 'Deployment', name: expect.stringMatching(/mailer|reports|thumbnails/) },
    ]);
    const mailer = found.find(({ name }) => name === 'mailer');
    expect(mailer).toMatchObject({
      code: 'crash',
      container: 'mailer',
      message: expect.stringContaining('exited with code 1'),
      next_step: expect.stringContaining('log'),
      found_in: { kind: 'Pod', name: expect.stringMatching(/^mailer-/) },
    });
    expect(Date.parse(mailer?.since ?? '')).toBeLessThanOrEqual(Date.now());
    await app.client.until<ProblemDto[]>(PROBLEMS, (now) =>
      now.some(({ evidence }) => evidence.some(({ source, text }) => source === 'log' && text !== '')),
    );
    const other = await app.client.send('GET', `${PROBLEMS}?runtime=docker`);
    expect([other.status, (other.body as { code: string }).code]).toEqual([404, 'cluster_not_found']);
  });

  it('counts them in the cluster, and adds them to the job that created it', async () => {
    const counted = await app.client.until<ClusterDto>(
      '/api/v1/clusters/shop',
      ({ problems: count }) => count === 3,
    );
    expect(counted).toMatchObject({ state: 'running', needs_attention: true });
    await app.client.until<StatsDto>(
      '/api/v1/stats',
      ({ clusters }) => clusters.needs_attention === 1 && clusters.running === 1,
    );
    const { problems } = await app.client.until<JobDto>(
      `/api/v1/jobs/${job.id}`,
      (found) => found.problems.length === 3,
    );
    expect(problems.map(({ name }) => name).sort()).toEqual(['mailer', 'reports', 'thumbnails']);
    expect(Date.parse(job.watched_until ?? '') - Date.parse(job.finished_at ?? '')).toBe(30_000);
  });

  it('finds an image that cannot be pulled, and forgets it with its Deployment', async () => {
    const socket = await EventSocket.open(app.port);
    socket.send({ type: 'subscribe', topics: ['problems'] });
    await socket.settled();
    const containers = [{ name: 'web', image: 'registry.invalid/web:1' }];
    await put(deployment('typo', { containers }), 'deployments', 'apps');
    expect(await problemOf('typo')).toMatchObject({
      kind: 'Deployment',
      code: 'image_pull',
      container: 'web',
    });
    const { problems } = await socket.next('problems', (message) =>
      message.problems.some(({ name }) => name === 'typo'),
    );
    expect(problems.find(({ name }) => name === 'typo')).toMatchObject({ code: 'image_pull' });
    const { nodes } = await app.client.get<ResourceMapDto>(
      '/api/v1/clusters/shop/resources/apps/v1/deployments/typo/map?namespace=default',
    );
    expect(nodes.map(({ kind }) => kind)).toEqual(['Deployment', 'ReplicaSet', 'Pod', 'Pod']);
    for (const { group, plural, name, health } of nodes) {
      expect([name, await healthOf(`${group}/v1/${plural}`, name)]).toEqual([name, health]);
      expect(['failed', 'warning']).toContain(health);
    }
    await remove('deployments', 'typo', 'apps');
    await gone('typo');
    socket.close();
  });

  it('finds a claim without a StorageClass, and shows it in its table', async () => {
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'unbound', namespace: 'default' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: '',
        resources: { requests: { storage: '1Gi' } },
      },
      status: { phase: 'Pending' },
    };
    await put(claim, 'persistentvolumeclaims');
    const { metadata } = await api.read({ ...CLAIMS, namespace: 'default', name: 'unbound' });
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'unbound.1', namespace: 'default' },
      involvedObject: {
        kind: 'PersistentVolumeClaim',
        uid: metadata.uid,
        namespace: 'default',
        name: 'unbound',
      },
      type: 'Warning',
      reason: 'ProvisioningFailed',
      message: 'storageclass.storage.k8s.io "fast" not found',
    };
    await put(event, 'events');
    expect(await problemOf('unbound')).toMatchObject({
      kind: 'PersistentVolumeClaim',
      code: 'volume_claim_unbound',
    });
    expect(await healthOf('core/v1/persistentvolumeclaims', 'unbound')).toBe('warning');
    await remove('persistentvolumeclaims', 'unbound');
    await gone('unbound');
  });

  it('finds a Service whose selector matches no Pod after its start', async () => {
    const service = (app_: string): object => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'orphan', namespace: 'default' },
      spec: { selector: { app: app_ }, ports: [{ port: 80 }] },
    });
    await put(service('nothing'), 'services');
    expect(await problemOf('orphan', 20_000)).toMatchObject({ kind: 'Service', code: 'no_endpoints' });
    expect(await healthOf('core/v1/services', 'orphan')).toBe('warning');
    const selector = '&field_selector=metadata.name%3Dorphan';
    expect(await healthOf('core/v1/services', 'orphan', selector)).toBe('warning');
    expect(await healthOf('core/v1/services', 'kubernetes')).toBe('none');
    await put(service('repaired'), 'services');
    await put(
      deployment('repaired', { containers: [{ name: 'web', image: 'nginx:1.29' }] }),
      'deployments',
      'apps',
    );
    await gone('orphan');
    expect(await healthOf('core/v1/services', 'orphan')).toBe('none');
    expect((await app.client.get<ProblemDto[]>(PROBLEMS)).map(({ name }) => name)).not.toContain('repaired');
  });

  it('finds a failed Job', async () => {
    const containers = [{ name: 'import', image: 'nginx:1.29', command: ['sh', '-c', 'exit 3'] }];
    const template = { spec: { restartPolicy: 'Never', containers } };
    const metadata = { name: 'broken-import', namespace: 'default' };
    const object = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata,
      spec: { backoffLimit: 0, template },
    };
    await put(object, 'jobs', 'batch');
    expect(await problemOf('broken-import')).toMatchObject({
      kind: 'Job',
      message: expect.stringContaining('exited with code 3'),
    });
  });

  it('is unknown while the cluster does not run', async () => {
    await app.client.until<JobDto>(
      `/api/v1/jobs/${await submit(app.client, '/api/v1/clusters/shop/stop')}`,
      ({ state }) => state === 'succeeded',
    );
    expect((await clusterOf(app.client, 'shop')).problems).toBeNull();
    await app.client.until<ProblemDto[]>('/api/v1/problems', (found) => found.length === 0);
  });
});
