import { setImmediate as othersTurn } from 'node:timers/promises';
import { shorten } from '../../../drivers/log-store/index.js';
import { Explosions } from './explosions.js';
import { MatchMerge } from './match-merge.js';
import { QueryMatcher } from './query-matcher.js';
import type { SearchAnswer, SearchUnit } from './search-messages.js';
import { planAgain, planSearch } from './search-plan.js';
import {
  SEARCH_THREADS,
  SearchAborted,
  SearchExploded,
  SearchTimeout,
  type SearchPool,
} from './search-pool.js';
import type { SearchEnd, SearchEvent, SearchQuery } from './search-query.js';
import type { SourceLines } from './source-lines.js';

const PROGRESS_MS = 100;
/** Pieces that a thread gets at once, after it had one. */
const MOST_UNITS = 8;
/** What was found behind a piece that is searched still: while it is more than this, no further piece is begun. */
const MOST_WAITING_BYTES = 32 * 1024 * 1024;
/** After so many matches it is the turn of whatever else the thread has to do. */
const MATCHES_AT_ONCE = 1000;
/** A search of an expression that took so long in all is ended, however small its steps. */
const ALL_IN_ALL_MS = 60_000;

/** A task that is over, however it is. */
type Done = { task: number; units: SearchUnit[] } & ({ answer: SearchAnswer } | { error: unknown });

/** One search: hands its pieces to the threads, the newest first, and tells matches in their order. */
export class SearchRun implements AsyncIterable<SearchEvent> {
  /** Pieces that are not done, the newest first. */
  private open: SearchUnit[] = [];
  private todo: SearchUnit[] = [];
  private readonly waiting = new MatchMerge();
  private searched = 0;
  private matched = 0;
  private readonly explosions: Explosions;

  /** @throws DomainError `search_invalid` for an expression that is none. */
  constructor(
    private readonly query: SearchQuery,
    private readonly sources: readonly SourceLines[],
    private readonly pool: SearchPool,
    private readonly effectiveTime: (place: { time: number; source: number; seq: number }) => Promise<number>,
    private readonly signal: AbortSignal,
  ) {
    new QueryMatcher(query);
    this.explosions = new Explosions(pool.patienceMs);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SearchEvent, void, undefined> {
    const ending = new AbortController();
    const signal = AbortSignal.any([this.signal, ending.signal]);
    try {
      yield* this.run(signal);
    } finally {
      // Whatever the threads are still at is for nobody.
      ending.abort();
    }
  }

  private async *run(signal: AbortSignal): AsyncGenerator<SearchEvent, void, undefined> {
    const { before, limit, bounds = {} } = this.query;
    const { characters = Infinity } = bounds;
    let room = bounds.bytes ?? Infinity;
    const query = before
      ? { ...this.query, before: { ...before, time: await this.effectiveTime(before) } }
      : this.query;
    this.open = planSearch(query, this.sources);
    this.todo = [...this.open];
    const search = this.pool.nextSearch();
    const began = performance.now();
    let told = began;
    let size = 1;
    const running = new Map<number, Promise<Done>>();
    let task = 0;
    let reason: SearchEnd = 'complete';
    try {
      while (this.open.length > 0 && reason === 'complete') {
        while (running.size <= SEARCH_THREADS && this.todo.length > 0) {
          if (running.size > 0 && this.waiting.bytes > MOST_WAITING_BYTES) break;
          const isWary = this.explosions.any;
          const units = this.todo.splice(0, isWary ? 1 : size);
          if (task % SEARCH_THREADS === 1) size = Math.min(size * 2, MOST_UNITS);
          task += 1;
          const number = task;
          const answer = this.pool.run({ search, query, units, buckets: null, isWary }, signal);
          // One that fails while another is awaited is looked at in its turn.
          const done = answer.then(
            (result) => ({ task: number, units, answer: result }),
            (error: unknown) => ({ task: number, units, error }),
          );
          running.set(number, done);
        }
        const done = await Promise.race(running.values());
        running.delete(done.task);
        if ('answer' in done) this.take(done.units, done.answer);
        else this.tryAgain(done.units, done.error);
        // Nothing that is not done can bring a match that is later than this.
        const bound = this.open[0]?.lastTime ?? -1;
        for (let match = this.waiting.next(bound); match; match = this.waiting.next(bound)) {
          const line = shorten(match.line, characters);
          const bytes = room === Infinity ? 0 : Buffer.byteLength(line.text);
          if (this.matched === limit || (this.matched > 0 && bytes > room)) {
            reason = 'limit';
            break;
          }
          room -= bytes;
          this.matched += 1;
          if (this.matched % MATCHES_AT_ONCE === 0) await othersTurn();
          yield { type: 'match', source: match.source, line };
        }
        if (this.explosions.areTooMany) break;
        const now = performance.now();
        if (query.regex && now - began > ALL_IN_ALL_MS) throw new SearchTimeout();
        const [next] = this.open;
        if (next && reason === 'complete' && now - told > PROGRESS_MS) {
          told = now;
          yield { type: 'progress', searched: this.searched, time: next.lastTime };
        }
      }
      // Also at a limit: who goes on behind it would not hear of what is missing before it.
      if (this.explosions.haveHidden) reason = 'timeout';
    } catch (error) {
      if (error instanceof SearchAborted) return;
      if (!(error instanceof SearchTimeout)) throw error;
      reason = 'timeout';
    }
    yield { type: 'end', searched: this.searched, matched: this.matched, reason };
  }

  private take(units: readonly SearchUnit[], { units: results }: SearchAnswer): void {
    units.forEach((unit, index) => {
      const result = results[index];
      this.open.splice(this.open.indexOf(unit), 1);
      if (result?.gone) {
        this.add(planAgain(unit, this.sources));
        return;
      }
      this.searched += result?.searched ?? 0;
      if (result?.matches) this.waiting.add(result.matches);
    });
  }

  /** @throws Error where that is of no use. */
  private tryAgain(units: readonly SearchUnit[], error: unknown): void {
    if (!(error instanceof SearchExploded) || !this.query.regex) throw error;
    this.open = this.open.filter((unit) => !units.includes(unit));
    this.add(this.explosions.again(units, error));
    if (!this.explosions.areTooMany) return;
    // What was found beside them is told, though they hide lines that may be newer.
    this.open = this.open.filter((unit) => !this.explosions.isPart(unit));
  }

  private add(units: readonly SearchUnit[]): void {
    for (const list of [this.open, this.todo]) {
      list.push(...units);
      list.sort((one, other) => other.lastTime - one.lastTime);
    }
  }
}
