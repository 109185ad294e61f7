import { TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { HistogramDto, LineDto, SearchReason, SearchStreamEvent } from '../../../shared/api/api-types';
import { rfc3339 } from '../../../shared/lines/log-line';
import { provideApi } from '../../../shared/testing/fake-api';
import { EMPTY_QUERY, filterParameters } from '../../../shared/search/log-query';
import { LineSearch } from './line-search';
import { SearchRun } from './search-run';

const BEGIN = 1_795_000_000_000_000;
const QUERY = { ...EMPTY_QUERY, text: 'x' };

/** Responses in order of the expected requests. */
class Script {
  readonly searches: { before?: string; hits: readonly number[]; end: SearchReason }[] = [];
  readonly counts: { to: string; total: number }[] = [];

  async *run(parameters: Readonly<Record<string, unknown>>): AsyncGenerator<SearchStreamEvent[]> {
    const next = this.searches.shift();
    if (!next) throw new Error('a search too many');
    expect(parameters['before']).toBe(next.before);
    await Promise.resolve();
    yield next.hits.map((seq) => ({ type: 'match', line: hit(seq) }));
    yield [
      {
        type: 'end',
        searched: 100,
        matched: next.hits.length,
        reason: next.end,
        searched_to: null,
        before: null,
      },
    ];
  }

  async histogram(params: object): Promise<HistogramDto> {
    const next = this.counts.shift();
    if (!next) throw new Error('a count too many');
    expect(params).toEqual({ ...filterParameters({ ...QUERY, to: next.to }, [1]), buckets: 1 });
    await Promise.resolve();
    const bucket = { time: next.to, total: next.total, levels: {} };
    return { from: next.to, to: next.to, bucket_seconds: 1, buckets: [bucket], reason: 'complete' };
  }
}

function hit(seq: number): LineDto {
  const time = rfc3339(BEGIN + seq);
  return { source: 1, seq, time, stream: null, level: null, text: 'x', cut: 0, continues: false };
}

describe('SearchRun with more matches than one response', () => {
  let script: Script;
  let run: SearchRun;

  beforeEach(() => {
    script = new Script();
    TestBed.configureTestingModule({
      providers: [
        SearchRun,
        { provide: LineSearch, useValue: script },
        provideApi({ 'GET /api/histogram': (params) => script.histogram(params) }),
      ],
    });
    run = TestBed.inject(SearchRun);
  });

  it('loads older matches, and knows their total number', async () => {
    script.searches.push({ hits: [9, 8, 7], end: 'limit' });
    script.counts.push({ to: rfc3339(BEGIN + 10), total: 5 });
    await run.begin(QUERY, [1]);
    expect([run.held(), run.total(), run.reason()]).toEqual([3, 5, 'limit']);
    script.searches.push({ before: `${BEGIN + 7}.1.7`, hits: [6], end: 'limit' });
    expect(await run.loadOlder()).toBe(true);
    expect([run.held(), run.total(), run.searched()]).toEqual([4, 5, 200]);
    script.searches.push({ before: `${BEGIN + 6}.1.6`, hits: [5], end: 'complete' });
    // The visible first row requests them, too.
    run.found()?.want(-4, 0);
    while (run.reason() !== 'complete') await Promise.resolve();
    expect(await run.loadOlder()).toBe(false);
    expect([run.held(), run.total(), run.found()?.oldest?.seq]).toEqual([5, 5, 5]);
  });

  it('has no total without a count, and requests nothing if all matches are loaded', async () => {
    script.searches.push({ hits: [2, 1], end: 'complete' });
    await run.begin(QUERY, [1]);
    expect([run.total(), await run.loadOlder()]).toEqual([2, false]);
    script.searches.push({ hits: [2, 1], end: 'limit' });
    await run.begin(QUERY, [1]);
    expect(run.total()).toBeNull();
    expect(run.held()).toBe(2);
  });

  it('removes matches before the period, and counts again', async () => {
    script.searches.push({ hits: [9, 8, 7], end: 'limit' });
    script.counts.push({ to: rfc3339(BEGIN + 10), total: 20 }, { to: rfc3339(BEGIN + 10), total: 6 });
    await run.begin(QUERY, [1]);
    run.slideTo(BEGIN + 8);
    expect([run.held(), run.total()]).toEqual([2, null]);
    while (run.total() === null) await Promise.resolve();
    expect(run.total()).toBe(6);
  });
});
