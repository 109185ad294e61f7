import type { Socket } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { FakeRegistry } from '../../../../test/support/runtime/fake-runtime.js';
import { readConfiguration } from '../../core/config/index.js';
import type { SocketOwners } from '../../core/security/index.js';
import { ForwardAccess, isNeighbor } from './forward-access.js';

describe('ForwardAccess on Linux', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each([
    ["the server's own user", 1000, null],
    ['root, whose connection can be a relay', 0, 'A connection was rejected: it is not of your own user.'],
    ['another user', 1001, 'A connection was rejected: it is not of your own user.'],
  ])('decides about a connection of %s', async (_who, uid, refusal) => {
    jest.spyOn(process, 'geteuid').mockReturnValue(1000);
    const owners = { lookUp: () => Promise.resolve(), uidOf: () => uid } as unknown as SocketOwners;
    const access = new ForwardAccess(readConfiguration({}), new FakeRegistry([]), owners);
    expect(await access.refusal({ remoteAddress: '127.0.0.1' } as Socket)).toBe(refusal);
  });
});

describe('isNeighbor', () => {
  const own = (address: string, internal = false): NetworkInterfaceInfo[] => [
    { family: 'IPv4', address, netmask: '255.255.0.0', internal, mac: '', cidr: null },
  ];
  const interfaces = { lo: own('127.0.0.1', true), eth0: own('172.18.0.4'), eth1: own('172.30.0.9') };

  it.each([
    ['another container of a network', '172.30.7.2', true],
    ['the host, through the gateway of a network', '172.18.0.1', false],
    ['the host, in IPv6 notation', '::ffff:172.18.0.1', false],
    ['the host, through a gateway that is not the first address', '172.30.255.254', false],
    ['another container with the first address of a network', '172.30.0.1', true],
    ['an address outside the networks', '192.168.1.20', false],
  ])('of %s', (_what, address, expected) => {
    expect(isNeighbor(address, ['172.18.0.1', '172.30.255.254'], interfaces)).toBe(expected);
  });
});
