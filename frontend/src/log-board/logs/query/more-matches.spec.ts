import { TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { HistogramDto, LineDto, SearchReason, SearchStreamEvent } from '../../../shared/api/api-types';
import { rfc3339 } from '../../../shared/lines/log-line';
import { HistogramApi } from '../histogram/histogram-api';
import { LineSearch } from './line-search';
import { type LogQuery, WHOLE } from './log-query';
import { SearchRun } from './search-run';

const BEGIN = 1_795_000_000_000_000;
const QUERY = { ...WHOLE, text: 'x' };

/** Answers in the order in which they are asked for; what is asked is compared with what was foreseen. */
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

  async read(query: LogQuery, sources: readonly number[], buckets: number): Promise<HistogramDto> {
    const next = this.counts.shift();
    if (!next) throw new Error('a count too many');
    expect([query, sources, buckets]).toEqual([{ ...QUERY, to: next.to }, [1], 1]);
    await Promise.resolve();
    const bucket = { time: next.to, total: next.total, levels: {} };
    return { from: next.to, to: next.to, bucket_seconds: 1, buckets: [bucket], reason: 'complete' };
  }
}

function hit(seq: number): LineDto {
  const time = rfc3339(BEGIN + seq);
  return { source: 1, seq, time, stream: null, level: null, text: 'x', cut: 0, continues: false };
}

describe('a search with more matches than one answer holds', () => {
  let script: Script;
  let run: SearchRun;

  beforeEach(() => {
    script = new Script();
    TestBed.configureTestingModule({
      providers: [
        SearchRun,
        { provide: LineSearch, useValue: script },
        { provide: HistogramApi, useValue: script },
      ],
    });
    run = TestBed.inject(SearchRun);
  });

  it('goes on behind the oldest one, and knows how many there are', async () => {
    script.searches.push({ hits: [9, 8, 7], end: 'limit' });
    script.counts.push({ to: rfc3339(BEGIN + 10), total: 5 });
    await run.begin(QUERY, [1]);
    expect([run.held(), run.total(), run.reason()]).toEqual([3, 5, 'limit']);
    script.searches.push({ before: `${BEGIN + 7}.1.7`, hits: [6], end: 'limit' });
    expect(await run.goOn()).toBe(true);
    expect([run.held(), run.total(), run.searched()]).toEqual([4, 5, 200]);
    script.searches.push({ before: `${BEGIN + 6}.1.6`, hits: [5], end: 'complete' });
    // Whoever looks at the first row asks for it too.
    run.found()?.want(-4, 0);
    while (run.reason() !== 'complete') await Promise.resolve();
    expect(await run.goOn()).toBe(false);
    expect([run.held(), run.total(), run.found()?.oldest?.seq]).toEqual([5, 5, 5]);
  });

  it('says nothing of a total that nobody counted, and asks for nothing where all is here', async () => {
    script.searches.push({ hits: [2, 1], end: 'complete' });
    await run.begin(QUERY, [1]);
    expect([run.total(), await run.goOn()]).toEqual([2, false]);
    script.searches.push({ hits: [2, 1], end: 'limit' });
    await run.begin(QUERY, [1]);
    expect(run.total()).toBeNull();
    expect(run.held()).toBe(2);
  });

  it('forgets what its period has left behind, and counts anew', async () => {
    script.searches.push({ hits: [9, 8, 7], end: 'limit' });
    script.counts.push({ to: rfc3339(BEGIN + 10), total: 20 }, { to: rfc3339(BEGIN + 10), total: 6 });
    await run.begin(QUERY, [1]);
    run.slideTo(BEGIN + 8);
    expect([run.held(), run.total()]).toEqual([2, null]);
    while (run.total() === null) await Promise.resolve();
    expect(run.total()).toBe(6);
  });
});
