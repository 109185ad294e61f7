import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ClusterDto } from '../../backend/src/modules/clusters/inventory/cluster.dto.js';
import type { JobWithLogDto } from '../../backend/src/modules/jobs/job.dto.js';
import type { StatsDto } from '../../backend/src/modules/stats/stats.dto.js';
import { deleteWithKind, engines, leftOf, NOTHING, run, tracesOf } from './support/engines.js';
import type { EngineName } from '../transcripts/transcript.js';
import { waitFor } from '../support/wait-for.js';
import { Product } from './support/product.js';

jest.setTimeout(300_000);

/** Starts a container that takes an address on the network `kind`. Docker assigns the first free address. */
async function takeAddress(engine: EngineName, name: string, address: string): Promise<void> {
  const image = process.env['APP_TEST_NODE_IMAGE'] ?? 'kindest/node:v1.37.0';
  await run(engine, [
    'run',
    '--detach',
    `--name=${name}`,
    '--network=kind',
    ...(engine === 'podman' ? [`--ip=${address}`] : []),
    '--entrypoint=sleep',
    image,
    '600',
  ]);
}

describe.each(engines)('a cluster with three control planes and one worker on %s', (engine) => {
  const name = `several-${engine}`;
  const squatter = `${name}-squatter`;
  const loadBalancer = `${name}-external-load-balancer`;
  const containers = [
    `${name}-control-plane`,
    `${name}-control-plane2`,
    `${name}-control-plane3`,
    loadBalancer,
    `${name}-worker`,
  ];
  let product: Product;

  const readMeta = (): { node_addresses: Record<string, string> } =>
    JSON.parse(product.readData('clusters', name, 'meta.json')) as { node_addresses: Record<string, string> };
  const cluster = async (): Promise<ClusterDto> =>
    (await product.call<ClusterDto>('GET', `/clusters/${name}`)).body;

  const change = (action: string): Promise<JobWithLogDto> => product.change(name, action);

  const clean = async (): Promise<void> => {
    await deleteWithKind(engine, name);
    await run(engine, ['rm', '--force', squatter]).catch(() => undefined);
  };

  beforeAll(async () => {
    await clean();
    product = await Product.started();
  });

  afterAll(async () => {
    await product.discard();
    await clean();
  });

  it('is created with a load balancer that is not a node', async () => {
    const tag = await product.nodeImageTag();
    const id = await product.create({
      name,
      control_planes: 3,
      workers: 1,
      node_image_tag: tag,
      runtime: engine,
    });
    const job = await product.ended(id);
    expect([job.state, job.error]).toEqual(['succeeded', null]);
    expect(job.progress_steps.map(({ name: step, state }) => `${step} ${state}`)).toEqual(
      expect.arrayContaining(['configuring-load-balancer succeeded', 'joining-control-planes succeeded']),
    );
    const record = await cluster();
    expect(record).toMatchObject({ state: 'running', control_planes: 3, workers: 1 });
    expect(record.nodes.map((node) => node.name).sort()).toEqual([...containers].sort());
    // The API server address is that of the load balancer.
    const kubeconfig = (await product.call<string>('GET', `/clusters/${name}/kubeconfig`)).body;
    expect(kubeconfig).toContain(`server: ${record.api_server ?? 'none'}`);
  });

  it('measures memory of all five containers', async () => {
    const sampled = async (): Promise<boolean> => {
      const { body } = await product.call<StatsDto>('GET', '/stats');
      const nodes = body.cluster_resources.find((one) => one.cluster === name)?.nodes ?? [];
      return nodes.length === 5 && nodes.every((node) => (node.memory_bytes ?? 0) > 0);
    };
    await waitFor(sampled, 'memory of all nodes', 60_000);
    expect((await product.call<StatsDto>('GET', '/stats')).body.total_workers_from_meta).toBe(1);
  });

  it('stops with its load balancer', async () => {
    const job = await change('stop');
    expect(job.state).toBe('succeeded');
    const stopped = await cluster();
    expect(stopped.state).toBe('stopped');
    expect(stopped.nodes.map(({ state }) => state)).toEqual(Array(5).fill('exited'));
  });

  it('starts with the same addresses', async () => {
    const before = readMeta().node_addresses;
    const start = await change('start');
    expect([start.state, start.warnings]).toEqual(['succeeded', []]);
    const started = await cluster();
    expect(started).toMatchObject({ state: 'running', state_reason: null });
    expect(Object.fromEntries(started.nodes.map((node) => [node.name, node.address]))).toEqual(before);
  });

  // Case K12: after a reboot, the engine starts the nodes in any order, and their addresses move.
  it('is ready again, or says why not, after its containers started in reverse order', async () => {
    await run(engine, ['stop', '--time=20', ...containers]);
    for (const container of [...containers].reverse()) await run(engine, ['start', container]);
    const startedAt = performance.now();
    const { status, body } = await product.call<{ job_id: number }>('POST', `/clusters/${name}/start`);
    // Started outside, so there may be nothing left to start.
    const job = status === 202 ? await product.ended(body.job_id) : null;
    expect([status, job?.state ?? null]).toEqual(job === null ? [409, null] : [202, 'succeeded']);
    const settled = async (): Promise<boolean> => {
      const { state, state_reason: reason } = await cluster();
      return state === 'running' || /has the address [\d.]+, but etcd/.test(reason ?? '');
    };
    await waitFor(settled, 'a cluster that is running, or the moved addresses', 120_000);
    expect(performance.now() - startedAt).toBeLessThan(180_000);
  });

  it('is degraded after a start with another address, and names the control plane', async () => {
    await change('stop');
    await takeAddress(engine, squatter, readMeta().node_addresses[`${name}-control-plane2`] ?? '');
    const start = await change('start');
    expect(start.state).toBe('succeeded');
    const { state, state_reason: reason } = await cluster();
    expect(state).toBe('degraded');
    expect(reason).toMatch(
      new RegExp(
        `${name}-control-plane\\d? has the address [\\d.]+, but etcd on the other control planes expects [\\d.]+`,
      ),
    );
  });

  // It takes minutes with four nodes, and adopted.spec.ts tests a recreation on each engine.
  if (engine === 'docker') {
    it('is running again after a recreation', async () => {
      const job = await change('recreate');
      expect([job.state, job.error]).toEqual(['succeeded', null]);
      expect(job.result).toMatchObject({ removed: { containers: [...containers].sort() } });
      expect(await cluster()).toMatchObject({ state: 'running', control_planes: 3, workers: 1 });
    });
  }

  it('deletes the load balancer and all volumes', async () => {
    const had = await tracesOf(engine, name);
    expect(had.containers).toHaveLength(5);
    const { status, body } = await product.call<{ job_id: number }>('DELETE', `/clusters/${name}`);
    // Podman may need longer for five containers than the request waits.
    expect([200, 202]).toContain(status);
    const job = await product.ended(body.job_id);
    expect(job).toMatchObject({ state: 'succeeded', result: { containers: had.containers } });
    expect(await leftOf(engine, name, had)).toEqual(NOTHING);
  });
});
