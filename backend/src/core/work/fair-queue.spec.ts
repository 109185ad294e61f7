import { setImmediate as later } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { runAs, runInRequest, setCurrentActor, SYSTEM_ACTOR } from '../logging/request-context.js';
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
