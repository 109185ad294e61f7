import { describe, expect, it } from '@jest/globals';
import { loadBalancerPool } from './address-pool.js';

describe('loadBalancerPool', () => {
  it.each([
    [['172.18.0.3', '172.18.0.2'], '172.18.0.200-172.18.0.250'],
    [['10.89.0.7'], '10.89.0.200-10.89.0.250'],
    [[null, '172.18.0.2'], '172.18.0.200-172.18.0.250'],
    [['172.18.0.2', '172.18.0.199'], null],
    [['fc00:f853:ccd:e793::2'], null],
    [[null], null],
  ])('for nodes at %j returns %j', (addresses, pool) => {
    expect(loadBalancerPool(addresses.map((address) => ({ address })))).toBe(pool);
  });
});
