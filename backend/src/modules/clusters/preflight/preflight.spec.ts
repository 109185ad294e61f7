import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { NodeContainer } from '../../../drivers/runtime/index.js';
import { FakeRuntime, runningNode } from '../../../../../test/support/runtime/fake-runtime.js';
import type { KindConfig, WantedPort } from '../../kind-config/index.js';
import { checkPort, checkPortExcept } from './port-check.js';
import { freeDisk } from '../../../drivers/runtime/index.js';
import { Preflight } from './preflight.js';

describe('checkPort', () => {
  const closers: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  const listenTcp = async (host: string): Promise<number> => {
    const server = createServer();
    server.listen(0, host);
    await once(server, 'listening');
    closers.push(() => new Promise((resolve) => server.close(resolve)));
    return (server.address() as { port: number }).port;
  };

  it('finds a port taken by a listener on the same address or any address', async () => {
    const port = await listenTcp('127.0.0.1');
    expect(await checkPort({ address: '127.0.0.1', port, protocol: 'TCP', where: '' })).toBe('taken');
    expect(await checkPort({ address: '', port, protocol: 'TCP', where: '' })).toBe('taken');
    expect(await checkPort({ address: '127.0.0.1', port, protocol: 'UDP', where: '' })).toBe('free');
  });

  it('leaves a free port free', async () => {
    const port = await listenTcp('127.0.0.1');
    await closers.pop()?.();
    const wanted = { address: '127.0.0.1', port, protocol: 'TCP', where: '' } as const;
    expect([await checkPort(wanted), await checkPort(wanted)]).toEqual(['free', 'free']);
  });

  it('supports UDP, but not SCTP', async () => {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    closers.push(() => new Promise<void>((resolve) => socket.close(resolve)));
    const { port } = socket.address();
    expect(await checkPort({ address: '127.0.0.1', port, protocol: 'UDP', where: '' })).toBe('taken');
    expect(await checkPort({ address: '127.0.0.1', port, protocol: 'SCTP', where: '' })).toBe('unknown');
  });

  // Case K10: kind publishes the API server of an IPv6 cluster on ::1.
  it('checks the port of an IPv6 API server on ::1', async () => {
    const port = await listenTcp('::1');
    const config: KindConfig = {
      kind: 'Cluster',
      apiVersion: 'kind.x-k8s.io/v1alpha4',
      networking: { ipFamily: 'ipv6', apiServerPort: port },
    };
    expect(await new Preflight().takenPorts(config)).toEqual([
      {
        port: { address: '::1', port, protocol: 'TCP', where: 'networking.apiServerPort' },
        problem: `host port ${port}/TCP on ::1 is in use by another program`,
      },
    ]);
    expect(new Preflight().ipv6Places(config)).toEqual([]);
  });

  it('returns unknown for an address of another host', async () => {
    expect(await checkPort({ address: '192.0.2.1', port: 80, protocol: 'TCP', where: '' })).toBe('unknown');
  });

  it('ignores listeners of own nodes, but finds a listener on another address', async () => {
    const port = await listenTcp('127.0.0.1');
    const wanted = (address: string): WantedPort => ({ address, port, protocol: 'TCP', where: '' });
    const machine = ['127.0.0.1', '127.0.0.2', '::1'];
    // The listener belongs to an own node.
    expect(await checkPortExcept(wanted('127.0.0.1'), ['127.0.0.1'], machine)).toBe('free');
    expect(await checkPortExcept(wanted('127.0.0.1'), ['0.0.0.0'], machine)).toBe('free');
    expect(await checkPortExcept(wanted(''), ['127.0.0.1'], machine)).toBe('free');
    // The listener is another program; the own node listens on 127.0.0.2.
    expect(await checkPortExcept(wanted('127.0.0.1'), ['127.0.0.2'], machine)).toBe('taken');
    expect(await checkPortExcept(wanted(''), ['127.0.0.2'], machine)).toBe('taken');
    expect(await checkPortExcept(wanted('::'), ['127.0.0.2'], machine)).toBe('taken');
    expect(await checkPortExcept(wanted('127.0.0.2'), ['127.0.0.3'], machine)).toBe('free');
  });

  it('takenPorts reports a taken port with its path in the config', async () => {
    const hostPort = await listenTcp('127.0.0.1');
    const config: KindConfig = {
      kind: 'Cluster',
      apiVersion: 'kind.x-k8s.io/v1alpha4',
      nodes: [
        {
          role: 'control-plane',
          extraPortMappings: [{ containerPort: 80, hostPort, listenAddress: '127.0.0.1' }],
        },
      ],
    };
    expect(await new Preflight().takenPorts(config)).toEqual([
      {
        port: {
          address: '127.0.0.1',
          port: hostPort,
          protocol: 'TCP',
          where: 'nodes[0].extraPortMappings[0].hostPort',
        },
        problem: `host port ${hostPort}/TCP on 127.0.0.1 is in use by another program`,
      },
    ]);
    const published = (hostAddress: string): NodeContainer =>
      runningNode('c-control-plane', {
        ports: [{ hostAddress, hostPort, containerPort: 80, protocol: 'tcp' }],
      });
    // Free if a node to be removed uses it, but not if that node uses another address.
    expect(await new Preflight().takenPorts(config, [published('127.0.0.1')])).toEqual([]);
    expect(await new Preflight().takenPorts(config, [published('127.0.0.2')])).toHaveLength(1);
    const stopped: NodeContainer = { ...published('127.0.0.1'), state: 'exited' };
    expect(await new Preflight().takenPorts(config, [stopped])).toHaveLength(1);
  });
});

describe('Preflight', () => {
  it('warns if the host has too little memory for the nodes', async () => {
    const runtime = new FakeRuntime();
    runtime.memoryBytes = 1e9;
    const shape = { controlPlanes: 3, workers: 20, withoutDefaultNetwork: false };
    const findings = await new Preflight().host(runtime, shape);
    expect(findings.find(({ name }) => name === 'memory')).toMatchObject({
      level: 'warning',
      message: expect.stringMatching(/ GB free; these nodes need about 11 GB$/),
    });
    const small = await new Preflight().host(runtime, { ...shape, controlPlanes: 0, workers: 0 });
    expect(small.find(({ name }) => name === 'memory')?.level).toBe('ok');
  });

  it('freeDisk uses a parent of an unreadable storage folder, and is undefined for a virtual machine', async () => {
    const runtime = new FakeRuntime();
    runtime.storagePath = '/var/lib/no-such-engine/overlay2';
    expect(await freeDisk(runtime)).toBeGreaterThan(0);
    runtime.storagePath = '/no-such-root/engine';
    expect(await freeDisk(runtime)).toBeUndefined();
    runtime.storagePath = null;
    expect(await freeDisk(runtime)).toBeUndefined();
  });
});
