import { computed, DestroyRef, inject, Injectable, signal, untracked } from '@angular/core';
import { ApiProblem } from '../../../shared/api/api-problem';
import type { SearchReason, SearchStreamEvent } from '../../../shared/api/api-types';
import { compareRows, readLine, rfc3339, type LogLine } from '../../../shared/lines/log-line';
import { HistogramApi } from '../histogram/histogram-api';
import { sumsOf } from '../histogram/bars';
import { FoundRows } from './found-rows';
import { LineSearch, MOST_MATCHES } from './line-search';
import { filterParameters, isSameQuery, type LogQuery } from './log-query';

/** How long new lines wait before they are looked through. */
const LOOK_AGAIN_MS = 1000;
/** Sources that came are looked through without a word, unless it takes longer. */
const LASTING_MS = 500;
const RETRY_MS = 2000;
/** Two machines' clocks, and lines that were late. */
const OVERLAP_MICROS = 2_000_000;

/**
 * One search at a time, and what it found; looks through what is written meanwhile too. What it found stays while
 * sources come and go.
 */
@Injectable()
export class SearchRun {
  private readonly search = inject(LineSearch);
  private readonly counts = inject(HistogramApi);
  private readonly running = signal(false);
  private readonly lasting = signal(false);
  private readonly looked = signal(0);
  private readonly end = signal<SearchReason | 'stopped' | null>(null);
  private readonly searchedBackTo = signal<string | null>(null);
  private readonly failure = signal<ApiProblem | null>(null);
  private readonly rows = signal<FoundRows | null>(null);
  /** How many matches were before the first row once, by its number then; null where nobody counted them. */
  private readonly before = signal<{ count: number; first: number } | null>(null);
  private rounds = 0;
  private stop: AbortController | undefined;
  private asked: { query: LogQuery; sources: readonly number[] } | undefined;
  private again: ReturnType<typeof setTimeout> | undefined;
  private until = 0;
  /** What is written since is looked through just now. */
  private looking = false;
  /** It told as many as it may, though lines were lost on which its expression took too long. */
  private isFull = false;
  /** Sources that came since, and were not looked through yet. */
  private readonly newcomers = new Set<number>();
  private joining: AbortController | undefined;
  private joinTimer: ReturnType<typeof setTimeout> | undefined;

  /** Null while nothing is looked for. */
  readonly found = this.rows.asReadonly();
  readonly isRunning = computed(() => this.running() || this.lasting());
  readonly searched = this.looked.asReadonly();
  /** How it ended; null before that. */
  readonly reason = this.end.asReadonly();
  /** How far back a search that timed out has reported every match, RFC 3339; null if that is not known. */
  readonly searchedTo = this.searchedBackTo.asReadonly();
  readonly problem = this.failure.asReadonly();
  /** It failed for a reason that may pass: not because of what is searched for. */
  readonly canRetry = computed(() => {
    const problem = this.failure();
    return problem !== null && problem.code !== 'search_invalid' && problem.code !== 'invalid_input';
  });
  /** Matches that are here. */
  readonly held = computed(() => {
    const rows = this.rows();
    rows?.version();
    return rows ? rows.end - rows.first : 0;
  });
  /** Matches in all; null while that is not known. */
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
    this.halt();
    this.asked = undefined;
    this.isFull = false;
    this.newcomers.clear();
    this.rows.set(null);
    this.failure.set(null);
    this.end.set(null);
    this.searchedBackTo.set(null);
    this.before.set(null);
  }

  /** Looks for what is asked. For the same among other sources it goes on with what it found of those that stay. */
  look(query: LogQuery, sources: readonly number[]): void {
    const { asked } = this;
    const goesOn =
      asked &&
      !this.failure() &&
      isSameQuery(asked.query, query) &&
      sources.some((source) => asked.sources.includes(source));
    if (!goesOn || !this.goOnAmong(asked.sources, sources)) void this.begin(query, sources);
  }

  /** Begins anew. Resolves when it ended, however it did. */
  async begin(query: LogQuery, sources: readonly number[]): Promise<void> {
    this.clear();
    const rows = new FoundRows(() => void untracked(() => this.goOn()));
    this.rows.set(rows);
    this.asked = { query, sources };
    this.looked.set(0);
    this.until = Date.now() * 1000;
    const parameters = { ...filterParameters(query, sources), limit: MOST_MATCHES };
    await this.follow(parameters, rows);
    if (rows === this.rows()) await this.count();
  }

  /** Searches again for the same, after it failed. */
  retry(): void {
    if (this.asked) void this.begin(this.asked.query, this.asked.sources);
  }

  /** Finds the next older matches, where there may be more than were told. @returns whether there were */
  async goOn(): Promise<boolean> {
    const { asked } = this;
    const rows = this.rows();
    const oldest = rows?.oldest;
    if (!asked || !oldest || !this.hasMore || this.running() || this.joining) return false;
    const before = `${oldest.time}.${oldest.source}.${oldest.seq}`;
    const parameters = { ...filterParameters(asked.query, asked.sources), limit: MOST_MATCHES, before };
    const { first } = rows;
    await this.follow(parameters, rows);
    if (rows !== this.rows()) return false;
    return rows.first < first;
  }

  /** Keeps what was found so far. */
  halt(): void {
    clearTimeout(this.again);
    clearTimeout(this.joinTimer);
    this.again = undefined;
    if (this.running() || this.joining) this.end.set('stopped');
    this.stop?.abort();
    this.stop = undefined;
    this.joining?.abort();
    this.joining = undefined;
    this.running.set(false);
    this.lasting.set(false);
  }

  /** The period went on: what was written before its begin, in microseconds, is not meant any more. */
  slideTo(from: number): void {
    this.rows()?.forgetBefore(from);
    this.before.set(null);
    void this.count();
  }

  /** Older ones than were told may be there. */
  private get hasMore(): boolean {
    return this.end() === 'limit' || this.end() === 'stopped' || (this.end() === 'timeout' && this.isFull);
  }

  /** @returns whether it can go on with what it has */
  private goOnAmong(before: readonly number[], sources: readonly number[]): boolean {
    const { asked } = this;
    const rows = this.rows();
    if (!asked || !rows) return false;
    const wanted = new Set(sources);
    const known = new Set(before);
    this.asked = { ...asked, sources };
    for (const source of sources) if (!known.has(source)) this.newcomers.add(source);
    for (const source of this.newcomers) if (!wanted.has(source)) this.newcomers.delete(source);
    rows.keepOnly(wanted);
    // Nothing is left that older ones could be asked for behind.
    if (this.hasMore && this.held() === 0) return false;
    // Also where none of its matches is here.
    if (before.some((source) => !wanted.has(source))) void this.count();
    void this.join();
    return true;
  }

  /** What came is looked through as far back as the others were, and what is found takes its place among the rest. */
  private async join(): Promise<void> {
    const { asked, newcomers } = this;
    const rows = this.rows();
    if (!asked || !rows || newcomers.size === 0 || this.running() || this.joining || this.failure()) return;
    const controller = new AbortController();
    this.joining = controller;
    const sources = [...newcomers];
    const oldest = this.hasMore ? rows.oldest : undefined;
    const query = oldest ? { ...asked.query, from: rfc3339(oldest.time) } : asked.query;
    const lasting = setTimeout(() => this.lasting.set(this.joining === controller), LASTING_MS);
    const told = await this.collect(filterParameters(query, sources), controller.signal).catch(() => null);
    clearTimeout(lasting);
    if (this.joining !== controller) return;
    this.joining = undefined;
    this.lasting.set(false);
    if (!told) {
      clearTimeout(this.joinTimer);
      this.joinTimer = setTimeout(() => void this.join(), RETRY_MS);
      return;
    }
    for (const source of sources) newcomers.delete(source);
    this.looked.update((looked) => looked + told.searched);
    rows.join(told.lines.filter((line) => !oldest || compareRows(line, oldest) >= 0));
    const last = told.lines.at(-1);
    // Older ones of all of them are found behind the oldest that is held.
    if (told.reason === 'limit' && last) rows.forgetBeforeLine(last);
    // Where older ones can be asked for, that stays so: asked again, they say themselves what takes too long.
    if (told.reason === 'limit' || (told.reason === 'timeout' && !this.hasMore)) {
      this.end.set(told.reason);
      this.searchedBackTo.set(told.searchedTo);
    }
    void this.count();
    // What was written until it is followed.
    this.lookAgain();
    void this.join();
  }

  /** How many there are beside those that were told. */
  private async count(): Promise<void> {
    const { asked } = this;
    const rows = this.rows();
    const newest = rows?.newest;
    const round = (this.rounds += 1);
    if (!asked || !newest || this.end() !== 'limit') {
      this.before.set(null);
      return;
    }
    // What is written meanwhile is told later, and counted then.
    const query = { ...asked.query, to: asked.query.to ?? rfc3339(newest.rank + 1) };
    const counted = await this.counts.read(query, asked.sources, 1).catch(() => null);
    if (rows !== this.rows() || round !== this.rounds) return;
    if (counted?.reason !== 'complete' || this.end() !== 'limit') return;
    const { info, warn, error } = sumsOf(counted);
    this.before.set({ count: Math.max(0, info + warn + error - this.held()), first: rows.first });
  }

  /** Lines were written: those that fit are added within a second or two. */
  lookAgain(): void {
    if (this.again !== undefined || this.running() || this.failure() || this.asked?.query.to !== null) return;
    this.again = setTimeout(() => {
      this.again = undefined;
      void this.lookForNewer();
    }, LOOK_AGAIN_MS);
  }

  private async lookForNewer(): Promise<void> {
    const { asked } = this;
    const rows = this.rows();
    if (!asked || !rows || this.running()) return;
    // One after the other: those of an expression that takes long would take the turns of others.
    if (this.looking) {
      this.lookAgain();
      return;
    }
    this.looking = true;
    const { until } = this;
    const from = rfc3339(until - OVERLAP_MICROS);
    this.until = Date.now() * 1000;
    const parameters = filterParameters({ ...asked.query, from }, asked.sources);
    // Where that fails, the next lines that come are a reason to look again, as far back.
    const newer = await this.collect(parameters, new AbortController().signal)
      .catch(() => null)
      .finally(() => (this.looking = false));
    if (rows !== this.rows()) return;
    if (!newer) this.until = Math.min(this.until, until);
    else if (newer.lines.length > 0) rows.addNewer(newer.lines);
  }

  /** All that a search tells, at once. @throws ApiProblem */
  private async collect(
    parameters: ReturnType<typeof filterParameters>,
    signal: AbortSignal,
  ): Promise<{ lines: LogLine[]; searched: number; reason: SearchReason; searchedTo: string | null }> {
    const lines: LogLine[] = [];
    for await (const events of this.search.run({ ...parameters, limit: MOST_MATCHES }, signal)) {
      lines.push(...linesOf(events));
      const end = events.find(({ type }) => type === 'end');
      if (end?.type === 'end') {
        const { searched, reason, searched_to: searchedTo } = end;
        return { lines, searched, reason, searchedTo };
      }
    }
    throw new Error('a search without an end');
  }

  private async follow(parameters: ReturnType<typeof filterParameters>, rows: FoundRows): Promise<void> {
    const controller = new AbortController();
    const before = this.looked();
    this.stop = controller;
    this.running.set(true);
    try {
      for await (const events of this.search.run(parameters, controller.signal)) {
        if (this.stop !== controller) return;
        const lines = linesOf(events);
        if (lines.length > 0) rows.addOlder(lines);
        const last = events.findLast(({ type }) => type !== 'match');
        if (last && last.type !== 'match') this.looked.set(before + last.searched);
        if (last?.type === 'end') {
          this.isFull = last.matched >= MOST_MATCHES;
          this.end.set(last.reason);
          this.searchedBackTo.set(last.searched_to);
        }
      }
    } catch (error) {
      if (this.stop !== controller) return;
      this.failure.set(ApiProblem.of(error));
    }
    if (this.stop !== controller) return;
    this.running.set(false);
    void this.join();
  }
}

function linesOf(events: readonly SearchStreamEvent[]): LogLine[] {
  return events.flatMap((event) => (event.type === 'match' ? [readLine(event.line)] : []));
}
