import { TestBed } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { LineDto, SearchReason, SearchStreamEvent } from '../../../shared/api/api-types';
import { type LogLine, rfc3339 } from '../../../shared/lines/log-line';
import { provideApi } from '../../../shared/testing/fake-api';
import { type LogQuery, EMPTY_QUERY } from '../../../shared/search/log-query';
import { EIGHT } from '../../../shared/lines/testing/make-line';
import { LineSearch, MAX_MATCHES } from './line-search';
import { SearchRun } from './search-run';

const QUERY: LogQuery = { ...EMPTY_QUERY, text: 'x' };

/** A line as `source.seq`, written `seq` milliseconds after 8:00. */
type Name = `${number}.${number}`;

function match(name: Name): SearchStreamEvent {
  const [source = 0, seq = 0] = name.split('.').map(Number);
  const time = rfc3339(EIGHT + seq * 1000);
  const line: LineDto = { source, seq, time, stream: null, level: null, text: 'x', cut: 0, continues: false };
  return { type: 'match', line };
}

/** A pending search request. */
interface Asked {
  parameters: Readonly<Record<string, unknown>>;
  signal: AbortSignal;
  tell: (names: readonly Name[], reason?: SearchReason | null, matched?: number) => Promise<void>;
  fail: () => Promise<void>;
}

describe('SearchRun with changing sources', () => {
  let asked: Asked[];
  let run: SearchRun;
  let total: number;

  beforeEach(() => {
    jest.useFakeTimers({ now: EIGHT / 1000 });
    asked = [];
    total = 0;
    const count = { time: '', levels: {} };
    TestBed.configureTestingModule({
      providers: [
        SearchRun,
        { provide: LineSearch, useValue: { run: search } },
        provideApi({
          'GET /api/histogram': () => Promise.resolve({ reason: 'complete', buckets: [{ ...count, total }] }),
        }),
      ],
    });
    run = TestBed.inject(SearchRun);
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  async function* search(
    parameters: Asked['parameters'],
    signal: AbortSignal,
  ): AsyncGenerator<SearchStreamEvent[]> {
    let next = Promise.withResolvers<readonly SearchStreamEvent[]>();
    asked.push({
      parameters,
      signal,
      tell: async (names, reason = 'complete', matched = names.length) => {
        const end: SearchStreamEvent[] =
          reason === null
            ? []
            : [{ type: 'end', searched: 100, matched, reason, searched_to: null, before: null }];
        next.resolve([...names.map(match), ...end]);
        await jest.advanceTimersByTimeAsync(0);
      },
      fail: async () => {
        next.reject(new Error('no answer'));
        await jest.advanceTimersByTimeAsync(0);
      },
    });
    for (let isOver = false; !isOver;) {
      const events = await next.promise;
      next = Promise.withResolvers();
      isOver = events.some(({ type }) => type === 'end');
      yield [...events];
    }
  }

  function found(): string[] {
    const rows = run.found();
    if (!rows) throw new Error('nothing was looked for');
    return Array.from({ length: rows.end - rows.first }, (_, index) => {
      const row = rows.row(rows.first + index);
      return row?.kind === 'line' ? `${row.source}.${row.seq}` : 'no line';
    });
  }

  it('keeps its matches, and searches only added sources', async () => {
    run.setQuery(QUERY, [1, 2]);
    await asked[0]?.tell(['2.9', '1.5', '1.2']);
    const rows = run.found();
    run.setQuery(QUERY, [1, 2, 3]);
    expect([found(), run.found() === rows, run.isRunning()]).toEqual([['1.2', '1.5', '2.9'], true, false]);
    expect(asked[1]?.parameters).toMatchObject({ sources: '3', q: 'x' });
    expect(asked[1]?.parameters).not.toHaveProperty('from');
    await asked[1]?.tell(['3.10', '3.5', '3.1']);
    expect(found()).toEqual(['3.1', '1.2', '1.5', '3.5', '2.9', '3.10']);
    expect([run.found() === rows, run.total(), run.searched(), run.reason()]).toEqual([
      true,
      6,
      200,
      'complete',
    ]);
    // A second later, lines written before the source was followed are searched, in all sources.
    await jest.advanceTimersByTimeAsync(1000);
    expect(asked[2]?.parameters).toMatchObject({ sources: '1,2,3' });
    await asked[2]?.tell(['3.11', '3.10']);
    expect(found().slice(-2)).toEqual(['3.10', '3.11']);
  });

  it('removes matches of removed sources, and finds them again if the source returns', async () => {
    run.setQuery(QUERY, [1, 2]);
    await asked[0]?.tell(['2.9', '1.5', '2.2']);
    run.setQuery(QUERY, [1]);
    expect([found(), run.total(), asked.length]).toEqual([['1.5'], 1, 1]);
    run.setQuery(QUERY, [1, 2]);
    await asked[1]?.tell(['2.9', '2.2']);
    expect(found()).toEqual(['2.2', '1.5', '2.9']);
  });

  it('searches added sources as far back as the others, then all together', async () => {
    total = 7;
    run.setQuery(QUERY, [2]);
    await asked[0]?.tell(['2.9', '2.5'], 'limit');
    expect(run.total()).toBe(7);
    total = 12;
    run.setQuery(QUERY, [1, 2]);
    expect(asked[1]?.parameters).toMatchObject({ sources: '1', from: rfc3339(EIGHT + 5000) });
    expect(run.total()).toBe(7);
    // A match of the same time before the oldest one is loaded later.
    await asked[1]?.tell(['1.6', '1.5']);
    expect([found(), run.reason(), run.total()]).toEqual([['2.5', '1.6', '2.9'], 'limit', 12]);
    const older = run.loadOlder();
    expect(asked[2]?.parameters).toMatchObject({ sources: '1,2', before: `${EIGHT + 5000}.2.5` });
    await asked[2]?.tell(['1.5', '1.4', '2.3']);
    expect([await older, found()]).toEqual([true, ['2.3', '1.4', '1.5', '2.5', '1.6', '2.9']]);
  });

  it('counts again when a source without loaded matches is removed', async () => {
    total = 9;
    run.setQuery(QUERY, [1, 2]);
    await asked[0]?.tell(['1.9', '1.5'], 'limit');
    expect(run.total()).toBe(9);
    total = 6;
    run.setQuery(QUERY, [1]);
    await jest.advanceTimersByTimeAsync(0);
    expect([found(), run.total(), asked.length]).toEqual([['1.5', '1.9'], 6, 1]);
  });

  it('can still load older matches if the search of an added source times out', async () => {
    run.setQuery(QUERY, [1]);
    await asked[0]?.tell(['1.9', '1.5'], 'limit');
    run.setQuery(QUERY, [1, 2]);
    await asked[1]?.tell(['2.8'], 'timeout');
    expect([found(), run.reason()]).toEqual([['1.5', '2.8', '1.9'], 'limit']);
    run.setQuery(QUERY, [1, 2, 3]);
    expect(asked).toHaveLength(3);
  });

  it('continues after a timeout if it got the maximum number of matches', async () => {
    run.setQuery(QUERY, [1]);
    await asked[0]?.tell(['1.9', '1.5'], 'timeout', MAX_MATCHES);
    const older = run.loadOlder();
    await asked[1]?.tell(['1.4'], 'timeout');
    expect([await older, found(), await run.loadOlder()]).toEqual([true, ['1.4', '1.5', '1.9'], false]);
  });

  it('searches as far back again after a failed refresh', async () => {
    run.setQuery(QUERY, [1]);
    await asked[0]?.tell(['1.9']);
    await jest.advanceTimersByTimeAsync(5000);
    for (let time = 0; time < 2; time += 1) {
      run.scheduleRefresh();
      await jest.advanceTimersByTimeAsync(1000);
      await asked.at(-1)?.fail();
      await jest.advanceTimersByTimeAsync(60_000);
    }
    expect(asked.slice(1).map(({ parameters }) => parameters['from'])).toEqual(
      [0, 0].map(() => rfc3339(EIGHT - 2_000_000)),
    );
  });

  it('drops matches before the oldest of a limited response', async () => {
    run.setQuery(QUERY, [1]);
    await asked[0]?.tell(['1.9', '1.5', '1.2']);
    run.setQuery(QUERY, [1, 2]);
    await asked[1]?.tell(['2.8', '2.6'], 'limit');
    expect([found(), run.reason()]).toEqual([['2.6', '2.8', '1.9'], 'limit']);
    const older = run.loadOlder();
    await asked[2]?.tell(['1.5', '2.4', '1.2']);
    await older;
    expect(found()).toEqual(['1.2', '2.4', '1.5', '2.6', '2.8', '1.9']);
  });

  it('starts again without remaining matches, or for another query', async () => {
    run.setQuery(QUERY, [1]);
    await asked[0]?.tell(['1.9'], 'limit');
    run.setQuery(QUERY, [2]);
    expect([asked[1]?.parameters['sources'], found(), run.isRunning()]).toEqual(['2', [], true]);
    await asked[1]?.tell(['2.9'], 'limit');
    run.setQuery(QUERY, [2, 3]);
    await asked[2]?.tell([]);
    // All loaded matches were of the removed source; older ones of the other are unknown.
    run.setQuery(QUERY, [3]);
    expect([asked[3]?.parameters['sources'], found(), run.isRunning()]).toEqual(['3', [], true]);
    run.setQuery({ ...QUERY, text: 'y' }, [3]);
    expect([asked[3]?.signal.aborted, asked[4]?.parameters['q']]).toEqual([true, 'y']);
  });

  it('waits for a running search to end, and ignores matches of removed sources', async () => {
    run.setQuery(QUERY, [1, 2]);
    await asked[0]?.tell(['2.9', '1.8'], null);
    run.setQuery(QUERY, [1, 3]);
    expect([found(), asked.length, run.isRunning()]).toEqual([['1.8'], 1, true]);
    await asked[0]?.tell(['2.7', '1.6']);
    expect(found()).toEqual(['1.6', '1.8']);
    await asked[1]?.tell(['3.7']);
    expect(found()).toEqual(['1.6', '3.7', '1.8']);
  });

  it('retries a failed search of added sources', async () => {
    run.setQuery(QUERY, [1]);
    await asked[0]?.tell(['1.9']);
    run.setQuery(QUERY, [1, 2]);
    await asked[1]?.fail();
    expect([found(), run.problem()]).toEqual([['1.9'], null]);
    await jest.advanceTimersByTimeAsync(2000);
    await asked[2]?.tell(['2.7']);
    expect([asked[2]?.parameters['sources'], found()]).toEqual(['2', ['2.7', '1.9']]);
  });

  it('shows that it searches if that takes longer, and can be stopped', async () => {
    run.setQuery(QUERY, [1]);
    await asked[0]?.tell(['1.9']);
    run.setQuery(QUERY, [1, 2]);
    await jest.advanceTimersByTimeAsync(600);
    expect(run.isRunning()).toBe(true);
    run.stop();
    await asked[1]?.tell(['2.7']);
    expect([asked[1]?.signal.aborted, run.isRunning(), run.reason(), found()]).toEqual([
      true,
      false,
      'stopped',
      ['1.9'],
    ]);
  });

  it('renumbers the rows after inserted matches', async () => {
    run.setQuery(QUERY, [1, 2]);
    await asked[0]?.tell(['1.9', '2.7', '1.5', '1.2']);
    const rows = run.found();
    if (!rows) throw new Error('nothing was looked for');
    const at = (seq: number): number => found().indexOf(`1.${seq}`) + rows.first;
    const places = [2, 5, 9].map((seq) => rows.row(at(seq)) as LogLine);
    run.setQuery(QUERY, [1, 2, 3]);
    await asked[1]?.tell(['3.12', '3.8', '3.6', '3.4', '3.3', '3.1']);
    expect(places.map((line) => rows.find(line))).toEqual([2, 5, 9].map(at));
    const removed = rows.row(at(2) + 1) as LogLine;
    run.setQuery(QUERY, [1]);
    expect(found()).toEqual(['1.2', '1.5', '1.9']);
    expect(places.map((line) => rows.find(line))).toEqual([2, 5, 9].map(at));
    // The match after it takes its place.
    expect(rows.find(removed)).toBe(at(5));
  });
});
