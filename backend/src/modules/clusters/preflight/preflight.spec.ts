import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { NodeContainer } from '../../../drivers/runtime/index.js';
import { FakeRuntime, runningNode } from '../../../../../test/support/runtime/fake-runtime.js';
import type { KindConfig, WantedPort } from '../../kind-config/index.js';
import { checkPort, checkPortBeside } from './port-check.js';
import { freeDisk } from '../../../drivers/runtime/index.js';
import { Preflight } from './preflight.js';

describe('a port of this machine', () => {
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

  it('is taken where somebody listens, on that address or on all', async () => {
    const port = await listenTcp('127.0.0.1');
    expect(await checkPort({ address: '127.0.0.1', port, protocol: 'TCP', where: '' })).toBe('taken');
    expect(await checkPort({ address: '', port, protocol: 'TCP', where: '' })).toBe('taken');
    expect(await checkPort({ address: '127.0.0.1', port, protocol: 'UDP', where: '' })).toBe('free');
  });

  it('is free once nobody does, and asking leaves it free', async () => {
    const port = await listenTcp('127.0.0.1');
    await closers.pop()?.();
    const wanted = { address: '127.0.0.1', port, protocol: 'TCP', where: '' } as const;
    expect([await checkPort(wanted), await checkPort(wanted)]).toEqual(['free', 'free']);
  });

  it('is asked about for UDP, and cannot be for SCTP', async () => {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    closers.push(() => new Promise<void>((resolve) => socket.close(resolve)));
    const { port } = socket.address();
    expect(await checkPort({ address: '127.0.0.1', port, protocol: 'UDP', where: '' })).toBe('taken');
    expect(await checkPort({ address: '127.0.0.1', port, protocol: 'SCTP', where: '' })).toBe('unknown');
  });

  it('of an address that this machine does not have is nobody’s to judge', async () => {
    expect(await checkPort({ address: '192.0.2.1', port: 80, protocol: 'TCP', where: '' })).toBe('unknown');
  });

  it('that our own nodes hold is theirs again, unless somebody else has it on another address', async () => {
    const port = await listenTcp('127.0.0.1');
    const wanted = (address: string): WantedPort => ({ address, port, protocol: 'TCP', where: '' });
    const machine = ['127.0.0.1', '127.0.0.2', '::1'];
    // The listener is ours.
    expect(await checkPortBeside(wanted('127.0.0.1'), ['127.0.0.1'], machine)).toBe('free');
    expect(await checkPortBeside(wanted('127.0.0.1'), ['0.0.0.0'], machine)).toBe('free');
    expect(await checkPortBeside(wanted(''), ['127.0.0.1'], machine)).toBe('free');
    // The listener is somebody else, beside ours on 127.0.0.2.
    expect(await checkPortBeside(wanted('127.0.0.1'), ['127.0.0.2'], machine)).toBe('taken');
    expect(await checkPortBeside(wanted(''), ['127.0.0.2'], machine)).toBe('taken');
    expect(await checkPortBeside(wanted('::'), ['127.0.0.2'], machine)).toBe('taken');
    expect(await checkPortBeside(wanted('127.0.0.2'), ['127.0.0.3'], machine)).toBe('free');
  });

  it('that is taken is told with its place in the config', async () => {
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
    // Held by a node that makes room, it is free; held by one that is on another address, it is not.
    expect(await new Preflight().takenPorts(config, [published('127.0.0.1')])).toEqual([]);
    expect(await new Preflight().takenPorts(config, [published('127.0.0.2')])).toHaveLength(1);
    const stopped: NodeContainer = { ...published('127.0.0.1'), state: 'exited' };
    expect(await new Preflight().takenPorts(config, [stopped])).toHaveLength(1);
  });
});

describe('the host', () => {
  it('has too little memory for what is asked of it', async () => {
    const runtime = new FakeRuntime();
    runtime.memoryBytes = 1e9;
    const shape = { controlPlanes: 3, workers: 20, withoutDefaultNetwork: false };
    const findings = await new Preflight().host(runtime, shape);
    expect(findings.find(({ name }) => name === 'memory')).toMatchObject({
      level: 'warning',
      message: expect.stringMatching(/ GB are free; these nodes take about 11 GB$/),
    });
    const small = await new Preflight().host(runtime, { ...shape, controlPlanes: 0, workers: 0 });
    expect(small.find(({ name }) => name === 'memory')?.level).toBe('ok');
  });

  it('tells the disk of the engine, also by a parent of a closed folder; none of a virtual machine', async () => {
    const runtime = new FakeRuntime();
    runtime.storagePath = '/var/lib/no-such-engine/overlay2';
    expect(await freeDisk(runtime)).toBeGreaterThan(0);
    runtime.storagePath = '/no-such-root/engine';
    expect(await freeDisk(runtime)).toBeUndefined();
    runtime.storagePath = null;
    expect(await freeDisk(runtime)).toBeUndefined();
  });
});
