import timers from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeRegistry, FakeRuntime, runningNode } from '../../../../test/support/runtime/fake-runtime.js';
import { readConfiguration } from '../../core/config/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { Subject } from 'rxjs';
import type { NodeSample } from '../../drivers/runtime/index.js';
import {
  NodeInventory,
  type Cluster,
  type ClustersService,
  type ClusterStore,
  type ClusterWatcher,
} from '../clusters/index.js';
import { StatsService } from './stats.service.js';
import { UsageHistory } from './usage-history.js';
import { HOUR, UsageTrends } from './usage-trends.js';

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

describe('StatsService', () => {
  let runtime: FakeRuntime;
  let registry: FakeRegistry;
  let stats: StatsService;
  let list: jest.Mock<ClustersService['list']>;
  let touches: Subject<void>;

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
    list = jest.fn<ClustersService['list']>().mockResolvedValue([cluster as unknown as Cluster]);
    touches = new Subject();
    return new StatsService(
      { list } as unknown as ClustersService,
      { list: () => Promise.resolve([{ workers: 1 }, { workers: 2 }]) } as unknown as ClusterStore,
      { touches } as unknown as ClusterWatcher,
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
    stats.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(300);
    return await stats.read();
  };

  it('samples every 15 s without viewers, so that trends have no gaps', async () => {
    stats.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(300_300);
    expect(runtime.sampled.length).toBe(22);
    const [cluster] = (await stats.read()).cluster_resources;
    expect(cluster?.nodes[0]?.cpu_trend.slice(-10)).not.toContain(null);
    expect(cluster?.cpu_trend).toEqual(cluster?.nodes[0]?.cpu_trend);
    expect((await stats.readHistory())[0]?.nodes[0]?.memory_trend.slice(-2)).not.toContain(null);
  });

  it('begins the trends of new nodes with what their engine knows of the time before', async () => {
    const at = Date.now() - 3_600_000;
    const round = (index: number): NodeSample[] => [
      sample(at + index * 30_000, { id: 'id-of-c-control-plane', cpuNanoseconds: index * 15e9 }),
    ];
    const past = jest.fn(() => Array.from({ length: 120 }, (_, index) => round(index)));
    jest.spyOn(runtime, 'pastSamples').mockImplementation(past);
    const [cluster] = (await first()).cluster_resources;
    expect(cluster?.nodes[0]?.cpu_trend.slice(2, -2)).toEqual(Array.from({ length: 116 }, () => 50));
    expect(cluster?.cpu_trend).toEqual(cluster?.nodes[0]?.cpu_trend);
    expect(past.mock.calls).toEqual([[['id-of-c-control-plane']]]);
  });

  it('reads the clusters again for a request only after a change of one', async () => {
    await first();
    const before = list.mock.calls.length;
    const answer = await stats.read();
    expect(list.mock.calls.length).toBe(before);
    touches.next();
    expect(await stats.read()).not.toBe(answer);
    expect(list.mock.calls.length).toBe(before + 1);
  });

  it('answers the first request without a sample, with the time of the newest one', async () => {
    await first();
    await jest.advanceTimersByTimeAsync(25_000);
    const before = runtime.sampled.length;
    const answer = await stats.read();
    expect(runtime.sampled.length).toBe(before);
    expect(Date.now() - Date.parse(answer.sampled_at)).toBeGreaterThan(5000);
    expect(answer.cluster_resources[0]?.nodes[0]?.cpu_percent).toBeGreaterThan(0);
  });

  it('takes two samples of running nodes, 250 ms apart, at the start', async () => {
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

  it('samples every two seconds while there is a viewer, and less often afterwards', async () => {
    await first();
    const leave = stats.watch();
    await jest.advanceTimersByTimeAsync(60_000);
    const during = runtime.sampled.length;
    expect(during).toBeGreaterThan(25);
    leave();
    await jest.advanceTimersByTimeAsync(14_000);
    const after = runtime.sampled.length;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(runtime.sampled.length - after).toBeLessThan(6);
  });

  it('does not wait for an engine that does not respond', async () => {
    runtime.sample = () => new Promise(() => undefined);
    stats.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(4250);
    expect((await stats.read()).cluster_resources[0]?.nodes[0]).toMatchObject({
      state: 'running',
      cpu_percent: null,
    });
  });
});

describe('UsageTrends', () => {
  it('keeps the maximum of each 30 s of the last hour', () => {
    const trends = new UsageTrends(HOUR);
    for (let at = 0; at <= 4_200_000; at += 15_000) {
      trends.add('n', at, { cpu: at / 15_000, memory: 100 });
    }
    const { cpu, memory } = trends.get('n', 4_260_000);
    // The last two steps have no sample.
    expect(cpu.slice(-3)).toEqual([280, null, null]);
    expect(cpu.slice(0, 2)).toEqual([47, 49]);
    expect(memory).toHaveLength(120);
    trends.keepOnly(new Set());
    expect(trends.get('n', 4_260_000).cpu.every((each) => each === null)).toBe(true);
  });

  it('bridges one step without a sample, but not more, and drops what ended', () => {
    const trends = new UsageTrends(HOUR);
    for (const at of [0, 60_000, 150_000]) trends.add('n', at, { cpu: 1 + at / 30_000, memory: null });
    expect(trends.get('n', 150_000).cpu.slice(-6)).toEqual([1, 1, 3, null, null, 6]);
    trends.expire(150_000 + 3_599_000);
    expect(trends.size).toBe(1);
    trends.expire(150_000 + 3_600_000);
    expect(trends.size).toBe(0);
  });
});

describe('UsageHistory', () => {
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
