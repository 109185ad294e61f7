import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TestBed } from '@angular/core/testing';
import { ApiProblem } from '../../../shared/api/api-problem';
import type { LineDto, SearchStreamEvent } from '../../../shared/api/api-types';
import { rfc3339 } from '../../../shared/lines/log-line';
import { EIGHT } from '../../../shared/lines/testing/make-line';
import { LineSearch, MAX_MATCHES } from './line-search';
import { EMPTY_QUERY, type LogQuery } from '../../../shared/search/log-query';
import { SearchRun } from './search-run';

/** A pending search request, which the test answers. */
class FakeAnswer {
  private readonly events: SearchStreamEvent[][] = [];
  private isOver = false;
  private failure: Error | undefined;
  private wake: () => void = () => undefined;

  constructor(
    readonly parameters: Record<string, unknown>,
    readonly signal: AbortSignal,
  ) {}

  async *read(): AsyncGenerator<SearchStreamEvent[]> {
    for (;;) {
      const next = this.events.shift();
      if (next) yield next;
      else if (this.failure) throw this.failure;
      else if (this.isOver) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  async tell(...events: SearchStreamEvent[]): Promise<void> {
    this.events.push(events);
    this.isOver = events.some(({ type }) => type === 'end');
    this.wake();
    await jest.advanceTimersByTimeAsync(0);
  }

  async fail(error: Error): Promise<void> {
    this.failure = error;
    this.wake();
    await jest.advanceTimersByTimeAsync(0);
  }
}

function match(seq: number): SearchStreamEvent {
  const line: LineDto = {
    source: 1,
    seq,
    time: rfc3339(EIGHT + seq * 1000),
    stream: 'stdout',
    level: null,
    text: `line ${seq}`,
    cut: 0,
    continues: false,
  };
  return { type: 'match', line };
}

function ended(searched: number, reason: 'complete' | 'limit' | 'timeout' = 'complete'): SearchStreamEvent {
  return { type: 'end', searched, matched: 1, reason, searched_to: null, before: null };
}

const TIMEOUT: LogQuery = { ...EMPTY_QUERY, text: 'timeout' };

describe('SearchRun', () => {
  let answers: FakeAnswer[];
  let run: SearchRun;

  beforeEach(() => {
    jest.useFakeTimers({ now: EIGHT / 1000 });
    answers = [];
    const search: Pick<LineSearch, 'run'> = {
      run: (parameters, signal) => {
        const answer = new FakeAnswer(parameters, signal);
        answers.push(answer);
        return answer.read();
      },
    };
    TestBed.configureTestingModule({ providers: [SearchRun, { provide: LineSearch, useValue: search }] });
    run = TestBed.inject(SearchRun);
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  /** Sequence numbers of the matches in row order. */
  function found(): number[] {
    const rows = run.found();
    if (!rows) throw new Error('nothing was looked for');
    return Array.from({ length: rows.end - rows.first }, (_, index) => {
      const row = rows.row(rows.first + index);
      if (row?.kind !== 'line') throw new Error('A match must be a line.');
      return row.seq;
    });
  }

  async function whole(...seqs: number[]): Promise<void> {
    const searching = run.begin(TIMEOUT, [1, 2]);
    await answers.at(-1)?.tell(...seqs.map(match), ended(100));
    await searching;
  }

  it('knows how far back a search that timed out is complete', async () => {
    const searching = run.begin(TIMEOUT, [1, 2]);
    const searchedTo = '2026-11-21T14:02:11.000000Z';
    await answers[0]?.tell(match(1), {
      ...ended(100, 'timeout'),
      searched_to: searchedTo,
    } as SearchStreamEvent);
    await searching;
    expect([run.reason(), run.searchedTo()]).toEqual(['timeout', searchedTo]);
    await whole(1);
    expect([run.reason(), run.searchedTo()]).toEqual(['complete', null]);
  });

  it('shows matches while it runs, and why it ended', async () => {
    expect(run.found()).toBeNull();
    const searching = run.begin({ ...TIMEOUT, levels: ['error'] }, [1, 2]);
    expect(answers[0]?.parameters).toEqual({
      sources: '1,2',
      q: 'timeout',
      regex: false,
      case: false,
      level: 'error',
      limit: MAX_MATCHES,
    });
    expect([found(), run.isRunning(), run.reason()]).toEqual([[], true, null]);
    await answers[0]?.tell(match(9), match(7), { type: 'progress', searched: 400, time: rfc3339(EIGHT) });
    expect([found(), run.searched(), run.isRunning()]).toEqual([[7, 9], 400, true]);
    await answers[0]?.tell(match(4), ended(1000, 'limit'));
    await searching;
    expect([found(), run.searched(), run.isRunning(), run.reason()]).toEqual([
      [4, 7, 9],
      1000,
      false,
      'limit',
    ]);
  });

  it('reports why a search failed', async () => {
    const searching = run.begin(TIMEOUT, [1]);
    await answers[0]?.fail(new ApiProblem('search_invalid', 'A group is not closed.', 400));
    await searching;
    expect([run.problem()?.message, run.isRunning(), run.reason()]).toEqual([
      'A group is not closed.',
      false,
      null,
    ]);
    // The next search starts without the error.
    await whole(3);
    expect([run.problem(), found()]).toEqual([null, [3]]);
  });

  it('searches again on retry after storage_unavailable, but offers no retry for search_invalid', async () => {
    const searching = run.begin(TIMEOUT, [1]);
    await answers[0]?.fail(new ApiProblem('storage_unavailable', 'The disk cannot be read.', 503));
    await searching;
    expect(run.canRetry()).toBe(true);
    run.retry();
    expect([run.problem(), run.isRunning()]).toEqual([null, true]);
    expect(answers[1]?.parameters).toEqual(answers[0]?.parameters);
    await answers[1]?.fail(new ApiProblem('search_invalid', 'A group is not closed.', 400));
    expect(run.canRetry()).toBe(false);
  });

  it('keeps its matches when it is stopped, and ignores later ones', async () => {
    const searching = run.begin(TIMEOUT, [1]);
    await answers[0]?.tell(match(9));
    run.stop();
    expect([answers[0]?.signal.aborted, run.isRunning(), run.reason()]).toEqual([true, false, 'stopped']);
    await answers[0]?.tell(match(8), ended(10));
    await searching;
    expect([found(), run.reason(), run.problem()]).toEqual([[9], 'stopped', null]);
  });

  it('does not fail when a stopped request ends', async () => {
    const searching = run.begin(TIMEOUT, [1]);
    run.stop();
    await answers[0]?.fail(new Error('aborted'));
    await searching;
    expect([run.problem(), run.reason()]).toEqual([null, 'stopped']);
  });

  it('aborts the previous search', async () => {
    const first = run.begin(TIMEOUT, [1]);
    await answers[0]?.tell(match(9));
    const second = run.begin({ ...EMPTY_QUERY, text: 'refused' }, [1]);
    expect(answers[0]?.signal.aborted).toBe(true);
    await answers[0]?.tell(match(8), ended(10));
    await first;
    expect([found(), run.isRunning(), run.reason()]).toEqual([[], true, null]);
    await answers[1]?.tell(match(5), ended(20));
    await second;
    expect([found(), run.searched()]).toEqual([[5], 20]);
  });

  it('searches new lines a second later, and appends new matches', async () => {
    await whole(4, 3);
    run.scheduleRefresh();
    run.scheduleRefresh();
    await jest.advanceTimersByTimeAsync(999);
    expect(answers).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(answers).toHaveLength(2);
    // Two seconds before the first search: for clock differences and late lines.
    expect(answers[1]?.parameters).toMatchObject({ q: 'timeout', from: rfc3339(EIGHT - 2_000_000) });
    await answers[1]?.tell(match(6), match(5), match(4), ended(3));
    expect([found(), run.found()?.arrived, run.reason()]).toEqual([[3, 4, 5, 6], 2, 'complete']);
    run.scheduleRefresh();
    await jest.advanceTimersByTimeAsync(1000);
    expect(answers[2]?.parameters).toMatchObject({ from: rfc3339(EIGHT - 1_000_000) });
  });

  it('does not report a failed refresh: the next new lines repeat it', async () => {
    await whole(3);
    run.scheduleRefresh();
    await jest.advanceTimersByTimeAsync(1000);
    await answers[1]?.fail(new Error('no answer'));
    expect([run.problem(), found()]).toEqual([null, [3]]);
    run.scheduleRefresh();
    await jest.advanceTimersByTimeAsync(1000);
    expect(answers).toHaveLength(3);
  });

  it('does not search new lines that cannot match, or after an error', async () => {
    run.scheduleRefresh();
    const bounded = run.begin({ ...TIMEOUT, to: '2026-11-22T08:00:00.000Z' }, [1]);
    await answers[0]?.tell(ended(1));
    await bounded;
    run.scheduleRefresh();
    const failed = run.begin(TIMEOUT, [1]);
    run.scheduleRefresh();
    await answers[1]?.fail(new ApiProblem('offline', 'Slipway does not answer.', 0));
    await failed;
    run.scheduleRefresh();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(answers).toHaveLength(2);
  });

  it('ignores a refresh of a previous search', async () => {
    await whole(3);
    run.scheduleRefresh();
    await jest.advanceTimersByTimeAsync(1000);
    const other = run.begin({ ...EMPTY_QUERY, text: 'refused' }, [1]);
    await answers[1]?.tell(match(9), ended(1));
    await answers[2]?.tell(match(2), ended(1));
    await other;
    expect(found()).toEqual([2]);
  });

  it('is empty after clear, and does not refresh', async () => {
    await whole(3);
    run.scheduleRefresh();
    run.clear();
    await jest.advanceTimersByTimeAsync(10_000);
    expect([run.found(), run.reason(), run.problem(), answers.length]).toEqual([null, null, null, 1]);
  });

  it('ends with the page', async () => {
    const searching = run.begin(TIMEOUT, [1]);
    TestBed.resetTestingModule();
    expect(answers[0]?.signal.aborted).toBe(true);
    await answers[0]?.tell(ended(1));
    await searching;
  });
});
