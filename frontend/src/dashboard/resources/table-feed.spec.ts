import { computed, signal } from '@angular/core';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiProblem } from '../../shared/api/api-problem';
import type { ResourceTableDto, ServerMessage } from '../../shared/api/api-types';
import type { LiveListener, LiveState } from '../../shared/live/live-connection';
import { fakeApi } from '../../shared/testing/fake-api';
import { aRow, aTable } from '../../shared/testing/resource-records';
import { TableFeed } from './table-feed';

const KEY = { name: 'staging', runtime: 'demo' };
const PODS = { group: 'core', version: 'v1', plural: 'pods' };

describe('TableFeed', () => {
  let listener: LiveListener | undefined;
  let answers: { resolve: (page: ResourceTableDto) => void; reject: (error: unknown) => void }[];
  let asked: (string | undefined)[];
  let feed: TableFeed;
  const state = signal<LiveState>('connecting');

  beforeEach(() => {
    listener = undefined;
    answers = [];
    asked = [];
    state.set('connecting');
    feed = makeFeed();
  });

  afterEach(() => feed.end());

  function makeFeed(): TableFeed {
    return new TableFeed(
      fakeApi({
        'GET /api/v1/clusters/{name}/resources/{group}/{version}/{plural}': (query) => {
          asked.push(query.continue);
          return new Promise((resolve, reject) => answers.push({ resolve, reject }));
        },
      }),
      {
        state,
        listen: (given) => {
          listener = given;
          // Like a connection that is not open yet.
          given.refresh();
          return () => (listener = undefined);
        },
      },
      KEY,
      PODS,
    );
  }

  async function answer(page: ResourceTableDto): Promise<void> {
    answers.shift()?.resolve(page);
    await new Promise((resolve) => setTimeout(resolve));
  }

  function push(change: Partial<Extract<ServerMessage, { type: 'resources' }>>): void {
    listener?.onMessage({
      type: 'resources',
      topic: 'resources:demo/staging/core/v1/pods',
      error: null,
      upserts: [],
      removed: [],
      total: 0,
      position: null,
      reset: false,
      ...change,
    });
  }

  function names(): string[] {
    return feed.shown().map(({ row }) => row.name);
  }

  it('does not depend on the connection state when created in an effect', () => {
    const made = computed(() => makeFeed());
    const before = made();
    state.set('live');
    expect(made()).toBe(before);
    before.end();
  });

  it('shows the first page before the others have loaded', async () => {
    expect(feed.waiting()).toBe(true);
    await answer(aTable([aRow({ name: 'a' })], { continue: 'more', total: 2 }));
    expect(names()).toEqual(['a']);
    expect([feed.complete(), feed.total()]).toEqual([false, 2]);
    await answer(aTable([aRow({ name: 'b' })]));
    expect(asked).toEqual([undefined, 'more']);
    expect([names(), feed.complete()]).toEqual([['a', 'b'], true]);
  });

  it('follows the changes since the first page', async () => {
    await answer(aTable([aRow({ name: 'a' })], { continue: 'more', position: 'store.7' }));
    expect(listener).toBeUndefined();
    await answer(aTable([aRow({ name: 'b' })], { position: 'store.9' }));
    expect(listener?.after?.()).toBe('store.7');
    push({ upserts: [aRow({ name: 'c' })], removed: ['uid-of-a'], position: 'store.10' });
    expect(names()).toEqual(['b', 'c']);
    // A new socket continues there.
    expect(listener?.after?.()).toBe('store.10');
    expect(asked).toHaveLength(2);
  });

  it('reads the table again if changes are missing', async () => {
    state.set('live');
    await answer(aTable([aRow({ name: 'a' }), aRow({ name: 'b' })], { position: 'store.1' }));
    push({ reset: true, position: 'store.90' });
    expect(listener).toBeUndefined();
    expect(names()).toEqual(['a', 'b']);
    await answer(aTable([aRow({ name: 'b' })], { position: 'store.95' }));
    expect([names(), listener?.after?.()]).toEqual([['b'], 'store.95']);
  });

  it('shows a pushed problem until the next update', async () => {
    await answer(aTable([]));
    push({ error: { code: 'cluster_unreachable', message: 'It does not answer.' } });
    expect(feed.problem()?.message).toBe('It does not answer.');
    push({ upserts: [aRow()], total: 1 });
    expect(feed.problem()).toBeNull();
  });

  it('keeps the rows if loading fails, and shows the problem', async () => {
    await answer(aTable([aRow({ name: 'a' })]));
    listener?.refresh();
    answers.shift()?.reject(new ApiProblem('cluster_unreachable', 'It does not answer.', 503));
    await new Promise((resolve) => setTimeout(resolve));
    expect([names(), feed.problem()?.message]).toEqual([['a'], 'It does not answer.']);
    feed.end();
    expect(listener).toBeUndefined();
  });
});
