import { describe, expect, it } from '@jest/globals';
import { CLUSTER_LABEL, ROLE_LABEL } from '../runtime-driver.js';
import { containerSummary, type ContainerSummary } from './engine-responses.js';
import { toNodeContainer } from './node-container.js';
import { toNodeSample } from './node-sample.js';

const SUMMARY: ContainerSummary = {
  Id: 'f'.repeat(64),
  Names: ['/dev-worker'],
  Image: 'kindest/node:v1.34.4',
  State: 'running',
  Created: 1_767_322_800,
  Labels: { [CLUSTER_LABEL]: 'dev', [ROLE_LABEL]: 'worker' },
};

describe('toNodeContainer', () => {
  it.each([
    ['running', 'running'],
    ['Running', 'running'],
    ['configured', 'created'],
    ['initialized', 'created'],
    ['stopped', 'exited'],
    ['stopping', 'running'],
    ['something new', 'unknown'],
  ])('in the state "%s" is %s', (State, state) => {
    expect(toNodeContainer({ ...SUMMARY, State }, undefined).state).toBe(state);
  });

  it('accepts a response without most fields', () => {
    expect(toNodeContainer({ Id: 'a'.repeat(64) }, undefined)).toMatchObject({
      name: 'aaaaaaaaaaaa',
      cluster: '',
      role: 'worker',
      state: 'unknown',
      address: null,
      ports: [],
      stateSince: null,
    });
    const nothing = containerSummary({ ...SUMMARY, Labels: null, Ports: null, NetworkSettings: null });
    expect(nothing && toNodeContainer(nothing, {}).ports).toEqual([]);
  });

  it('reads the exit code and time of a node that has ended', () => {
    const ended = { ...SUMMARY, State: 'exited', Status: 'Exited (137) 3 minutes ago' };
    expect(toNodeContainer(ended, undefined)).toMatchObject({ exitCode: 137, outOfMemory: false });
    const state = { ExitCode: 1, OOMKilled: true, FinishedAt: '2026-01-02T03:04:05.123456789Z' };
    expect(toNodeContainer(ended, state)).toMatchObject({
      exitCode: 1,
      outOfMemory: true,
      stateSince: '2026-01-02T03:04:05.123Z',
    });
    expect(toNodeContainer(ended, { FinishedAt: '0001-01-01T00:00:00Z' }).stateSince).toBeNull();
  });

  it('prefers the address on kind’s network, and lists only published ports', () => {
    const node = toNodeContainer(
      {
        ...SUMMARY,
        NetworkSettings: {
          Networks: { another: { IPAddress: '10.0.0.1' }, kind: { IPAddress: '172.18.0.2' } },
        },
        Ports: [
          { PrivatePort: 80, Type: 'tcp' },
          { IP: '', PrivatePort: 443, PublicPort: 8443, Type: 'udp' },
        ],
      },
      undefined,
    );
    expect(node.address).toBe('172.18.0.2');
    expect(node.ports).toEqual([
      { hostAddress: '0.0.0.0', hostPort: 8443, containerPort: 443, protocol: 'UDP' },
    ]);
  });
});

describe('toNodeSample', () => {
  it('excludes the page cache if the engine reports it', () => {
    const memory = (stats?: Record<string, number>): number =>
      toNodeSample('x', { memory_stats: { usage: 1000, limit: 5000, stats } }, 9000).memoryBytes;
    expect(memory({ inactive_file: 300 })).toBe(700);
    expect(memory({ total_inactive_file: 400, inactive_file: 300 })).toBe(600);
    expect(memory()).toBe(1000);
    expect(memory({ inactive_file: 2000 })).toBe(1000);
  });

  it.each([
    [0, 9000],
    [2 ** 63, 9000],
    [5000, 5000],
  ])('takes a limit of %d for %d on a machine of 9000', (limit, expected) => {
    expect(toNodeSample('x', { memory_stats: { limit } }, 9000).memoryLimitBytes).toBe(expected);
  });

  it('adds up networks and block operations of both engines', () => {
    const sample = toNodeSample(
      'x',
      {
        networks: { eth0: { rx_bytes: 1, tx_bytes: 2 }, eth1: { rx_bytes: 10, tx_bytes: 20 } },
        blkio_stats: {
          io_service_bytes_recursive: [
            { op: 'Read', value: 5 },
            { op: 'read', value: 6 },
            { op: 'Write', value: 7 },
            { op: 'Total', value: 99 },
          ],
        },
      },
      9000,
    );
    expect(sample).toMatchObject({
      networkRxBytes: 11,
      networkTxBytes: 22,
      blockReadBytes: 11,
      blockWriteBytes: 7,
    });
    expect(toNodeSample('x', {}, 9000)).toMatchObject({
      cpuNanoseconds: 0,
      networkRxBytes: 0,
      blockReadBytes: 0,
    });
  });
});
