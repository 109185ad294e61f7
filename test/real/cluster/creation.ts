import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type {
  ClusterDto,
  ProvisionLogDto,
} from '../../../backend/src/modules/clusters/inventory/cluster.dto.js';
import type { StatsDto } from '../../../backend/src/modules/stats/stats.dto.js';
import type { VersionsDto } from '../../../backend/src/modules/versions/version.dto.js';
import { waitFor } from '../../support/wait-for.js';
import { engines, run, tracesOf } from '../support/engines.js';
import type { RealCluster } from '../support/real-cluster.js';

/** Creates the cluster for all other parts. */
export function testCreation(cluster: RealCluster): void {
  const { engine, name } = cluster;

  it('lists the local node image in /versions', async () => {
    const { body } = await cluster.product.call<VersionsDto>('GET', '/versions');
    expect(body.tags.find((version) => version.tag.startsWith(cluster.tag))).toMatchObject({
      present_in: expect.arrayContaining([engine]),
    });
  });

  it('reports the progress of each step', async () => {
    const id = await cluster.product.create(cluster.request);
    const seen = await cluster.product.follow(id, () => false);
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
    // Most steps are reported while they run.
    expect(new Set(seen.map((job) => job.progress_step)).size).toBeGreaterThanOrEqual(5);
  });

  it('lists the cluster with the nodes of the engine', async () => {
    const { body } = await cluster.product.call<ClusterDto>('GET', `/clusters/${name}`);
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
    expect(body.node_image_tag).toBe(cluster.tag);
  });

  it('keeps the log of the creation', async () => {
    const { body } = await cluster.product.call<ProvisionLogDto>('GET', `/clusters/${name}/provision-log`);
    expect(body).toMatchObject({ cluster: name, outcome: 'succeeded' });
    const start = body.stages.find((stage) => stage.name === 'starting-control-plane');
    expect(start).toMatchObject({ outcome: 'succeeded' });
    expect(Date.parse(start?.finished_at ?? '')).toBeGreaterThan(Date.parse(start?.started_at ?? ''));
    expect(JSON.parse(cluster.product.readData('clusters', name, 'provision_log.json'))).toEqual(body);
  });

  it('returns a kubeconfig that works with kubectl and is private on disk', async () => {
    const { status, body, headers } = await cluster.product.call<string>(
      'GET',
      `/clusters/${name}/kubeconfig`,
    );
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toContain('attachment');
    const file = join(cluster.folder, 'kubeconfig');
    writeFileSync(file, body, { mode: 0o600 });
    const nodes = await run('kubectl', [
      `--kubeconfig=${file}`,
      'get',
      'nodes',
      '--output=jsonpath={range .items[*]}{.metadata.name} {.status.conditions[?(@.type=="Ready")].status}{"\\n"}{end}',
    ]);
    expect(nodes.split('\n').sort()).toEqual([`${name}-control-plane True`, `${name}-worker True`]);
    expect(statSync(join(cluster.product.dataDirectory, 'clusters', name, 'kubeconfig')).mode & 0o777).toBe(
      0o600,
    );
    expect(cluster.product.log).not.toContain('client-key-data');
  });

  it('ends after the DNS of the cluster is ready', async () => {
    const ready = await run('kubectl', [
      `--kubeconfig=${join(cluster.folder, 'kubeconfig')}`,
      '--namespace=kube-system',
      'get',
      'deployment',
      'coredns',
      '--output=jsonpath={.status.availableReplicas}',
    ]);
    expect(Number(ready)).toBeGreaterThan(0);
  });

  it('measures CPU and memory of both nodes', async () => {
    // A sample from the creation, in which a node has received almost nothing, can be up to 15 s old.
    const began = Date.now();
    let stats: StatsDto | undefined;
    const sampled = async (): Promise<boolean> => {
      stats = (await cluster.product.call<StatsDto>('GET', '/stats')).body;
      const nodes = stats.cluster_resources.find((one) => one.cluster === name)?.nodes ?? [];
      return (
        nodes.length === 2 &&
        nodes.every(
          (node) =>
            Date.parse(node.sampled_at ?? '') > began &&
            (node.cpu_percent ?? 0) > 0 &&
            (node.memory_bytes ?? 0) > 20_000_000,
        )
      );
    };
    await waitFor(sampled, 'CPU and memory usage of both nodes', 60_000);
    expect(stats?.total_workers_from_meta).toBe(1);
    expect(stats?.container_cli).not.toBe('demo');
    for (const node of stats?.cluster_resources.find((one) => one.cluster === name)?.nodes ?? []) {
      expect(node.network_rx_bytes).toBeGreaterThan(1000);
      expect(Date.now() - Date.parse(node.sampled_at ?? '')).toBeLessThan(20_000);
    }
  });

  it('rejects a second cluster with the same name on any engine with cluster_exists', async () => {
    for (const runtime of engines) {
      const { status, body } = await cluster.product.call<{ code: string }>('POST', '/clusters', {
        name,
        workers: 0,
        node_image_tag: cluster.tag,
        runtime,
      });
      expect([status, body.code]).toEqual([409, 'cluster_exists']);
    }
  });
}
