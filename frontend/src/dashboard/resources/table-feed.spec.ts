import { computed, signal } from '@angular/core';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiProblem } from '../../shared/api/api-problem';
import type { ResourceTableDto, ServerMessage } from '../../shared/api/api-types';
import type { LiveListener, LiveState } from '../../shared/live/live-connection';
import { fakeApi } from '../../shared/testing/fake-api';
import { aColumn, aRow, aTable } from '../../shared/testing/resource-records';
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

  it('prefers pushed changes over pages, and does not restore removed rows', async () => {
    await answer(aTable([aRow({ name: 'a' })], { continue: 'more' }));
    push({ upserts: [aRow({ name: 'new' })], removed: ['uid-of-b'] });
    await answer(aTable([aRow({ name: 'b' }), aRow({ name: 'c' })]));
    expect(names()).toEqual(['a', 'c', 'new']);
  });

  it('replaces its rows by a pushed table', async () => {
    await answer(aTable([aRow({ name: 'a' }), aRow({ name: 'b' })]));
    push({ reset: true, upserts: [aRow({ name: 'b' })], total: 2 });
    // Rows are removed only once the pushed table is complete.
    expect(names()).toEqual(['a', 'b']);
    push({ upserts: [aRow({ name: 'c' })], total: 2 });
    expect(names()).toEqual(['b', 'c']);
  });

  it('stops loading pages when a table is pushed', async () => {
    state.set('live');
    listener?.refresh();
    push({ reset: true, upserts: [aRow({ name: 'pushed' })], total: 1, columns: [aColumn('Name')] });
    await answer(aTable([aRow({ name: 'read' })], { continue: 'more' }));
    expect(asked).toEqual([undefined]);
    expect([names(), feed.complete(), feed.type()?.kind]).toEqual([['pushed'], true, 'Pod']);
  });

  it('shows a pushed problem until the next update', () => {
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
