import timers from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeRegistry, FakeRuntime, runningNode } from '../../../../test/support/runtime/fake-runtime.js';
import { readConfiguration } from '../../core/config/index.js';
import { AppLogger } from '../../core/logging/index.js';
import type { NodeSample } from '../../drivers/runtime/index.js';
import { NodeInventory, type ClustersService, type ClusterStore } from '../clusters/index.js';
import { StatsService } from './stats.service.js';
import { UsageHistory } from './usage-history.js';
import { UsageTrends } from './usage-trends.js';

describe('StatsService', () => {
  let runtime: FakeRuntime;
  let registry: FakeRegistry;
  let stats: StatsService;

  beforeEach(() => {
    jest.useFakeTimers();
    // Jest's clock moves the global timers and not those that return promises.
    jest
      .spyOn(timers, 'setTimeout')
      .mockImplementation(
        (milliseconds, value) => new Promise((resolve) => void setTimeout(resolve, milliseconds, value)),
      );
    runtime = new FakeRuntime();
    runtime.nodes = [runningNode('c-control-plane'), runningNode('c-worker', { state: 'exited' })];
    registry = new FakeRegistry([runtime]);
    stats = statsOf({});
  });

  function statsOf(environment: Record<string, string>): StatsService {
    const cluster = {
      name: 'c',
      runtime: 'docker',
      state: 'degraded',
      nodes: runtime.nodes,
      needs_attention: true,
    };
    return new StatsService(
      { list: () => Promise.resolve([cluster]) } as unknown as ClustersService,
      { list: () => Promise.resolve([{ workers: 1 }, { workers: 2 }]) } as unknown as ClusterStore,
      new NodeInventory(registry),
      registry,
      readConfiguration(environment),
      AppLogger.create(readConfiguration({}), { write: () => undefined }),
    );
  }

  afterEach(() => {
    stats.onApplicationShutdown();
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  const first = async (): Promise<Awaited<ReturnType<StatsService['read']>>> => {
    const answer = stats.read();
    await jest.advanceTimersByTimeAsync(250);
    return await answer;
  };

  it('takes no samples without viewers', async () => {
    await jest.advanceTimersByTimeAsync(60_000);
    expect(runtime.sampled).toEqual([]);
  });

  it('takes two samples of running nodes, 250 ms apart, for the first response', async () => {
    const answer = await first();
    expect(runtime.sampled).toEqual([['id-of-c-control-plane'], ['id-of-c-control-plane']]);
    expect(answer).toMatchObject({
      container_cli: 'docker',
      total_workers_from_meta: 3,
      clusters: { total: 1, running: 0, needs_attention: 1, nodes_total: 2, nodes_running: 1 },
    });
    const [running, stopped] = answer.cluster_resources[0]?.nodes ?? [];
    expect(running?.cpu_percent).toBeGreaterThan(0);
    expect(stopped).toMatchObject({ state: 'exited', cpu_percent: null, sampled_at: null });
  });

  it.each([
    ['podman', 'podman'],
    ['auto', 'none'],
  ])(
    'names the container_cli of APP_RUNTIME=%s while it does not respond: %s',
    async (APP_RUNTIME, named) => {
      stats = statsOf({ APP_RUNTIME });
      registry.away.set('docker', 'it does not respond');
      jest.spyOn(registry, 'statuses').mockReturnValue([]);
      expect((await first()).container_cli).toBe(named);
    },
  );

  it('serves all requests from one round every two seconds', async () => {
    await first();
    const before = runtime.sampled.length;
    const answers = await Promise.all(Array.from({ length: 50 }, () => stats.read()));
    expect(new Set(answers).size).toBe(1);
    await jest.advanceTimersByTimeAsync(6000);
    expect(runtime.sampled.length - before).toBe(3);
  });

  it('stops ten seconds after the last request, and starts again with the next', async () => {
    await first();
    await jest.advanceTimersByTimeAsync(14_000);
    const before = runtime.sampled.length;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(runtime.sampled.length).toBe(before);
    const again = await first();
    expect(runtime.sampled.length).toBe(before + 2);
    // Peaks start over, too.
    const [node] = again.cluster_resources[0]?.nodes ?? [];
    expect(node?.cpu_peak_percent).toBe(node?.cpu_percent);
    // The trend does not.
    const trend = node?.cpu_trend.map((cpu) => cpu !== null) ?? [];
    expect(trend).toHaveLength(60);
    expect(trend.indexOf(true)).toBeLessThan(trend.lastIndexOf(false));
  });

  it('samples while there is a viewer, and stops afterwards', async () => {
    const leave = stats.watch();
    await jest.advanceTimersByTimeAsync(60_000);
    const during = runtime.sampled.length;
    expect(during).toBeGreaterThan(25);
    leave();
    await jest.advanceTimersByTimeAsync(4000);
    const after = runtime.sampled.length;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(runtime.sampled.length).toBe(after);
  });

  it('waits at most two seconds for an engine that does not respond', async () => {
    runtime.sample = () => new Promise(() => undefined);
    const answer = stats.read();
    await jest.advanceTimersByTimeAsync(4250);
    expect((await answer).cluster_resources[0]?.nodes[0]).toMatchObject({
      state: 'running',
      cpu_percent: null,
    });
  });
});

describe('UsageTrends', () => {
  it('keeps the maximum of each 15 s of the last 15 minutes', () => {
    const trends = new UsageTrends();
    for (let at = 0; at <= 1_200_000; at += 5000) {
      trends.add('n', at, { cpu: at / 5000, memory: 100 });
    }
    const { cpu, memory } = trends.get('n', 1_230_000);
    // The last two intervals have no sample.
    expect(cpu.slice(-3)).toEqual([240, null, null]);
    expect(cpu.slice(0, 2)).toEqual([71, 74]);
    expect(memory).toHaveLength(60);
    trends.keepOnly(new Set());
    expect(trends.get('n', 1_230_000).cpu.every((each) => each === null)).toBe(true);
  });

  it('bridges one interval without a sample, but not more, and drops what ended', () => {
    const trends = new UsageTrends();
    for (const at of [0, 30_000, 75_000]) trends.add('n', at, { cpu: 1 + at / 15_000, memory: null });
    expect(trends.get('n', 75_000).cpu.slice(-6)).toEqual([1, 1, 3, null, null, 6]);
    trends.expire(75_000 + 899_000);
    expect(trends.size).toBe(1);
    trends.expire(75_000 + 900_000);
    expect(trends.size).toBe(0);
  });
});

describe('UsageHistory', () => {
  const sample = (at: number, more: Partial<NodeSample> = {}): NodeSample => ({
    id: 'n',
    at,
    cpuNanoseconds: 0,
    memoryBytes: 100,
    memoryLimitBytes: 400,
    networkRxBytes: 0,
    networkTxBytes: 0,
    blockReadBytes: 0,
    blockWriteBytes: 0,
    ...more,
  });

  it('computes rates per core and second, and peaks', () => {
    const history = new UsageHistory();
    history.add(sample(1000));
    expect(history.get('n')).toMatchObject({ cpu_percent: null, memory_percent: 25, network_rx_rate: null });
    history.add(sample(2000, { cpuNanoseconds: 2e9, networkRxBytes: 500, memoryBytes: 200 }));
    expect(history.get('n')).toMatchObject({ cpu_percent: 200, network_rx_rate: 500, memory_percent: 50 });
    history.add(sample(4000, { cpuNanoseconds: 2.5e9, networkRxBytes: 500, memoryBytes: 100 }));
    expect(history.get('n')).toMatchObject({
      cpu_percent: 25,
      cpu_peak_percent: 200,
      memory_bytes: 100,
      memory_peak_bytes: 200,
      network_rx_rate: 0,
    });
  });

  it('returns no rate if a counter decreased: the container was restarted', () => {
    const history = new UsageHistory();
    history.add(sample(1000, { cpuNanoseconds: 5e9, blockReadBytes: 10 }));
    history.add(sample(2000, { cpuNanoseconds: 1e9, blockReadBytes: 5 }));
    expect(history.get('n')).toMatchObject({ cpu_percent: null, block_read_rate: null });
  });

  it('skips a sample that comes too soon, and forgets deleted containers', () => {
    const history = new UsageHistory();
    history.add(sample(1000));
    history.add(sample(1050, { cpuNanoseconds: 1e9 }));
    expect(history.get('n')?.cpu_percent).toBeNull();
    history.keepOnly(new Set());
    expect(history.get('n')).toBeUndefined();
  });

  it('returns 0 % for an unknown limit', () => {
    const history = new UsageHistory();
    history.add(sample(1000, { memoryLimitBytes: 0 }));
    expect(history.get('n')?.memory_percent).toBe(0);
  });
});
