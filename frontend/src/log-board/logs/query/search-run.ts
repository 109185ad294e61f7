import { computed, DestroyRef, inject, Injectable, signal, untracked } from '@angular/core';
import { Api } from '../../../shared/api/api';
import { ApiProblem } from '../../../shared/api/api-problem';
import type { SearchReason, SearchStreamEvent } from '../../../shared/api/api-types';
import { Clock } from '../../../shared/browser/clock';
import { compareRows, type LogLine, readLine, rfc3339 } from '../../../shared/lines/log-line';
import { sumsOf } from '../../../shared/histogram/bars';
import { MatchRows } from './match-rows';
import { LineSearch, MAX_MATCHES } from './line-search';
import {
  filterParameters,
  isSameQuery,
  type LogQuery,
  type SearchScope,
} from '../../../shared/search/log-query';

const REFRESH_MS = 1000;
/** Progress is shown if searching new sources takes longer. */
const SLOW_MS = 500;
const RETRY_MS = 2000;
/** For clock differences and late lines. */
const OVERLAP_MICROS = 2_000_000;

/**
 * Runs one search at a time, and keeps its matches current while lines are written and sources are added or removed.
 */
@Injectable()
export class SearchRun {
  private readonly search = inject(LineSearch);
  private readonly api = inject(Api);
  private readonly clock = inject(Clock);
  private readonly running = signal(false);
  private readonly slow = signal(false);
  private readonly searchedCount = signal(0);
  private readonly end = signal<SearchReason | 'stopped' | null>(null);
  private readonly searchedBackTo = signal<string | null>(null);
  private readonly failure = signal<ApiProblem | null>(null);
  private readonly rows = signal<MatchRows | null>(null);
  /** Matches before the first row at that time; null if unknown. */
  private readonly before = signal<{ count: number; first: number } | null>(null);
  private rounds = 0;
  private controller: AbortController | undefined;
  private current: { query: LogQuery; sources: readonly number[]; isEverything: boolean } | undefined;
  private refreshTimer: ReturnType<typeof setTimeout> | undefined;
  private until = 0;
  private isRefreshing = false;
  /** The last request returned the maximum number of matches. */
  private isFull = false;
  private readonly newSources = new Set<number>();
  private searchingNew: AbortController | undefined;
  private newSourcesTimer: ReturnType<typeof setTimeout> | undefined;

  /** Null without a search. */
  readonly found = this.rows.asReadonly();
  readonly isRunning = computed(() => this.running() || this.slow());
  readonly searched = this.searchedCount.asReadonly();
  /** Why the search ended; null while it runs. */
  readonly reason = this.end.asReadonly();
  /** The time back to which a search that timed out is complete, RFC 3339; null if unknown. */
  readonly searchedTo = this.searchedBackTo.asReadonly();
  readonly problem = this.failure.asReadonly();
  /** The failure may be temporary, unlike an invalid query. */
  readonly canRetry = computed(() => {
    const problem = this.failure();
    return problem !== null && problem.code !== 'search_invalid' && problem.code !== 'invalid_input';
  });
  readonly held = computed(() => {
    const rows = this.rows();
    rows?.version();
    return rows ? rows.end - rows.first : 0;
  });
  /** Total number of matches; null if unknown. */
  readonly total = computed(() => {
    const held = this.held();
    if (this.end() === 'complete') return held;
    const before = this.before();
    const rows = this.rows();
    return before && rows ? held + Math.max(0, before.count - (before.first - rows.first)) : null;
  });

  constructor() {
    inject(DestroyRef).onDestroy(() => this.clear());
  }

  clear(): void {
    this.stop();
    this.current = undefined;
    this.isFull = false;
    this.newSources.clear();
    this.rows.set(null);
    this.failure.set(null);
    this.end.set(null);
    this.searchedBackTo.set(null);
    this.before.set(null);
  }

  /**
   * Searches. If only the sources have changed, keeps the matches of the remaining sources.
   * @param isEverything whether these are all sources, and those of the future
   */
  setQuery(query: LogQuery, sources: readonly number[], isEverything = false): void {
    const { current } = this;
    const goesOn =
      current &&
      !this.failure() &&
      isSameQuery(current.query, query) &&
      current.isEverything === isEverything &&
      sources.some((source) => current.sources.includes(source));
    if (!goesOn || !this.changeSources(current.sources, sources)) {
      void this.begin(query, sources, isEverything);
    }
  }

  /** Starts a new search. Resolves when it ends or fails. */
  async begin(query: LogQuery, sources: readonly number[], isEverything = false): Promise<void> {
    this.clear();
    const rows = new MatchRows(() => void untracked(() => this.loadOlder()));
    this.rows.set(rows);
    this.current = { query, sources, isEverything };
    this.searchedCount.set(0);
    this.until = this.clock.read() * 1000;
    const parameters = { ...filterParameters(query, scopeOf(this.current)), limit: MAX_MATCHES };
    await this.stream(parameters, rows);
    if (rows === this.rows()) await this.count();
  }

  retry(): void {
    const { current } = this;
    if (current) void this.begin(current.query, current.sources, current.isEverything);
  }

  /** Loads older matches, if there may be any. @returns whether there were */
  async loadOlder(): Promise<boolean> {
    const { current } = this;
    const rows = this.rows();
    const oldest = rows?.oldest;
    if (!current || !oldest || !this.hasMore || this.running() || this.searchingNew) return false;
    const before = `${oldest.time}.${oldest.source}.${oldest.seq}`;
    const parameters = { ...filterParameters(current.query, scopeOf(current)), limit: MAX_MATCHES, before };
    const { first } = rows;
    await this.stream(parameters, rows);
    if (rows !== this.rows()) return false;
    return rows.first < first;
  }

  stop(): void {
    clearTimeout(this.refreshTimer);
    clearTimeout(this.newSourcesTimer);
    this.refreshTimer = undefined;
    if (this.running() || this.searchingNew) this.end.set('stopped');
    this.controller?.abort();
    this.controller = undefined;
    this.searchingNew?.abort();
    this.searchingNew = undefined;
    this.running.set(false);
    this.slow.set(false);
  }

  /** The start of the period has moved: removes older matches. @param from in microseconds */
  slideTo(from: number): void {
    this.rows()?.forgetBefore(from);
    this.before.set(null);
    void this.count();
  }

  private get hasMore(): boolean {
    return this.end() === 'limit' || this.end() === 'stopped' || (this.end() === 'timeout' && this.isFull);
  }

  /** @returns whether the search can continue with its matches */
  private changeSources(before: readonly number[], sources: readonly number[]): boolean {
    const { current } = this;
    const rows = this.rows();
    if (!current || !rows) return false;
    const wanted = new Set(sources);
    const known = new Set(before);
    this.current = { ...current, sources };
    for (const source of sources) if (!known.has(source)) this.newSources.add(source);
    for (const source of this.newSources) if (!wanted.has(source)) this.newSources.delete(source);
    rows.keepOnly(wanted);
    // Older matches are loaded relative to the oldest one.
    if (this.hasMore && this.held() === 0) return false;
    // Even if none of the removed matches was loaded.
    if (before.some((source) => !wanted.has(source))) void this.count();
    void this.searchNewSources();
    return true;
  }

  /** Searches added sources as far back as the others, and inserts the matches. */
  private async searchNewSources(): Promise<void> {
    const { current, newSources } = this;
    const rows = this.rows();
    if (!current || !rows || newSources.size === 0 || this.running() || this.searchingNew || this.failure()) {
      return;
    }
    const controller = new AbortController();
    this.searchingNew = controller;
    const sources = [...newSources];
    const oldest = this.hasMore ? rows.oldest : undefined;
    const query = oldest ? { ...current.query, from: rfc3339(oldest.time) } : current.query;
    const slow = setTimeout(() => this.slow.set(this.searchingNew === controller), SLOW_MS);
    const result = await this.collect(filterParameters(query, sources), controller.signal).catch(() => null);
    clearTimeout(slow);
    if (this.searchingNew !== controller) return;
    this.searchingNew = undefined;
    this.slow.set(false);
    if (!result) {
      clearTimeout(this.newSourcesTimer);
      this.newSourcesTimer = setTimeout(() => void this.searchNewSources(), RETRY_MS);
      return;
    }
    for (const source of sources) newSources.delete(source);
    this.searchedCount.update((searchedCount) => searchedCount + result.searched);
    rows.insert(result.lines.filter((line) => !oldest || compareRows(line, oldest) >= 0));
    const last = result.lines.at(-1);
    // Older matches of all sources are loaded relative to the oldest one.
    if (result.reason === 'limit' && last) rows.forgetBeforeLine(last);
    // If older matches can be loaded, that request reports its own timeout.
    if (result.reason === 'limit' || (result.reason === 'timeout' && !this.hasMore)) {
      this.end.set(result.reason);
      this.searchedBackTo.set(result.searchedTo);
    }
    void this.count();
    // Lines written before the source was followed.
    this.scheduleRefresh();
    void this.searchNewSources();
  }

  private async count(): Promise<void> {
    const { current } = this;
    const rows = this.rows();
    const newest = rows?.newest;
    const round = (this.rounds += 1);
    if (!current || !newest || this.end() !== 'limit') {
      this.before.set(null);
      return;
    }
    // Later lines are added and counted by `refresh`.
    const query = { ...current.query, to: current.query.to ?? rfc3339(newest.rank + 1) };
    const counted = await this.api
      .get('/api/histogram', { ...filterParameters(query, scopeOf(current)), buckets: 1 })
      .catch(() => null);
    if (rows !== this.rows() || round !== this.rounds) return;
    if (counted?.reason !== 'complete' || this.end() !== 'limit') return;
    const { info, warn, error } = sumsOf(counted);
    this.before.set({ count: Math.max(0, info + warn + error - this.held()), first: rows.first });
  }

  /** New lines were written: adds matches within two seconds. */
  scheduleRefresh(): void {
    if (
      this.refreshTimer !== undefined ||
      this.running() ||
      this.failure() ||
      this.current?.query.to !== null
    ) {
      return;
    }
    this.refreshTimer = setTimeout(() => {
      this.refreshTimer = undefined;
      void this.refresh();
    }, REFRESH_MS);
  }

  private async refresh(): Promise<void> {
    const { current } = this;
    const rows = this.rows();
    if (!current || !rows || this.running()) return;
    // One at a time: a slow regex must not block other searches.
    if (this.isRefreshing) {
      this.scheduleRefresh();
      return;
    }
    this.isRefreshing = true;
    const { until } = this;
    const from = rfc3339(until - OVERLAP_MICROS);
    this.until = this.clock.read() * 1000;
    const parameters = filterParameters({ ...current.query, from }, scopeOf(current));
    // After a failure, the next new lines start a search that goes as far back.
    const newer = await this.collect(parameters, new AbortController().signal)
      .catch(() => null)
      .finally(() => (this.isRefreshing = false));
    if (rows !== this.rows()) return;
    if (!newer) this.until = Math.min(this.until, until);
    else if (newer.lines.length > 0) rows.addNewer(newer.lines);
  }

  /** All events of a search. @throws ApiProblem */
  private async collect(
    parameters: ReturnType<typeof filterParameters>,
    signal: AbortSignal,
  ): Promise<{ lines: LogLine[]; searched: number; reason: SearchReason; searchedTo: string | null }> {
    const lines: LogLine[] = [];
    for await (const events of this.search.run({ ...parameters, limit: MAX_MATCHES }, signal)) {
      lines.push(...linesOf(events));
      const end = events.find(({ type }) => type === 'end');
      if (end?.type === 'end') {
        const { searched, reason, searched_to: searchedTo } = end;
        return { lines, searched, reason, searchedTo };
      }
    }
    throw new Error('The search ended without an end event.');
  }

  private async stream(parameters: ReturnType<typeof filterParameters>, rows: MatchRows): Promise<void> {
    const controller = new AbortController();
    const before = this.searchedCount();
    this.controller = controller;
    this.running.set(true);
    try {
      for await (const events of this.search.run(parameters, controller.signal)) {
        if (this.controller !== controller) return;
        const lines = linesOf(events);
        if (lines.length > 0) rows.addOlder(lines);
        const last = events.findLast(({ type }) => type !== 'match');
        if (last && last.type !== 'match') this.searchedCount.set(before + last.searched);
        if (last?.type === 'end') {
          this.isFull = last.matched >= MAX_MATCHES;
          this.end.set(last.reason);
          this.searchedBackTo.set(last.searched_to);
        }
      }
    } catch (error) {
      if (this.controller !== controller) return;
      this.failure.set(ApiProblem.of(error));
    }
    if (this.controller !== controller) return;
    this.running.set(false);
    void this.searchNewSources();
  }
}

function scopeOf({
  sources,
  isEverything,
}: {
  sources: readonly number[];
  isEverything: boolean;
}): SearchScope {
  return isEverything ? null : sources;
}

function linesOf(events: readonly SearchStreamEvent[]): LogLine[] {
  return events.flatMap((event) => (event.type === 'match' ? [readLine(event.line)] : []));
}
