import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ClusterDto } from '../../backend/src/modules/clusters/cluster.dto.js';
import type { JobWithLogDto } from '../../backend/src/modules/jobs/job.dto.js';
import { waitFor } from '../support/wait-for.js';
import { deleteWithKind, engines, run } from './support/engines.js';
import { Product } from './support/product.js';

jest.setTimeout(300_000);

describe.each(engines)('the life of a cluster on %s', (engine) => {
  const name = `life-${engine}`;
  const nodes = [`${name}-control-plane`, `${name}-worker`];
  let product: Product;

  beforeAll(async () => {
    await deleteWithKind(engine, name);
    product = await Product.started();
    const tag = await product.nodeImageTag();
    const id = await product.create({ name, workers: 1, node_image_tag: tag, runtime: engine });
    expect((await product.ended(id)).state).toBe('succeeded');
  });

  afterAll(async () => {
    await product.discard();
    await deleteWithKind(engine, name);
  });

  const ask = async (kind: 'start' | 'stop' | 'pause' | 'unpause'): Promise<JobWithLogDto> => {
    const { status, body } = await product.call<{ job_id: number }>('POST', `/clusters/${name}/${kind}`);
    if (status !== 202) throw new Error(`${kind} answered ${status}: ${JSON.stringify(body)}`);
    return await product.ended(body.job_id);
  };
  const cluster = async (): Promise<ClusterDto> =>
    (await product.call<ClusterDto>('GET', `/clusters/${name}`)).body;
  /** What the engine itself says of each node. */
  const containers = async (format: string): Promise<string[]> =>
    await Promise.all(nodes.map((node) => run(engine, ['inspect', `--format=${format}`, node])));
  /** An engine's kill returns when the signal is sent, which may be before the container ends. */
  const kill = async (...names: string[]): Promise<void> => {
    await run(engine, ['kill', ...names]);
    await run(engine, ['wait', ...names]);
  };
  /** An engine that is slow at the moment is answered for with what it said a moment ago. */
  const becomes = async (state: ClusterDto['state']): Promise<void> => {
    await waitFor(async () => (await cluster()).state === state, `${name} ${state}`, 5000);
  };
  const kubectl = async (...args: string[]): Promise<string> =>
    await run('kubectl', [
      `--kubeconfig=${join(product.dataDirectory, 'clusters', name, 'kubeconfig')}`,
      ...args,
    ]);
  const secondsOf = ({ started_at: from, finished_at: to }: JobWithLogDto): number =>
    (Date.parse(to ?? '') - Date.parse(from ?? '')) / 1000;

  it('stops: its containers end, and would stay so when the engine restarts', async () => {
    const job = await ask('stop');
    expect(job).toMatchObject({
      state: 'succeeded',
      warnings: [],
      result: { stopped: [nodes[1], nodes[0]] },
    });
    expect(await containers('{{.State.Status}}')).toEqual(['exited', 'exited']);
    if (engine === 'docker') {
      expect(await containers('{{.HostConfig.RestartPolicy.Name}}')).toEqual(['no', 'no']);
    }
    expect(await cluster()).toMatchObject({ state: 'stopped', stopped_unexpectedly: false });
    // The grace is half a minute: an orderly end takes a fraction of it.
    expect(secondsOf(job)).toBeLessThan(25);
  });

  it('starts: nodes that were heard of since, and a cluster that takes writes', async () => {
    const job = await ask('start');
    expect(job).toMatchObject({
      state: 'succeeded',
      warnings: [],
      result: { started: nodes, degraded: null },
    });
    expect(await containers('{{.State.Status}}')).toEqual(['running', 'running']);
    if (engine === 'docker') {
      const policy = '{{.HostConfig.RestartPolicy.Name}}:{{.HostConfig.RestartPolicy.MaximumRetryCount}}';
      expect(await containers(policy)).toEqual(['on-failure:1', 'on-failure:1']);
    }
    expect(await cluster()).toMatchObject({ state: 'running', state_reason: null });
    const ready = await kubectl(
      'get',
      'nodes',
      '--output=jsonpath={range .items[*]}{.status.conditions[?(@.type=="Ready")].status} {end}',
    );
    expect(ready.trim()).toBe('True True');
    await kubectl('create', 'configmap', 'written-after-the-start', '--from-literal=key=value');
    expect(secondsOf(job)).toBeLessThan(90);
  });

  it('is paused and goes on', async () => {
    expect(await ask('pause')).toMatchObject({ state: 'succeeded' });
    expect(await containers('{{.State.Status}}')).toEqual(['paused', 'paused']);
    expect(await cluster()).toMatchObject({ state: 'paused' });
    expect(await ask('unpause')).toMatchObject({ state: 'succeeded', warnings: [] });
    expect(await cluster()).toMatchObject({ state: 'running' });
    expect(await kubectl('get', 'configmap', 'written-after-the-start', '--output=name')).toBe(
      'configmap/written-after-the-start',
    );
  });

  it('is degraded when a node is killed, and a start repairs it', async () => {
    await kill(`${name}-worker`);
    await becomes('degraded');
    expect((await cluster()).state_reason).toContain(`${name}-worker is not running, exit status 137`);
    expect(await ask('start')).toMatchObject({
      state: 'succeeded',
      warnings: [],
      result: { started: [`${name}-worker`], degraded: null },
    });
    expect(await cluster()).toMatchObject({ state: 'running' });
  });

  it('that ended without the product is offered to be started', async () => {
    // As after a restart of the machine, where the engine brings nothing back.
    await kill(...nodes);
    await becomes('stopped');
    expect((await cluster()).stopped_unexpectedly).toBe(true);
    expect(await ask('start')).toMatchObject({ state: 'succeeded', warnings: [] });
  });
});
