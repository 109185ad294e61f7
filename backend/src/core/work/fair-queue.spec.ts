import { setImmediate as later } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import {
  runAs,
  runInRequest,
  setCurrentActor,
  SYSTEM_ACTOR,
  type Actor,
} from '../logging/request-context.js';
import { FairQueue } from './fair-queue.js';

describe('FairQueue', () => {
  const order: string[] = [];
  const call = async (queue: FairQueue, name: string): Promise<void> => {
    const end = await queue.enter();
    order.push(name);
    await later();
    end();
  };
  const request = (queue: FairQueue, user: string, name: string, calls = 1): Promise<unknown> =>
    runInRequest(() => {
      setCurrentActor({ kind: 'session', user, id: user, address: '::1' });
      return Promise.all(Array.from({ length: calls }, () => call(queue, name)));
    });

  it('lets clients take turns, whatever each has queued', async () => {
    order.length = 0;
    const queue = new FairQueue(16);
    await Promise.all([
      ...['a1', 'a2', 'a3', 'a4'].map((name) => request(queue, 'ada', name)),
      ...['b1', 'b2'].map((name) => request(queue, 'bob', name)),
      runAs(SYSTEM_ACTOR, () => call(queue, 'system')),
    ]);
    expect(order).toEqual(['a1', 'a2', 'b1', 'system', 'a3', 'b2', 'a4']);
  });

  it.each<[string, Partial<Actor>, Partial<Actor>, number]>([
    ['one to two sessions of a user', { id: 'a' }, { id: 'b', address: '::2' }, 1],
    ['one to two read-only sessions', { id: 'a', name: 'read-only' }, { id: 'b', name: 'read-only' }, 1],
    ['one each to a user and a reader', { id: 'a' }, { id: 'b', name: 'read-only' }, 2],
    ['one to an access token', { kind: 'token', id: 'a' }, { kind: 'token', id: 'a', address: '::2' }, 1],
    ['one each to two access tokens', { kind: 'token', id: 'a' }, { kind: 'token', id: 'b' }, 2],
    ['one to the local user', { kind: 'local' }, { kind: 'local' }, 1],
    ['one each to local addresses', { kind: 'local' }, { kind: 'local', address: '::2' }, 2],
  ])('gives %s', async (_what, first, second, turns) => {
    order.length = 0;
    const queue = new FairQueue(16);
    const as = (actor: Partial<Actor>, name: string): Promise<unknown> =>
      runInRequest(() => {
        setCurrentActor({ kind: 'session', user: 'admin', id: null, address: '::1', ...actor });
        return call(queue, name);
      });
    await Promise.all([as(first, 'a1'), as(first, 'a2'), as(first, 'a3'), as(second, 'b1')]);
    expect(order).toEqual(turns === 1 ? ['a1', 'a2', 'a3', 'b1'] : ['a1', 'a2', 'b1', 'a3']);
  });

  it('rejects a request of a client with too many that wait, and no other client or task', async () => {
    const queue = new FairQueue(2);
    const results = await Promise.allSettled([
      ...['a1', 'a2', 'a3', 'a4'].map((name) => request(queue, 'ada', name, 3)),
      request(queue, 'bob', 'b1'),
      ...[1, 2, 3, 4].map(() => runAs(SYSTEM_ACTOR, () => call(queue, 'system'))),
    ]);
    const rejected = results.flatMap((result, index) => (result.status === 'rejected' ? [index] : []));
    expect(rejected).toEqual([2, 3]);
    expect(results[3]).toMatchObject({ reason: { code: 'too_many_requests' } });
    await call(queue, 'after');
  });
});
