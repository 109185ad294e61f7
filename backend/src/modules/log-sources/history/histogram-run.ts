import { LEVELS } from '../../../drivers/log-store/index.js';
import { QueryMatcher } from './query-matcher.js';
import { BUCKET_LEVELS, BUCKET_NUMBERS, type SearchUnit } from './search-messages.js';
import { planAgain, planSearch } from './search-plan.js';
import { SEARCH_THREADS, SearchAborted, SearchTimeout, type SearchPool } from './search-pool.js';
import type { Histogram, HistogramBucket, SearchQuery } from './search-query.js';
import type { SourceLines } from './source-lines.js';

/** Pieces that a thread gets at once, after it had fewer: an expression that explodes does so in the first of them. */
const MOST_UNITS = 8;

/** Counts of matching lines over time. */
export class HistogramRun {
  private readonly from: number;
  private readonly to: number;
  private readonly width: number;

  /** @throws DomainError `search_invalid` for an expression that is none. */
  constructor(
    private readonly query: SearchQuery,
    private readonly buckets: number,
    private readonly sources: readonly SourceLines[],
    private readonly pool: SearchPool,
    private readonly signal: AbortSignal,
  ) {
    new QueryMatcher(query);
    const extents = sources.map(({ extent }) => extent).filter(({ firstTime }) => firstTime !== null);
    const first = Math.min(...extents.map(({ firstTime }) => firstTime ?? Infinity));
    const last = Math.max(...extents.map(({ lastTime }) => lastTime ?? 0));
    this.from = query.from ?? (Number.isFinite(first) ? first : 0);
    this.to = Math.max(query.to ?? last + 1, this.from + 1);
    this.width = Math.ceil((this.to - this.from) / buckets);
  }

  async count(): Promise<Histogram> {
    const counts = new Float64Array(this.buckets * BUCKET_NUMBERS);
    const ending = new AbortController();
    let reason: Histogram['reason'] = 'complete';
    try {
      await this.countAll(counts, AbortSignal.any([this.signal, ending.signal]));
    } catch (error) {
      // Nobody waits for what is not wanted any more.
      if (!(error instanceof SearchTimeout || error instanceof SearchAborted)) throw error;
      reason = 'timeout';
    } finally {
      ending.abort();
    }
    const { from, to, width } = this;
    const buckets = Array.from({ length: this.buckets }, (_, index) => this.bucket(index, counts));
    return { from, to, width, buckets, reason };
  }

  private async countAll(counts: Float64Array, signal: AbortSignal): Promise<void> {
    const query = { ...this.query, from: this.from, to: this.to };
    const todo = planSearch(query, this.sources);
    const search = this.pool.nextSearch();
    const buckets = { from: this.from, width: this.width, count: this.buckets };
    let size = 1;
    const next = (): SearchUnit[] => todo.splice(0, size);
    const work = async (): Promise<void> => {
      for (let units = next(); units.length > 0; units = next()) {
        const answer = await this.pool.run({ search, query, units, buckets }, signal);
        size = Math.min(size * 2, MOST_UNITS);
        answer.counts?.forEach((count, index) => {
          counts[index] = (counts[index] as number) + count;
        });
        const gone = units.filter((_: SearchUnit, index) => answer.units[index]?.gone);
        for (const unit of gone) todo.push(...planAgain(unit, this.sources));
      }
    };
    await Promise.all(Array.from({ length: SEARCH_THREADS }, work));
  }

  private bucket(index: number, counts: Float64Array): HistogramBucket {
    const levels: HistogramBucket['levels'] = {};
    let total = 0;
    for (let level = 0; level < BUCKET_LEVELS; level += 1) {
      const count = counts[index * BUCKET_NUMBERS + level] as number;
      if (count === 0) continue;
      levels[LEVELS[level - 1] ?? 'none'] = count;
      total += count;
    }
    const bytes = counts[index * BUCKET_NUMBERS + BUCKET_LEVELS] as number;
    return { time: this.from + index * this.width, total, bytes, levels };
  }
}
