import { describe, expect, it } from '@jest/globals';
import type { LineDto, SearchReason, SearchStreamEvent } from '../../../shared/api/api-types';
import { type LogLine, microseconds, readLine, rfc3339 } from '../../../shared/lines/log-line';
import { MatchNavigator } from './match-navigator';
import { EMPTY_QUERY } from '../../../shared/search/log-query';

const BEGIN = (Date.now() - 86_400_000) * 1000;

/** The search API over matches of several sources; it rejects unknown parameters. */
class FakeSearch {
  readonly asked: Record<string, unknown>[] = [];
  reason: SearchReason | null = null;
  private readonly hits: LineDto[];

  /** @param hits time since the start in microseconds, source and sequence number, in merge order */
  constructor(hits: readonly (readonly [time: number, source: number, seq: number])[]) {
    this.hits = hits.map(([time, source, seq]) => ({
      source,
      seq,
      time: rfc3339(BEGIN + time),
      stream: null,
      level: 'error',
      text: `${source}.${seq}`,
      cut: 0,
      continues: false,
    }));
  }

  async *run(parameters: Readonly<Record<string, unknown>>): AsyncGenerator<SearchStreamEvent[]> {
    this.asked.push(parameters);
    await Promise.resolve();
    const { sources, level, from, to, before, limit, ...others } = parameters;
    expect([sources, level, others]).toEqual(['1,2', 'error', {}]);
    const [time = Infinity, source = 0, seq = 0] =
      typeof before === 'string' ? before.split('.').map(Number) : [];
    const fitting = this.hits.filter((hit) => {
      const at = microseconds(hit.time);
      if (typeof from === 'string' && at < microseconds(from)) return false;
      if (typeof to === 'string' && at >= microseconds(to)) return false;
      return at < time || (at === time && (hit.source < source || (hit.source === source && hit.seq < seq)));
    });
    const returned = fitting.reverse().slice(0, Number(limit));
    yield returned.map((line) => ({ type: 'match', line }));
    const isAll = returned.length === fitting.length;
    const reason = this.reason ?? (isAll ? 'complete' : 'limit');
    yield [{ type: 'end', searched: 0, matched: returned.length, reason, searched_to: null, before: null }];
  }

  line(index: number): LogLine {
    const hit = this.hits.at(index);
    if (!hit) throw new Error('no such hit');
    return readLine(hit);
  }
}

const QUERY = { ...EMPTY_QUERY, levels: ['error' as const] };

function walkOver(search: FakeSearch) {
  const walk = new MatchNavigator(search);
  return (from: LogLine | null, direction: 1 | -1) => walk.next(QUERY, [1, 2], from, direction);
}

describe('MatchNavigator', () => {
  it('visits every match in both directions, across responses', async () => {
    const COUNT = 12_000;
    // Half an hour: bursts, single matches, and equal times in two sources.
    const search = new FakeSearch(
      Array.from({ length: COUNT }, (_, index) => [
        Math.floor(index / 2) * 100 + Math.floor(index / 5000) * 600_000_000,
        (index % 2) + 1,
        Math.floor(index / 2) + 1,
      ]),
    );
    const next = walkOver(search);
    const expected = Array.from({ length: COUNT }, (_, index) => search.line(index).text);
    const gone: string[] = [];
    let last: LogLine | null = null;
    for (let line = await next(null, -1); line; line = await next(line, -1)) {
      gone.push(line.text);
      last = line;
    }
    expect(gone.reverse()).toEqual(expected);
    expect(search.asked.length).toBeLessThan(20);
    const come = [last?.text];
    for (let line = await next(last, 1); line; line = await next(line, 1)) come.push(line.text);
    expect(come).toEqual(expected);
    expect(search.asked.length).toBeLessThan(150);
  });

  it('starts from any line, also without a match', async () => {
    const search = new FakeSearch([
      [0, 1, 10],
      [7_200_000_000, 1, 20],
    ]);
    const between: LogLine = { ...search.line(0), seq: 15, time: BEGIN + 60, rank: BEGIN + 60 };
    const next = walkOver(search);
    expect((await next(between, 1))?.seq).toBe(20);
    expect((await next(between, -1))?.seq).toBe(10);
    expect((await next(null, 1))?.seq).toBe(10);
    // Its time is earlier, its sequence number is not.
    const late: LogLine = { ...between, seq: 9, time: BEGIN, rank: BEGIN };
    expect((await next(late, 1))?.seq).toBe(10);
  });

  it('finds lines written since', async () => {
    const first = new FakeSearch([[0, 1, 1]]);
    const next = walkOver(first);
    const line = await next(null, -1);
    expect(await next(line, 1)).toBeNull();
    const { hits } = first as unknown as { hits: LineDto[] };
    hits.push({ ...(hits[0] as LineDto), seq: 2, time: rfc3339(BEGIN + 5) });
    expect((await next(line, 1))?.seq).toBe(2);
  });

  it('reports a timeout', async () => {
    const search = new FakeSearch([[0, 1, 1]]);
    search.reason = 'timeout';
    await expect(walkOver(search)(null, -1)).rejects.toThrow('timed out');
  });
});
