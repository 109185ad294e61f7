import { describe, expect, it } from '@jest/globals';
import { addressPoolBeside } from './address-pool.js';

describe('addresses for services', () => {
  it.each([
    [['172.18.0.3', '172.18.0.2'], '172.18.0.200-172.18.0.250'],
    [['10.89.0.7'], '10.89.0.200-10.89.0.250'],
    [[null, '172.18.0.2'], '172.18.0.200-172.18.0.250'],
    [['172.18.0.2', '172.18.0.199'], null],
    [['fc00:f853:ccd:e793::2'], null],
    [[null], null],
  ])('beside nodes at %j are %j', (addresses, pool) => {
    expect(addressPoolBeside(addresses.map((address) => ({ address })))).toBe(pool);
  });
});
