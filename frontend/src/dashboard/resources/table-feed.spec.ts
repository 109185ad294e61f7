import { computed, signal } from '@angular/core';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiProblem } from '../../shared/api/api-problem';
import type { ResourceTableDto, ServerMessage } from '../../shared/api/api-types';
import type { LiveListener, LiveState } from '../../shared/live/live-connection';
import { aColumn, aRow, aTable } from '../../shared/testing/resource-records';
import { TableFeed } from './table-feed';

const KEY = { name: 'staging', runtime: 'demo' };
const PODS = { group: 'core', version: 'v1', plural: 'pods' };

describe('the table of a kind', () => {
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
      {
        table: (_key, _type, query) => {
          asked.push(query.continue);
          return new Promise((resolve, reject) => answers.push({ resolve, reject }));
        },
      },
      {
        state,
        listen: (given) => {
          listener = given;
          // As a connection does that does not stand yet.
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

  it('outlives the connection that it begins with, where a signal makes it', () => {
    const made = computed(() => makeFeed());
    const before = made();
    state.set('live');
    expect(made()).toBe(before);
    before.end();
  });

  it('shows the first page before the rest is here', async () => {
    expect(feed.waiting()).toBe(true);
    await answer(aTable([aRow({ name: 'a' })], { continue: 'more', total: 2 }));
    expect(names()).toEqual(['a']);
    expect([feed.complete(), feed.total()]).toEqual([false, 2]);
    await answer(aTable([aRow({ name: 'b' })]));
    expect(asked).toEqual([undefined, 'more']);
    expect([names(), feed.complete()]).toEqual([['a', 'b'], true]);
  });

  it('keeps what was pushed while it was read, and what went does not come back', async () => {
    await answer(aTable([aRow({ name: 'a' })], { continue: 'more' }));
    push({ upserts: [aRow({ name: 'new' })], removed: ['uid-of-b'] });
    await answer(aTable([aRow({ name: 'b' }), aRow({ name: 'c' })]));
    expect(names()).toEqual(['a', 'c', 'new']);
  });

  it('takes a whole table that is pushed in the place of its own', async () => {
    await answer(aTable([aRow({ name: 'a' }), aRow({ name: 'b' })]));
    push({ reset: true, upserts: [aRow({ name: 'b' })], total: 2 });
    // The rest may be on its way: nothing goes before it is all there.
    expect(names()).toEqual(['a', 'b']);
    push({ upserts: [aRow({ name: 'c' })], total: 2 });
    expect(names()).toEqual(['b', 'c']);
  });

  it('is read no further once it is told, and not again when it begins to be', async () => {
    state.set('live');
    listener?.refresh();
    push({ reset: true, upserts: [aRow({ name: 'told' })], total: 1, columns: [aColumn('Name')] });
    await answer(aTable([aRow({ name: 'read' })], { continue: 'more' }));
    expect(asked).toEqual([undefined]);
    expect([names(), feed.complete(), feed.type()?.kind]).toEqual([['told'], true, 'Pod']);
  });

  it('says why what is told is not up to date, until it is again', () => {
    push({ error: { code: 'cluster_unreachable', message: 'It does not answer.' } });
    expect(feed.problem()?.message).toBe('It does not answer.');
    push({ upserts: [aRow()], total: 1 });
    expect(feed.problem()).toBeNull();
  });

  it('keeps the rows where a reading fails, and says why', async () => {
    await answer(aTable([aRow({ name: 'a' })]));
    listener?.refresh();
    answers.shift()?.reject(new ApiProblem('cluster_unreachable', 'It does not answer.', 503));
    await new Promise((resolve) => setTimeout(resolve));
    expect([names(), feed.problem()?.message]).toEqual([['a'], 'It does not answer.']);
    feed.end();
    expect(listener).toBeUndefined();
  });
});
