import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parser } from 'tar';
import { parse } from 'yaml';
import type { ClusterDto } from '../../backend/src/modules/clusters/index.js';
import { clusterOf, createCluster, jobEnded, clusterSpec } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

describe('clusters', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
  });

  afterAll(() => app.stop());

  it('are an empty list at first', async () => {
    expect(await app.client.get('/api/v1/clusters')).toEqual([]);
  });

  it('are created by a job with 202 and a Location', async () => {
    const answer = await app.client.send('POST', '/api/v1/clusters', {
      body: clusterSpec('first', { workers: 2 }),
    });
    expect(answer.status).toBe(202);
    const { job_id: id } = answer.body as { job_id: number };
    expect(answer.body).toEqual({ job_id: id, cluster: 'first', status_url: `/api/v1/jobs/${id}` });
    expect(answer.headers.location).toBe(`/api/v1/jobs/${id}`);
    // The config is saved before the response. The job uses it.
    const saved = parse(readFileSync(join(app.dataDirectory, 'clusters/first/cluster.yaml'), 'utf8')) as {
      nodes: { role: string; image: string }[];
    };
    expect(saved.nodes.map(({ role }) => role)).toEqual(['control-plane', 'worker', 'worker']);

    const job = await jobEnded(app.client, id);
    expect(job).toMatchObject({
      kind: 'create',
      cluster: 'first',
      state: 'succeeded',
      progress_percent: 100,
    });
    expect(job.progress_steps.every(({ state }) => state === 'succeeded')).toBe(true);

    const cluster = await clusterOf(app.client, 'first');
    expect(cluster).toMatchObject({
      name: 'first',
      runtime: 'demo',
      state: 'running',
      origin: 'created',
      control_planes: 1,
      workers: 2,
      node_image_tag: 'v1.34.4',
      kubernetes_version: 'v1.34.4',
      config_changed: false,
      active_job_id: null,
    });
    expect(cluster.nodes.map(({ name }) => name)).toEqual([
      'first-control-plane',
      'first-worker',
      'first-worker2',
    ]);
    expect(await app.client.get<ClusterDto[]>('/api/v1/clusters')).toEqual([cluster]);

    const folder = join(app.dataDirectory, 'clusters', 'first');
    expect(readdirSync(folder).sort()).toEqual([
      'applied.yaml',
      'cluster.yaml',
      'kubeconfig',
      'meta.json',
      'provision_log.json',
    ]);
    expect(statSync(join(folder, 'kubeconfig')).mode & 0o777).toBe(0o600);
    expect(statSync(app.dataDirectory).mode & 0o777).toBe(0o700);
  });

  it('have all fields of the request', async () => {
    await createCluster(app.client, 'whole', {
      workers: 1,
      control_planes: 3,
      port_mappings: [{ container_port: 80, host_port: 18_340, protocol: 'UDP' }],
      mounts: [{ host_path: '/srv/code', container_path: '/code', read_only: true }],
      runtime: 'demo',
      keep_on_failure: true,
    });
    const text = readFileSync(join(app.dataDirectory, 'clusters/whole/cluster.yaml'), 'utf8');
    const { nodes } = parse(text) as { nodes: Record<string, unknown>[] };
    expect(nodes).toHaveLength(4);
    expect(nodes[0]?.['extraPortMappings']).toEqual([
      { containerPort: 80, hostPort: 18_340, listenAddress: '127.0.0.1', protocol: 'UDP' },
    ]);
    expect(nodes[1]?.['extraPortMappings']).toBeUndefined();
    for (const node of nodes) {
      expect(node['extraMounts']).toEqual([
        { hostPath: '/srv/code', containerPath: '/code', readOnly: true },
      ]);
    }
    const cluster = await clusterOf(app.client, 'whole');
    expect(cluster).toMatchObject({ control_planes: 3, workers: 1, state: 'running' });
    expect(cluster.nodes.map(({ role }) => role)).toContain('external-load-balancer');
  });

  it('report all problems of a request with their fields', async () => {
    const answer = await app.client.send('POST', '/api/v1/clusters', {
      body: {
        name: 'Not a name',
        workers: 21,
        node_image_tag: 'latest',
        control_planes: 0,
        port_mappings: [{ container_port: 0, host_port: '80', listen_address: 'here', protocol: 'HTTP' }],
        mounts: [{ host_path: 'relative', container_path: 7, read_only: 'yes' }],
        runtime: '../docker',
        keep_on_failure: 1,
        colour: 'blue',
      },
    });
    expect(answer.status).toBe(400);
    const { code, details } = answer.body as { code: string; details: { field: string; problem: string }[] };
    expect(code).toBe('invalid_input');
    expect(details.map(({ field }) => field).sort()).toEqual([
      'colour',
      'control_planes',
      'keep_on_failure',
      'mounts[0].container_path',
      'mounts[0].host_path',
      'mounts[0].read_only',
      'name',
      'node_image_tag',
      'port_mappings[0].container_port',
      'port_mappings[0].host_port',
      'port_mappings[0].listen_address',
      'port_mappings[0].protocol',
      'runtime',
      'workers',
    ]);
    expect(details.every(({ problem }) => problem.length > 5)).toBe(true);
  });

  it.each([
    ['name', 'Not a name'],
    ['workers', 1.5],
    ['node_image_tag', '1.34'],
  ])('create no job for an invalid %s', async (field, value) => {
    const before = await app.client.get<object[]>('/api/v1/jobs');
    const answer = await app.client.send('POST', '/api/v1/clusters', {
      body: clusterSpec('wrong', { [field]: value }),
    });
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { code: 'invalid_input', details: [{ field }] },
    ]);
    expect(await app.client.get<object[]>('/api/v1/jobs')).toHaveLength(before.length);
  });

  it('reject an existing name, and report its owner', async () => {
    const answer = await app.client.send('POST', '/api/v1/clusters', { body: clusterSpec('first') });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      code: 'cluster_exists',
      details: { runtime: 'demo', state: 'running' },
    });
  });

  it('are created from a config with its comments', async () => {
    const config =
      'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n# mine\nnodes:\n- role: control-plane\n- role: worker\n';
    const more = { workers: undefined, node_image_tag: undefined, config };
    await createCluster(app.client, 'written', more);
    const text = readFileSync(join(app.dataDirectory, 'clusters/written/cluster.yaml'), 'utf8');
    expect(text).toContain('# mine');
    expect(text).toContain('name: written');
    expect(await clusterOf(app.client, 'written')).toMatchObject({ workers: 1, control_planes: 1 });
  });

  it('require accept_host_access for the host access of a config', async () => {
    const config = [
      'kind: Cluster',
      'apiVersion: kind.x-k8s.io/v1alpha4',
      'nodes:',
      '- role: control-plane',
      '  extraMounts: [{ hostPath: /var/run/docker.sock, containerPath: /var/run/docker.sock }]',
      '- role: worker',
      '  image: registry.example/evil:v1',
      'containerdConfigPatches: ["x"]',
      'networking: { apiServerAddress: 0.0.0.0 }',
    ].join('\n');
    const body = { name: 'reaching', config };
    const refused = await app.client.send('POST', '/api/v1/clusters', { body });
    expect(refused.status).toBe(422);
    const { code, details } = refused.body as { code: string; details: { kind: string }[] };
    expect(code).toBe('confirmation_required');
    expect(details.map(({ kind }) => kind).sort()).toEqual(['address', 'image', 'mount', 'patch']);
    const accepted = await app.client.send('POST', '/api/v1/clusters', {
      body: { ...body, accept_host_access: true },
    });
    expect(accepted.status).toBe(202);
    await jobEnded(app.client, (accepted.body as { job_id: number }).job_id);
  });

  it('report the position of an error in a config', async () => {
    const config = 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes:\n- role: boss\n  Image: x\n';
    const answer = await app.client.send('POST', '/api/v1/clusters', { body: { name: 'wrong', config } });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: 'config_refused' });
    const { details } = answer.body as { details: { path: string; line: number }[] };
    expect(details.map(({ path, line }) => `${line} ${path}`).sort()).toEqual([
      '4 nodes[0].role',
      '5 nodes[0].Image',
    ]);
  });

  it('can be checked before the creation', async () => {
    const check = async (body: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const answer = await app.client.send('POST', '/api/v1/clusters/check', { body });
      expect(answer.status).toBe(200);
      return answer.body as Record<string, unknown>;
    };
    const before = readdirSync(join(app.dataDirectory, 'clusters'));
    expect(await check(clusterSpec('fresh', { workers: 1 }))).toMatchObject({
      acceptable: true,
      problems: [],
      host_access: [],
      config: expect.stringContaining('name: fresh'),
      plan: {
        control_planes: 1,
        workers: 1,
        ports: [],
        memory_bytes: 1_300_000_000,
        seconds: expect.any(Number),
      },
    });
    const unlike = clusterSpec('bigger', {
      control_planes: 3,
      port_mappings: [{ container_port: 80, host_port: 18_099 }],
      addons: [{ addon: 'metrics-server' }],
    });
    expect(await check(unlike)).toMatchObject({
      plan: { control_planes: 3, ports: [{ host_port: 18_099, container_port: 80 }], seconds: null },
    });
    expect(await check(clusterSpec('first'))).toMatchObject({
      acceptable: false,
      problems: [{ field: 'name', problem: 'already exists in demo', line: null, column: null }],
    });
    const head = 'kind: Cluster   # aligned\napiVersion: kind.x-k8s.io/v1alpha4\n';
    expect(
      await check({ name: 'given', config: `${head}nodes:\n- {role: control-plane}\n---\na: 1\n` }),
    ).toMatchObject({
      acceptable: true,
      warnings: expect.arrayContaining([
        expect.stringContaining('It ignores the one that begins at line 5.'),
      ]),
      config: expect.stringMatching(
        /^kind: Cluster {3}# aligned\napi.*\nname: given\nnodes:\n- \{image: .*, role: control-plane}\n---\na: 1\n$/,
      ),
    });
    const taken = clusterSpec('ports', { port_mappings: [{ container_port: 80, host_port: app.port }] });
    expect(await check(taken)).toMatchObject({
      acceptable: false,
      problems: [{ field: 'port_mappings[0].host_port' }],
    });
    expect(await check({ name: 'bad', config: 'kind: Pod' })).toMatchObject({
      acceptable: false,
      config: null,
      plan: null,
    });
    expect(await check(clusterSpec('gone', { runtime: 'docker' }))).toMatchObject({
      acceptable: false,
      problems: [{ field: 'runtime' }],
    });
    expect(readdirSync(join(app.dataDirectory, 'clusters'))).toEqual(before);
  });

  it('have a provision log of the last creation', async () => {
    const log = await app.client.get<{ stages: { name: string; outcome: string; output: string }[] }>(
      '/api/v1/clusters/first/provision-log',
    );
    expect(log).toMatchObject({ cluster: 'first', outcome: 'succeeded' });
    expect(log.stages.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['checks', 'node-image', 'preparing-nodes', 'joining-workers', 'ready']),
    );
    expect(log.stages.every(({ outcome }) => outcome === 'succeeded')).toBe(true);
    const [first] = log.stages.filter(({ name }) => name === 'ensuring-node-image');
    expect(first?.output).toBe('Creating cluster "first" ...');
    expect(log).toEqual(
      JSON.parse(readFileSync(join(app.dataDirectory, 'clusters/first/provision_log.json'), 'utf8')),
    );
  });

  it('have a kubeconfig to download', async () => {
    const answer = await app.client.send('GET', '/api/v1/clusters/first/kubeconfig');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/yaml');
    expect(answer.headers['content-disposition']).toBe('attachment; filename="first.kubeconfig.yaml"');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(parse(answer.text)).toMatchObject({ kind: 'Config', 'current-context': 'kind-first' });
  });

  it('have a log archive with a folder per node', async () => {
    const answer = await app.client.send('GET', '/api/v1/clusters/first/node-logs');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-disposition']).toBe('attachment; filename="first-logs.tar.gz"');
    const names: string[] = [];
    await pipeline(
      Readable.from([answer.bytes]),
      new Parser({
        onReadEntry: (entry) => {
          names.push(entry.path);
          entry.resume();
        },
      }),
    );
    expect(names.filter((name) => name.endsWith('.log')).sort()).toEqual([
      'first-control-plane/containerd.log',
      'first-control-plane/images.log',
      'first-control-plane/journal.log',
      'first-control-plane/kubelet.log',
      'first-control-plane/serial.log',
      'first-worker/containerd.log',
      'first-worker/images.log',
      'first-worker/journal.log',
      'first-worker/kubelet.log',
      'first-worker/serial.log',
      'first-worker2/containerd.log',
      'first-worker2/images.log',
      'first-worker2/journal.log',
      'first-worker2/kubelet.log',
      'first-worker2/serial.log',
    ]);
    // The collection ends with the response, so the next request does not wait.
    expect((await app.client.send('GET', '/api/v1/clusters/first/node-logs')).status).toBe(200);
  });

  it('are deleted with their containers, volumes and files, which the response lists', async () => {
    const answer = await app.client.send('DELETE', '/api/v1/clusters/first');
    expect(answer.status).toBe(200);
    const deletion = answer.body as { removed: Record<string, string[]>; job_id: number };
    expect(deletion).toMatchObject({ cluster: 'first', deleted: true });
    expect(deletion.removed['containers']).toEqual(['first-control-plane', 'first-worker', 'first-worker2']);
    expect(deletion.removed['volumes']).toHaveLength(3);
    expect(deletion.removed['files']).toEqual([
      'applied.yaml',
      'cluster.yaml',
      'kubeconfig',
      'meta.json',
      'provision_log.json',
    ]);
    expect(readdirSync(join(app.dataDirectory, 'clusters'))).not.toContain('first');
    expect((await app.client.send('GET', '/api/v1/clusters/first')).status).toBe(404);
    // The allow-list of responses keeps all keys of a job result.
    const job = await app.client.get<{ result: unknown }>(`/api/v1/jobs/${deletion.job_id}`);
    expect(job.result).toEqual(deletion.removed);
  });

  it.each([
    ['GET', '/api/v1/clusters/missing', 'cluster_not_found'],
    ['GET', '/api/v1/clusters/missing?runtime=podman', 'cluster_not_found'],
    ['GET', '/api/v1/clusters/whole?runtime=docker', 'cluster_not_found'],
    ['DELETE', '/api/v1/clusters/missing', 'cluster_not_found'],
    ['GET', '/api/v1/clusters/missing/provision-log', 'cluster_not_found'],
    ['GET', '/api/v1/clusters/missing/kubeconfig', 'cluster_not_found'],
    ['GET', '/api/v1/clusters/missing/kubeconfig/docker', 'cluster_not_found'],
    ['GET', '/api/v1/clusters/missing/node-logs', 'cluster_not_found'],
    ['GET', '/api/v1/clusters/..', 'cluster_not_found'],
    ['GET', '/api/v1/clusters/%2e%2e%2f%2e%2e/kubeconfig', 'cluster_not_found'],
    ['GET', '/api/v1/clusters/whole/nothing', 'route_not_found'],
  ])('%s %s is 404 %s', async (method, path, code) => {
    const answer = await app.client.send(method, path);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ statusCode: 404, error: 'Not Found', code });
  });
});
