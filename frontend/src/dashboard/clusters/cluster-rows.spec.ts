import { describe, expect, it } from '@jest/globals';
import { aCluster } from '../../shared/testing/records';
import {
  countGroups,
  keyOf,
  matches,
  nearestName,
  ordered,
  share,
  sortedKeys,
  sum,
  usageOf,
} from './cluster-rows';
import { engineNotices } from './engine-notices';
import type { Sort, SortKey } from './list-address';

const by = (key: SortKey, reversed = false): Sort => ({ key, reversed });

const CLUSTERS = [
  aCluster({ name: 'inactive', state: 'stopped' }),
  aCluster({
    name: 'wreck',
    state: 'failed',
    needs_attention: true,
    state_reason: 'at Joining worker nodes',
  }),
  aCluster({ name: 'busy', state: 'creating' }),
  aCluster({ name: 'fine-10' }),
  aCluster({ name: 'fine-9', runtime: 'podman', origin: 'adopted' }),
];

describe('cluster rows', () => {
  it('are counted by group', () => {
    expect(countGroups(CLUSTERS)).toEqual({ all: 5, attention: 1, running: 2, resting: 1 });
  });

  it.each([
    ['', 'all', 5],
    ['FINE', 'all', 2],
    ['fine podman', 'all', 1],
    ['adopted', 'all', 1],
    ['joining', 'attention', 1],
    ['v1.34', 'running', 2],
    ['no-such-cluster', 'all', 0],
  ] as const)('are filtered by %p in group %p', (text, group, count) => {
    expect(CLUSTERS.filter((cluster) => matches(cluster, { text, group, engine: '' }))).toHaveLength(count);
  });

  it('that run with broken workloads need attention, too, and come with those that do', () => {
    const clusters = [...CLUSTERS, aCluster({ name: 'broken', problems: 2, needs_attention: true })];
    expect(countGroups(clusters)).toEqual({ all: 6, attention: 2, running: 3, resting: 1 });
    const group = 'attention';
    expect(
      clusters.filter((cluster) => matches(cluster, { text: '', group, engine: '' })).map(({ name }) => name),
    ).toEqual(['wreck', 'broken']);
    expect(sortedKeys(clusters, by('state'), () => undefined).slice(0, 2)).toEqual([
      'docker/busy',
      'docker/broken',
    ]);
  });

  it('are sorted by state: in progress, needs attention, running, inactive', () => {
    const order = sortedKeys(CLUSTERS, by('state'), () => undefined);
    expect(ordered(CLUSTERS, order).map(({ name }) => name)).toEqual([
      'busy',
      'wreck',
      'fine-9',
      'fine-10',
      'inactive',
    ]);
  });

  it('keep their order when states change, and put new clusters first', () => {
    const order = sortedKeys(CLUSTERS, by('name'), () => undefined);
    const later = [
      ...CLUSTERS.map((cluster) => ({ ...cluster, state: 'failed' as const })),
      aCluster({ name: 'zz-new' }),
    ];
    expect(ordered(later, order).map(({ name }) => name)).toEqual([
      'zz-new',
      'busy',
      'fine-9',
      'fine-10',
      'inactive',
      'wreck',
    ]);
  });

  it('are sorted by usage, unknown usage last', () => {
    const order = sortedKeys(CLUSTERS.slice(3), by('memory'), ({ name }) =>
      name === 'fine-9'
        ? { cpuPercent: 1, cpuShare: 1, cpuPeakShare: 1, memoryBytes: 9, memoryShare: 1, memoryPeakShare: 1 }
        : undefined,
    );
    expect(order).toEqual(['podman/fine-9', 'docker/fine-10']);
    expect(keyOf(aCluster())).toBe('docker/staging');
  });

  it('are sorted by age and engine in both directions', () => {
    const young = aCluster({ name: 'young', created_at: '2026-11-21T12:00:00.000Z' });
    const old = aCluster({ name: 'old', runtime: 'podman', created_at: '2025-01-01T00:00:00.000Z' });
    const names = (key: SortKey, reversed = false): string[] =>
      sortedKeys([old, young], by(key, reversed), () => undefined).map((entry) => entry.split('/')[1] ?? '');
    expect(names('age')).toEqual(['young', 'old']);
    expect(names('age', true)).toEqual(['old', 'young']);
    expect(names('engine')).toEqual(['young', 'old']);
    expect(names('name')).toEqual(['old', 'young']);
    expect(names('cpu', true)).toEqual(['old', 'young']);
  });

  it('are filtered by engine', () => {
    const found = CLUSTERS.filter((one) => matches(one, { text: '', group: 'all', engine: 'podman' }));
    expect(found.map(({ name }) => name)).toEqual(['fine-9']);
  });

  it('sum the known usage of their nodes as a share of the host', () => {
    const node = (cpu: number | null, memory: number | null): never =>
      ({ cpu_percent: cpu, cpu_peak_percent: cpu, memory_bytes: memory, memory_peak_bytes: memory }) as never;
    const stats = {
      cluster: 'a',
      runtime: 'docker',
      state: 'running' as const,
      nodes: [node(50, 100), node(null, 300), node(30, null)],
    };
    expect(usageOf(stats, { cpu_cores: 4, memory_bytes: 1000, disk_free_bytes: null })).toEqual({
      cpuPercent: 80,
      cpuShare: 20,
      cpuPeakShare: 20,
      memoryBytes: 400,
      memoryShare: 40,
      memoryPeakShare: 40,
    });
    expect(usageOf(undefined, undefined)).toBeUndefined();
    expect(sum([null, null])).toBeNull();
    expect(share(1, null)).toBeNull();
  });

  it.each([
    ['stagng', 'staging-eu'],
    ['paymnets', 'payments'],
    ['zzzzzz', undefined],
    ['', undefined],
  ])('suggest the closest name to %p', (text, name) => {
    expect(nearestName(text, ['staging-eu', 'payments'])).toBe(name);
  });
});

describe('engineNotices', () => {
  const runtime = (id: string, available: boolean): never =>
    ({
      id,
      available,
      reason: available ? null : 'connection refused',
      fix: available ? null : 'start it',
    }) as never;

  it('reports an unavailable engine that has clusters', () => {
    expect(engineNotices([runtime('docker', false), runtime('podman', true)], CLUSTERS, undefined)).toEqual([
      expect.objectContaining({
        title: 'docker does not respond.',
        text: 'Connection refused. Showing the last known state of 4 clusters.',
        fix: 'start it',
      }),
    ]);
  });

  it('omits an unused engine while another one is available', () => {
    expect(engineNotices([runtime('docker', true), runtime('podman', false)], [], undefined)).toEqual([]);
    expect(engineNotices([runtime('podman', false)], [], undefined)).toHaveLength(1);
  });

  it('reports failed checks with their fix', () => {
    const check = {
      name: 'provisioner',
      title: 'kind',
      level: 'problem' as const,
      message: 'is not installed',
      fix: 'go install …',
    };
    expect(
      engineNotices([runtime('docker', true)], [], {
        ready: false,
        checks: [check],
        runtimes: [],
        dropped_values: 0,
        event_loop_delay: { p99_ms: 1, worst_ms: 1, worst_at: null },
      }),
    ).toEqual([
      expect.objectContaining({
        tone: 'failed',
        title: 'kind:',
        text: 'Is not installed.',
        fix: 'go install …',
      }),
    ]);
  });
});
