import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClusterKubeconfig } from '../../backend/src/drivers/kubernetes/cluster-kubeconfig.js';
import type { DiagnosisDto } from '../../backend/src/modules/diagnosis/diagnosis.dto.js';
import type { ExternalClusterDetailsDto } from '../../backend/src/modules/external-clusters/external-clusters.dto.js';
import type { RolloutDto } from '../../backend/src/modules/resource-changes/rollout/rollout.dto.js';
import type { OpenAPIObject } from '@nestjs/swagger';
import { SignInLinks } from '../../backend/src/modules/auth/sign-in-links.js';
import type { ResourceTableDto } from '../../backend/src/modules/resources/common/resource.dto.js';
import { createToken } from '../support/app/access-tokens.js';
import { createCluster, jobEnded, requestCluster, clusterSpec } from '../support/app/clusters.js';
import { ScriptedApiServer } from '../support/engine/scripted-api-server.js';
import { targetOf } from '../support/engine/target-of.js';
import { makeDemoCluster } from '../support/kubernetes/demo-cluster.js';
import { packChart, shopChart } from '../support/charts/own-chart.js';
import { dockerArchive } from '../support/images/archives.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { OWN_PAGE, signIn } from '../support/app/signed-in.js';
import { startApp, type TestApp } from '../support/app/start-app.js';
import { waitFor } from '../support/wait-for.js';
import type { ApiResponse } from '../support/app/api-client.js';

const FILES = '/api/v1/clusters/{name}/pods/{namespace}/{pod}/files';

/** Calls each addon route, changes also as a dry run. */
async function changeAddons({ client }: TestApp): Promise<void> {
  const addons = '/api/v1/clusters/kept/addons';
  const done = async (method: string, path: string, body?: object): Promise<void> => {
    if (method !== 'DELETE') {
      await client.send(method, `${addons}${path}`, { body: { ...body, dry_run: true } });
    }
    const answer = await client.send(method, `${addons}${path}`, body ? { body } : {});
    await jobEnded(client, (answer.body as { job_id: number }).job_id);
  };
  const repository = { name: 'own', url: 'https://127.0.0.1:8443/charts' };
  await client.send('POST', `${addons}/repositories`, { body: repository });
  await client.send('POST', `${addons}/charts`, {
    text: await packChart(shopChart('1.0.0')),
    headers: { 'content-type': 'application/gzip' },
  });
  await done('POST', '', { repository: 'uploaded', chart: 'shop' });
  await done('PUT', '/releases/shop', { values: 'replicas: 2\n' });
  await done('POST', '/releases/shop/rollback', { revision: 1 });
  for (const path of [
    '',
    '/installed',
    '/releases/shop',
    '/charts?addon=kiali',
    '/repositories',
    '/repositories/uploaded',
    '/forwards',
  ]) {
    await client.get(`${addons}${path}`);
  }
  const open = (): Promise<ApiResponse> =>
    client.send('POST', `${addons}/releases/shop/forward`, { body: {} });
  await waitFor(async () => (await open()).status === 201, 'a ready Pod of the release');
  const { id } = (await open()).body as { id: string };
  await client.send('DELETE', `${addons}/forwards/${id}`);
  await done('DELETE', '/releases/shop');
  await client.send('DELETE', `${addons}/charts/shop/1.0.0`);
  await client.send('DELETE', `${addons}/repositories/own`);
}

/** Calls each route of port-forwards. */
async function forwardPorts({ client }: TestApp): Promise<void> {
  const forwards = '/api/v1/clusters/kept/forwards';
  const body = { plural: 'deployments', namespace: 'kube-system', object: 'coredns', port: 'dns-tcp' };
  await client.send('POST', forwards, { body });
  const [started] = await client.get<{ id: string }[]>(forwards);
  await client.send('DELETE', `${forwards}/${started?.id ?? ''}`);
}

/** Calls each route that changes resources. */
async function changeResources({ client }: TestApp): Promise<void> {
  const resources = '/api/v1/clusters/kept/resources';
  const deployment = `${resources}/apps/v1/deployments/coredns`;
  const node = `${resources}/core/v1/nodes/kept-worker`;
  const secret = `${resources}/core/v1/secrets/kept?namespace=default`;
  const { yaml } = await client.get<{ yaml: string }>(secret);
  await client.send('PUT', secret, { body: { yaml } });
  await client.send('DELETE', secret);
  await client.send('POST', `${deployment}/scale?namespace=kube-system`, { body: { replicas: 2 } });
  await client.send('POST', `${deployment}/restart?namespace=kube-system`);
  await client.until<RolloutDto>(
    `${deployment}/rollout?namespace=kube-system`,
    ({ revisions }) => revisions.length > 1,
  );
  for (const change of ['undo', 'pause', 'resume']) {
    await client.send('POST', `${deployment}/rollout/${change}?namespace=kube-system`, { body: {} });
  }
  await client.send('POST', `${resources}/apps/v1/deployments/effects`, {
    body: { action: 'restart', objects: [{ namespace: 'kube-system', name: 'coredns' }] },
  });
  await client.send('POST', `${deployment}/image?namespace=kube-system`, {
    body: { images: [{ container: 'coredns', image: 'own:1' }], accept_missing: true },
  });
  await client.send('POST', `${deployment}/expose?namespace=kube-system`, { body: { port: 'metrics' } });
  await client.until<DiagnosisDto>(
    `${resources}/apps/v1/deployments/reports/diagnosis?namespace=shop`,
    ({ causes }) => causes.length > 0,
  );
  await client.send('POST', `${resources}/apps/v1/deployments/reports/fix?namespace=shop`, {
    body: { fix: 'set_image', parameters: { image: 'shop/web:1.4.0' } },
  });
  for (const change of ['run', 'suspend', 'resume']) {
    await client.send('POST', `${resources}/batch/v1/cronjobs/nightly-totals/${change}?namespace=shop`);
  }
  await client.send('POST', `${node}/cordon`);
  await client.send('POST', `${node}/uncordon`);
  const pods = await client.get<ResourceTableDto>(
    `${resources}/core/v1/pods?namespace=kube-system&search=coredns`,
  );
  const body = { namespace: 'kube-system', name: pods.rows[0]?.name };
  const pod = `/api/v1/clusters/kept/pods/kube-system/${body.name ?? ''}`;
  await client.send('GET', `${pod}/containers`);
  await client.send('GET', `${pod}/logs?container=coredns`);
  await client.send('POST', '/api/v1/clusters/kept/pods/restart', { body });
  // The disruption budgets of the demo block it.
  const drain = await client.send('POST', `${node}/drain`);
  const { job_id: id } = drain.body as { job_id: number };
  await client.send('POST', `/api/v1/jobs/${id}/cancel`);
  await jobEnded(client, id);
}

/** Calls each sign-in route. */
/** Calls each route of external clusters, with a cluster of the demo behind TLS. */
async function addExternalClusters({ client, dataDirectory }: TestApp): Promise<void> {
  const api = await ScriptedApiServer.start();
  const { world, remove } = await makeDemoCluster();
  api.behind = world.apiServer('demo');
  const { kubeconfig } = targetOf(api);
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'true', interactiveMode: 'Never' };
  const file = {
    clusters: [{ name: 'c', cluster: { server: api.address } }],
    users: [{ name: 'c', user: { exec } }],
    contexts: [{ name: 'plugged', context: { cluster: 'c', user: 'c' } }],
  };
  mkdirSync(join(dataDirectory, '.kube'));
  writeFileSync(join(dataDirectory, '.kube', 'config'), JSON.stringify(file));
  const external = '/api/v1/external-clusters';
  try {
    await client.get(`${external}/contexts`);
    const text = kubeconfig instanceof ClusterKubeconfig ? kubeconfig.text : '';
    await client.send('POST', external, { body: { kubeconfig: text, name: 'pasted' } });
    await client.send('POST', external, { body: { context: 'plugged' } });
    const { plugin } = await client.get<ExternalClusterDetailsDto>(`${external}/plugged`);
    await client.send('POST', `${external}/plugged/consent`, { body: { fingerprint: plugin?.fingerprint } });
    await client.send('PATCH', `${external}/pasted`, { body: { note: 'Ask first.' } });
    await client.send('POST', `${external}/pasted/check`);
    await client.get(`${external}/pasted/history-estimate?namespace=kube-system`);
    for (const name of ['pasted', 'plugged']) await client.send('DELETE', `${external}/${name}`);
  } finally {
    await api.stop();
    await remove();
  }
}

async function signInAndOut(app: TestApp): Promise<void> {
  const { client } = app;
  const { bearer: headers, cookie } = await signIn(app);
  const other = await signIn(app);
  await client.send('POST', '/api/auth/link', { body: { token: app.nest.get(SignInLinks).issue() } });
  await client.send('POST', '/api/auth/token', { headers: { ...OWN_PAGE, cookie } });
  await client.send('POST', '/api/auth/renewal', { headers: { ...OWN_PAGE, cookie } });
  await client.send('POST', '/api/auth/ticket', { headers });
  await client.send('GET', '/api/auth/me', { headers });
  await client.send('GET', '/api/auth/sessions', { headers });
  const { id } = await createToken(app, {}, headers);
  await client.send('GET', '/api/auth/tokens', { headers });
  await client.send('POST', '/api/auth/links', { headers });
  await client.send('GET', '/api/auth/exemption', { headers });
  await client.send('PUT', '/api/auth/viewer-password', { headers, body: { password: null } });
  await client.send('DELETE', `/api/auth/tokens/${id}`, { headers });
  await client.send('DELETE', `/api/auth/sessions/${other.id}`, { headers });
  await client.send('DELETE', '/api/auth/sessions', { headers });
  await client.send('POST', '/api/auth/logout', { headers });
}

describe('the OpenAPI document', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({
      environment: { APP_CHART_HOSTS: '127.0.0.1:8443', APP_PASS: LOG_BOARD_PASSWORD },
    });
  });

  afterAll(() => app.stop());

  it('is served as JSON and YAML', async () => {
    const document = await app.client.get<OpenAPIObject>('/openapi.json');
    expect(document.openapi).toMatch(/^3\./);
    expect(Object.keys(document.paths)).toContain('/api/v1/clusters/{name}');
    const yaml = await app.client.send('GET', '/openapi.yaml');
    expect(yaml.text).toContain('/api/v1/clusters/{name}');
  });

  it('has its paths below /api/v1, and those of the sign-in below /api/auth', async () => {
    const { info, paths } = await app.client.get<OpenAPIObject>('/openapi.json');
    expect(info.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(Object.keys(paths).filter((path) => !/^\/api\/(v1|auth)\//.test(path))).toEqual([]);
  });

  it('describes the successful response of every route', async () => {
    // The client checks each response against the document.
    const { client } = app;
    await signInAndOut(app);
    await createCluster(client, 'kept', { workers: 1 });
    await client.send('POST', '/api/v1/clusters/check', { body: clusterSpec('other') });
    const id = await requestCluster(client, 'ended', { node_image_tag: 'v1.37.0' });
    await client.send('POST', `/api/v1/jobs/${id}/cancel`);
    await jobEnded(client, id);
    for (const path of [
      '/clusters',
      '/clusters/kept',
      '/clusters/kept/config/schema',
      '/clusters/kept/config',
      '/clusters/kept/config/applied',
      '/clusters/kept/recreate/check',
      '/clusters/kept/provision-log',
      '/clusters/kept/recreate/check',
      '/clusters/kept/kubeconfig',
      '/clusters/kept/kubeconfig/docker?variant=network',
      '/clusters/kept/kubeconfig/merge',
      '/clusters/kept/node-logs',
      '/clusters/kept/images',
      '/clusters/kept/overview',
      '/clusters/kept/pods/usage',
      '/clusters/kept/pods/placement',
      '/clusters/kept/resources',
      '/clusters/kept/resources/core/v1/configmaps',
      '/clusters/kept/resources/core/v1/namespaces/default',
      '/clusters/kept/resources/core/v1/namespaces/default/events',
      '/clusters/kept/resources/core/v1/namespaces/default/diagnosis',
      '/clusters/kept/resources/apps/v1/deployments/web/rollout?namespace=shop',
      '/clusters/kept/problems',
      '/problems',
      '/clusters/kept/resources/apps/v1/deployments/web/map?namespace=shop',
      '/search?q=kube',
      '/addons',
      '/images',
      '/images/usage',
      '/jobs',
      `/jobs/${id}`,
      '/journal/recent',
      '/journal/export',
      '/journal/1',
      '/stats',
      '/stats/history',
      '/versions',
      '/health',
      '/diagnostics',
      '/diagnostics/bundle',
      '/diagnostics/bundle/content',
      '/docs',
      '/docs/readme',
      '/docs/install',
    ]) {
      expect([path, (await client.send('GET', `/api/v1${path}`)).status]).toEqual([path, 200]);
    }
    const yaml = 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: kept\nstringData:\n  key: value\n';
    await client.send('POST', '/api/v1/clusters/kept/resources/apply', { body: { yaml } });
    const reveal = '/api/v1/clusters/kept/resources/core/v1/secrets/kept/reveal?namespace=default';
    expect((await client.send('POST', reveal, { body: { key: 'key' } })).status).toBe(200);
    // Before the drain, after which addon pods could not be scheduled.
    await changeAddons(app);
    await changeResources(app);
    await forwardPorts(app);
    await addExternalClusters(app);
    for (const request of [
      { path: 'load', body: { images: ['shop/web:1.4.0'] } },
      {
        path: 'upload',
        text: dockerArchive(['kept/app:dev']).bytes,
        headers: { 'content-type': 'application/x-tar' },
      },
    ]) {
      const { body } = await client.send('POST', `/api/v1/clusters/kept/images/${request.path}`, request);
      await jobEnded(client, (body as { job_id: number }).job_id);
    }
    for (const kind of ['pause', 'unpause', 'stop', 'start', 'recreate']) {
      const { body } = await client.send('POST', `/api/v1/clusters/kept/${kind}`);
      await jobEnded(client, (body as { job_id: number }).job_id);
    }
    const config = await client.send('GET', '/api/v1/clusters/kept/config');
    const change = {
      body: { config: config.text },
      headers: { 'if-match': config.headers.etag ?? '', accept: 'application/json' },
    };
    expect((await client.send('PUT', '/api/v1/clusters/kept/config', change)).status).toBe(200);
    expect((await client.send('POST', '/api/v1/clusters/kept/config/check', change)).status).toBe(200);
    const labeled = {
      text: config.text.replace('- role: worker', '- role: worker\n    labels: {disk: ssd}'),
    };
    await client.send('PUT', '/api/v1/clusters/kept/config', {
      ...labeled,
      headers: { 'content-type': 'application/yaml', accept: 'application/json' },
    });
    expect((await client.send('POST', '/api/v1/clusters/kept/config/labels')).status).toBe(200);
    await client.send('POST', '/api/v1/clusters/kept/clone/check', { body: { name: 'kept-2' } });
    const clone = await client.send('POST', '/api/v1/clusters/kept/clone', { body: { name: 'kept-2' } });
    await jobEnded(client, (clone.body as { job_id: number }).job_id);
    const pruned = { runtime: 'demo', images: [`sha256:${'0'.repeat(64)}`] };
    const prune = await client.send('POST', '/api/v1/images/prune', { body: pruned });
    await jobEnded(client, (prune.body as { job_id: number }).job_id);
    await client.send('POST', '/api/v1/clusters/kept/kubeconfig/merge', { body: {} });
    await client.send('DELETE', '/api/v1/clusters/kept/kubeconfig/merge');
    await client.send('DELETE', '/api/v1/clusters/kept');
    await client.send('DELETE', '/api/v1/jobs');
    await client.send('GET', '/api/v1/health/status');
    const unseen = app.contract.documentedSuccesses.filter((success) => !app.seen.has(success));
    expect(unseen).toEqual([
      // The unit spec of the controller covers a deletion that takes long.
      'DELETE /api/v1/clusters/{name} 202',
      // Containers of the demo have no files; the real suite reads and writes those of real containers.
      `GET ${FILES} 200`,
      `GET ${FILES}/text 200`,
      `PUT ${FILES}/text 200`,
      `GET ${FILES}/content 200`,
      `PUT ${FILES}/content 200`,
      // It follows until the client disconnects; its own spec reads it.
      'GET /api/v1/clusters/{name}/pods/{namespace}/logs 200',
      // The API server of the demo publishes no schemas; the spec of schemas and the real suite read them.
      'GET /api/v1/clusters/{name}/schemas/{group}/{version}/{plural} 200',
    ]);
  });
});

describe('the server log', () => {
  it('contains no secrets', async () => {
    const secrets = {
      APP_PASS: 'correct-horse-battery-staple',
      SECRET_KEY: '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0',
      ENCRYPTION_KEY: 'a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5061728394a5b6c7d8e9f',
    };
    const app = await startApp({ environment: { ...secrets, APP_LOG_LEVEL: 'trace' } });
    await createCluster(app.client, 'quiet');
    const kubeconfig = await app.client.send('GET', '/api/v1/clusters/quiet/kubeconfig');
    const bearer = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';
    await app.client.send('GET', `/api/v1/clusters/quiet?token=${bearer}`);
    await app.client.send('GET', '/api/v1/clusters', { headers: { authorization: `Bearer ${bearer}` } });
    await app.client.send('GET', `/nothing/${secrets.APP_PASS}?password=hunter2hunter2`);
    await app.client.send('POST', '/api/v1/clusters', { body: { password: 'hunter2hunter2', name: bearer } });
    const log = app.log();
    expect(log.length).toBeGreaterThan(1000);
    expect(kubeconfig.text).toContain('users:');
    for (const secret of [...Object.values(secrets), bearer, 'hunter2hunter2', 'kind: Config']) {
      expect([secret, log.includes(secret)]).toEqual([secret, false]);
    }
    await app.stop();
  });

  it('has one line per entry, without control characters of clients', async () => {
    const app = await startApp();
    await app.client.send('GET', '/api/v1/%0a%7b%22level%22%3a%22fatal%22%7d%1b%5b31m');
    await app.client.send('GET', '/nothing', {
      headers: { 'user-agent': '\u001b[31m'.replace('\u001b', '') },
    });
    for (const line of app.log().split('\n').filter(Boolean)) {
      const entry = JSON.parse(line) as { level: string };
      expect(entry.level).not.toBe('fatal');
      expect(line).not.toMatch(/[\u0000-\u001f]/);
    }
    await app.stop();
  });
});
