import { describe, expect, it } from '@jest/globals';
import { makeSource } from '../testing/make-source';
import { rolloutsOf } from './rollouts';

const CART = { kind: 'pod', cluster: 'dev', namespace: 'shop', workload: 'Deployment/cart' } as const;

describe('rolloutsOf', () => {
  it('returns when the Pods of the newest ReplicaSet of each Deployment began to write', () => {
    const sources = [
      makeSource({ ...CART, name: 'cart-7d9f-aaaaa', first_time: '2026-11-21T08:00:00.000000Z' }),
      makeSource({ ...CART, name: 'cart-85bc-bbbbb', first_time: '2026-11-21T09:00:30.000000Z' }),
      makeSource({ ...CART, name: 'cart-85bc-ccccc', first_time: '2026-11-21T09:00:00.000000Z' }),
      makeSource({ ...CART, name: 'cart-85bc-ddddd', first_time: null }),
      makeSource({
        ...{ ...CART, workload: 'Deployment/api', name: 'api-1-x' },
        first_time: '2026-11-21T09:30:00.000000Z',
      }),
      makeSource({ ...CART, workload: 'StatefulSet/db', name: 'db-0', first_time: '2026-11-21T09:40:00Z' }),
      makeSource({ name: 'redis', first_time: '2026-11-21T09:50:00Z' }),
    ];
    expect(rolloutsOf(sources)).toEqual([
      { name: 'dev/shop/api', time: '2026-11-21T09:30:00.000000Z' },
      { name: 'dev/shop/cart', time: '2026-11-21T09:00:00.000000Z' },
    ]);
  });
});
