import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { isNeighbor } from './forward-access.js';

describe('isNeighbor', () => {
  const own = (address: string, internal = false): NetworkInterfaceInfo[] => [
    { family: 'IPv4', address, netmask: '255.255.0.0', internal, mac: '', cidr: null },
  ];
  const interfaces = { lo: own('127.0.0.1', true), eth0: own('172.18.0.4'), eth1: own('172.30.0.9') };

  it.each([
    ['another container of a network', '172.30.7.2', true],
    ['the host, through the gateway of a network', '172.18.0.1', false],
    ['the host, in IPv6 notation', '::ffff:172.18.0.1', false],
    ['an address outside the networks', '192.168.1.20', false],
  ])('of %s', (_what, address, expected) => {
    expect(isNeighbor(address, interfaces)).toBe(expected);
  });
});
