import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type {
  ClusterDto,
  DeletionDto,
  ProvisionLogDto,
} from '../../backend/src/modules/clusters/cluster.dto.js';
import type { JournalPageDto } from '../../backend/src/modules/journal/journal.dto.js';
import type { StatsDto } from '../../backend/src/modules/stats/stats.dto.js';
import type { VersionsDto } from '../../backend/src/modules/versions/version.dto.js';
import { deleteWithKind, engines, run, leftOf, NOTHING, tracesOf } from './support/engines.js';
import { waitFor } from '../support/wait-for.js';
import { Product } from './support/product.js';

jest.setTimeout(300_000);

describe.each(engines)('a cluster of one control plane and one worker on %s', (engine) => {
  const name = `real-${engine}`;
  const folder = mkdtempSync(join(tmpdir(), 'slipway-kubectl-'));
  let product: Product;
  let tag: string;

  beforeAll(async () => {
    await deleteWithKind(engine, name);
    product = await Product.started();
    tag = await product.nodeImageTag();
  });

  afterAll(async () => {
    await product.discard();
    await deleteWithKind(engine, name);
    rmSync(folder, { recursive: true, force: true });
  });

  it('is offered the node image that is here', async () => {
    const { body } = await product.call<VersionsDto>('GET', '/versions');
    expect(body.tags.find((version) => version.tag.startsWith(tag))).toMatchObject({
      present_in: expect.arrayContaining([engine]),
    });
  });

  it('is created by a job that tells the truth at each step', async () => {
    const asked = performance.now();
    const id = await product.create({ name, workers: 1, node_image_tag: tag, runtime: engine });
    expect(performance.now() - asked).toBeLessThan(1000);
    const seen = await product.follow(id, () => false);
    const last = seen.at(-1);
    expect(last).toMatchObject({ state: 'succeeded', progress_percent: 100, error: null });
    const percents = seen.map((job) => job.progress_percent);
    expect(percents).toEqual([...percents].sort((one, other) => one - other));
    expect(seen.filter((job) => job.state !== 'succeeded' && job.progress_percent >= 100)).toEqual([]);
    expect(last?.progress_steps.map((step) => [step.name, step.state])).toEqual(
      [
        'checks',
        'node-image',
        'ensuring-node-image',
        'preparing-nodes',
        'writing-configuration',
        'starting-control-plane',
        'installing-cni',
        'installing-storage-class',
        'joining-workers',
        'kubeconfig',
        'ready',
      ].map((step) => [step, 'succeeded']),
    );
    // kind's own words, live: most steps were seen while they ran.
    expect(new Set(seen.map((job) => job.progress_step)).size).toBeGreaterThanOrEqual(5);
  });

  it('is listed with its nodes as the engine has them', async () => {
    const { body } = await product.call<ClusterDto>('GET', `/clusters/${name}`);
    expect(body).toMatchObject({
      name,
      runtime: engine,
      state: 'running',
      origin: 'created',
      control_planes: 1,
      workers: 1,
      active_job_id: null,
    });
    expect(body.nodes.map((node) => node.name).sort()).toEqual((await tracesOf(engine, name)).containers);
    expect(body.node_image_tag).toBe(tag);
  });

  it('keeps the log of its creation', async () => {
    const { body } = await product.call<ProvisionLogDto>('GET', `/clusters/${name}/provision-log`);
    expect(body).toMatchObject({ cluster: name, outcome: 'succeeded' });
    const start = body.stages.find((stage) => stage.name === 'starting-control-plane');
    expect(start).toMatchObject({ outcome: 'succeeded' });
    expect(Date.parse(start?.finished_at ?? '')).toBeGreaterThan(Date.parse(start?.started_at ?? ''));
    expect(JSON.parse(product.readData('clusters', name, 'provision_log.json'))).toEqual(body);
  });

  it('gives a kubeconfig that kubectl works with, private on disk', async () => {
    const { status, body, headers } = await product.call<string>('GET', `/clusters/${name}/kubeconfig`);
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toContain('attachment');
    const file = join(folder, 'kubeconfig');
    writeFileSync(file, body, { mode: 0o600 });
    const nodes = await run('kubectl', [
      `--kubeconfig=${file}`,
      'get',
      'nodes',
      '--output=jsonpath={range .items[*]}{.metadata.name} {.status.conditions[?(@.type=="Ready")].status}{"\\n"}{end}',
    ]);
    expect(nodes.split('\n').sort()).toEqual([`${name}-control-plane True`, `${name}-worker True`]);
    expect(statSync(join(product.dataDirectory, 'clusters', name, 'kubeconfig')).mode & 0o777).toBe(0o600);
    expect(product.log).not.toContain('client-key-data');
  });

  it('has DNS that works when the job says that all is ready', async () => {
    const ready = await run('kubectl', [
      `--kubeconfig=${join(folder, 'kubeconfig')}`,
      '--namespace=kube-system',
      'get',
      'deployment',
      'coredns',
      '--output=jsonpath={.status.availableReplicas}',
    ]);
    expect(Number(ready)).toBeGreaterThan(0);
  });

  it('shows live figures of both nodes', async () => {
    await product.call('GET', '/stats');
    let stats: StatsDto | undefined;
    const sampled = async (): Promise<boolean> => {
      stats = (await product.call<StatsDto>('GET', '/stats')).body;
      const nodes = stats.cluster_resources.find((cluster) => cluster.cluster === name)?.nodes ?? [];
      return nodes.length === 2 && nodes.every((node) => (node.cpu_percent ?? 0) > 0);
    };
    await waitFor(sampled, 'the figures of both nodes', 60_000);
    expect(stats?.total_workers_from_meta).toBe(1);
    expect(stats?.container_cli).not.toBe('demo');
    for (const node of stats?.cluster_resources.find((cluster) => cluster.cluster === name)?.nodes ?? []) {
      expect(node.memory_bytes).toBeGreaterThan(20_000_000);
      expect(node.network_rx_bytes).toBeGreaterThan(1000);
      expect(Date.now() - Date.parse(node.sampled_at ?? '')).toBeLessThan(10_000);
    }
  });

  it('refuses a second cluster of its name, whichever engine is named', async () => {
    for (const runtime of engines) {
      const { status, body } = await product.call<{ code: string }>('POST', '/clusters', {
        name,
        workers: 0,
        node_image_tag: tag,
        runtime,
      });
      expect([status, body.code]).toEqual([409, 'cluster_exists']);
    }
  });

  it('is degraded within five seconds once a node is killed behind our back', async () => {
    await run(engine, ['kill', `${name}-worker`]);
    const killed = performance.now();
    const degraded = async (): Promise<boolean> =>
      (await product.call<ClusterDto>('GET', `/clusters/${name}`)).body.state === 'degraded';
    await waitFor(degraded, 'the state degraded');
    expect(performance.now() - killed).toBeLessThan(5000);
    const { body } = await product.call<ClusterDto>('GET', `/clusters/${name}`);
    expect(body.state_reason).toContain(`${name}-worker is not running, exit status 137`);
    const told = async (): Promise<boolean> => {
      const journal = await product.call<JournalPageDto>('GET', `/journal/recent?cluster=${name}`);
      return journal.body.entries.some((entry) => entry.subject === `${name}-worker`);
    };
    await waitFor(told, 'the entry of the journal', 5000);
  });

  it('is deleted with its containers, volumes and files', async () => {
    const had = await tracesOf(engine, name);
    expect(had.volumes).toHaveLength(2);
    const { status, body } = await product.call<DeletionDto>('DELETE', `/clusters/${name}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ cluster: name, deleted: true });
    expect(body.removed.containers).toEqual([`${name}-control-plane`, `${name}-worker`]);
    expect(body.removed.volumes).toEqual(had.volumes);
    expect(await leftOf(engine, name, had)).toEqual(NOTHING);
    expect((await product.clusters()).map((cluster) => cluster.name)).not.toContain(name);
    expect((await product.call('GET', `/clusters/${name}`)).status).toBe(404);
    expect(() => product.readData('clusters', name, 'cluster.yaml')).toThrow('ENOENT');
  });

  it('is in the journal from beginning to end', async () => {
    const { body } = await product.call<JournalPageDto>('GET', `/journal/recent?cluster=${name}&limit=200`);
    const told = body.entries.map((entry) => `${entry.kind} ${entry.outcome}`);
    expect(told).toEqual(['delete succeeded', 'node-stopped failed', 'create succeeded']);
    expect(body.entries.find((entry) => entry.kind === 'create')?.duration_ms).toBeGreaterThan(5000);
  });
});
