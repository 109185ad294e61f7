import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { listenOn } from '../../../../../test/support/free-port.js';
import { FakeRegistry, FakeRuntime, runningNode } from '../../../../../test/support/runtime/fake-runtime.js';
import type { NodeState } from '../../../drivers/runtime/index.js';
import { PortHolders } from './port-holders.js';

it.each<[NodeState, string]>([
  ['running', 'c-control-plane of cluster c'],
  ['paused', 'c-control-plane of cluster c'],
  // The listener of this test.
  ['exited', 'Slipway'],
  ['created', 'Slipway'],
])('names a node that is %s, or else the program that listens', async (state, holder) => {
  const server = await listenOn();
  const { port } = server.address() as AddressInfo;
  const runtime = new FakeRuntime();
  const ports = [{ containerPort: 6443, hostPort: port, hostAddress: '127.0.0.1', protocol: 'TCP' }];
  runtime.nodes = [runningNode('c-control-plane', { state, ports })];
  expect(await new PortHolders(new FakeRegistry([runtime])).of(port, 'TCP')).toBe(holder);
  server.close();
});
