import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { ApiConnection, ApiStream } from './api-connection.js';
import { PODS, PodWatch } from './pod-watch.js';
import type { LoggedPod } from './pod-logs.js';
import { watchTable } from './table-watch.js';

const HOSTILE = { toString: 1, valueOf: 1 };
const WEB = { metadata: { uid: 'u-1', name: 'web', namespace: 'shop', resourceVersion: '2' } };

/** A cluster that lists nothing, and sends these events. The watch stays open until the signal aborts. */
function clusterWith(events: readonly object[]): ApiConnection {
  const members: Pick<ApiConnection, 'send' | 'stream'> = {
    send: () => Promise.resolve({ status: 200, text: '{"kind":"PodList","items":[]}' }),
    stream: async ({ onLine, signal }: ApiStream) => {
      for (const event of events) onLine(JSON.stringify(event));
      await delay(10_000, undefined, { signal, ref: false }).catch(() => undefined);
      return { status: 200, text: '' };
    },
  };
  return members as ApiConnection;
}

const unexpected = (): Error => new Error('rejected');

describe('PodWatch', () => {
  it('reports Pods with the types that they should have, and drops the others', async () => {
    const stop = new AbortController();
    const { promise, resolve } = Promise.withResolvers<readonly LoggedPod[]>();
    const pods = [
      { metadata: HOSTILE },
      { metadata: { ...WEB.metadata, name: HOSTILE } },
      { metadata: { ...WEB.metadata, uid: 'u-2', labels: HOSTILE, ownerReferences: [HOSTILE] } },
      { ...WEB, spec: { containers: [HOSTILE, { name: HOSTILE }, { name: 'app' }] }, status: HOSTILE },
      HOSTILE,
    ];
    const watch = new PodWatch(
      clusterWith(pods.map((object) => ({ type: 'ADDED', object }))),
      unexpected,
      (found) => found.length > 1 && resolve(found),
    );
    const ended = watch.follow(stop.signal);
    expect((await promise).map(({ uid, containers }) => [uid, containers.map(({ name }) => name)])).toEqual([
      ['u-2', []],
      ['u-1', ['app']],
    ]);
    stop.abort();
    await ended;
  });

  it('fails if what it reports in a timer cannot be processed', async () => {
    let calls = 0;
    const watch = new PodWatch(clusterWith([{ type: 'ADDED', object: WEB }]), unexpected, () => {
      calls += 1;
      if (calls > 1) throw new Error('cannot be processed');
    });
    await expect(watch.follow(new AbortController().signal)).rejects.toThrow('cannot be processed');
  });
});

describe('watchTable', () => {
  it('fails if changes cannot be processed later', async () => {
    const request = {
      resourceVersion: '1',
      signal: new AbortController().signal,
      onChanges: () => {
        throw new Error('cannot be processed');
      },
    };
    const connection = clusterWith([{ type: 'ADDED', object: WEB }]);
    await expect(watchTable(connection, PODS, request, unexpected)).rejects.toThrow('cannot be processed');
  });
});
