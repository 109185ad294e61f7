import { describe, expect, it } from '@jest/globals';
import type { ClusterNodeDto, NodeStatsDto } from '../../shared/api/api-types';
import { nodeUsages, usageSentence } from './node-usage';

const HOST = { cpu_cores: 8, memory_bytes: 32_000_000_000 };

function node(name: string, state: ClusterNodeDto['state'] = 'running'): ClusterNodeDto {
  return {
    name,
    role: name.includes('worker') ? 'worker' : 'control-plane',
    state,
    address: '172.18.0.3',
    image: 'x',
  };
}

function sample(name: string, change: Partial<NodeStatsDto> = {}): NodeStatsDto {
  return {
    name,
    role: 'worker',
    state: 'running',
    cpu_percent: 62,
    cpu_peak_percent: 124,
    memory_bytes: 1_600_000_000,
    memory_peak_bytes: 1_600_000_000,
    memory_limit_bytes: 32_000_000_000,
    memory_percent: 5,
    network_rx_bytes: 1,
    network_tx_bytes: 1,
    network_rx_rate: 38_000,
    network_tx_rate: null,
    block_read_bytes: 1,
    block_write_bytes: 1,
    block_read_rate: 0,
    block_write_rate: 1_200_000,
    sampled_at: '2026-11-21T09:00:00Z',
    cpu_trend: [null, 124, 62],
    memory_trend: [],
    ...change,
  };
}

describe('nodeUsages', () => {
  const cluster = {
    name: 'staging',
    state: 'running' as const,
    nodes: [node('staging-control-plane'), node('staging-worker')],
  };

  it('returns shares of the host, peaks and texts', () => {
    const [first] = nodeUsages(cluster, [sample('staging-control-plane')], HOST);
    expect(first).toMatchObject({ shortName: 'control-plane', role: 'control-plane' });
    expect(first?.cpu).toEqual({ share: 7.75, peak: 15.5, figure: '0.62', whole: 'of 8 cores' });
    expect(first?.memory).toEqual({ share: 5, peak: null, figure: '1.6 GB', whole: 'of 32.0 GB' });
    expect(first?.trends.cpu).toEqual({
      values: [null, 124, 62],
      label: 'CPU of staging-control-plane over the last hour: now 0.62, peak 1.24',
    });
    expect(first?.rates).toBe('Network 38.0 kB/s in, – out; disk 0 B/s read, 1.2 MB/s written');
  });

  it('returns null for a node without a sample', () => {
    const [, worker] = nodeUsages(cluster, [sample('staging-control-plane')], HOST);
    expect(worker).toMatchObject({ cpu: null, memory: null, rates: '' });
  });

  it('ignores samples of a stopped node', () => {
    const stopped = { name: 'staging', state: 'stopped' as const, nodes: [node('staging-worker', 'exited')] };
    expect(nodeUsages(stopped, [sample('staging-worker')], HOST)[0]).toMatchObject({
      cpu: null,
      memory: null,
    });
  });

  it.each([
    ['exited', 'stopped', 'off'],
    ['exited', 'stopping', 'off'],
    ['exited', 'starting', 'off'],
    ['exited', 'degraded', 'bad'],
    ['dead', 'failed', 'bad'],
    ['restarting', 'running', 'bad'],
    ['paused', 'degraded', 'paused'],
  ] as const)('styles a node that is %s in a cluster that is %s as %s', (state, clusterState, style) => {
    const nodes = [node('staging-worker', state)];
    expect(nodeUsages({ name: 'staging', state: clusterState, nodes }, [], HOST)[0]?.style).toBe(style);
  });

  it('returns no share if the host is unknown', () => {
    const [first] = nodeUsages(
      cluster,
      [sample('staging-control-plane', { memory_limit_bytes: null })],
      undefined,
    );
    expect(first?.memory).toMatchObject({ share: 0, whole: '' });
    expect(first?.cpu).toMatchObject({ whole: 'cores' });
  });

  it('limits shares to 100 %', () => {
    const [first] = nodeUsages(cluster, [sample('staging-control-plane', { cpu_percent: 9000 })], HOST);
    expect(first?.cpu).toMatchObject({ share: 100, peak: null });
  });

  it('keeps the whole name of a node without the prefix of its cluster', () => {
    expect(
      nodeUsages({ name: 'a', state: 'running', nodes: [node('b-worker')] }, [], HOST)[0]?.shortName,
    ).toBe('b-worker');
  });

  it('is summed up in a sentence that mentions the page cache', () => {
    const samples = [sample('staging-control-plane'), sample('staging-worker')];
    const nodes = nodeUsages(cluster, samples, HOST);
    expect(usageSentence(nodes, samples, HOST, false)).toBe(
      '1.24 of 8 cores, 3.2 GB of 32.0 GB of memory (excluding page cache)',
    );
    expect(usageSentence(nodes, samples, HOST, true)).toMatch(/including page cache\)$/);
    expect(usageSentence(nodeUsages(cluster, [], HOST), [], HOST, false)).toBe('');
  });
});
