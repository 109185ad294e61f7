import { computed, DestroyRef, inject, Injectable, signal, untracked } from '@angular/core';
import { ApiProblem } from '../../../shared/api/api-problem';
import type { SearchReason, ToldSearchEvent } from '../../../shared/api/api-types';
import { readLine, rfc3339, type LogLine } from '../../../shared/lines/log-line';
import { HistogramApi } from '../histogram/histogram-api';
import { sumsOf } from '../histogram/bars';
import { FoundRows } from './found-rows';
import { LineSearch, MOST_MATCHES } from './line-search';
import { filterParameters, type LogQuery } from './log-query';

/** How long new lines wait before they are looked through. */
const LOOK_AGAIN_MS = 1000;
/** Two machines' clocks, and lines that were late. */
const OVERLAP_MICROS = 2_000_000;

/** One search at a time, and what it found; looks through what is written meanwhile too. */
@Injectable()
export class SearchRun {
  private readonly search = inject(LineSearch);
  private readonly counts = inject(HistogramApi);
  private readonly running = signal(false);
  private readonly looked = signal(0);
  private readonly end = signal<SearchReason | 'stopped' | null>(null);
  private readonly failure = signal<ApiProblem | null>(null);
  private readonly rows = signal<FoundRows | null>(null);
  /** How many matches were before the first row once, by its number then; null where nobody counted them. */
  private readonly before = signal<{ count: number; first: number } | null>(null);
  private rounds = 0;
  private stop: AbortController | undefined;
  private asked: { query: LogQuery; sources: readonly number[] } | undefined;
  private again: ReturnType<typeof setTimeout> | undefined;
  private until = 0;

  /** Null while nothing is looked for. */
  readonly found = this.rows.asReadonly();
  readonly isRunning = this.running.asReadonly();
  readonly searched = this.looked.asReadonly();
  /** How it ended; null before that. */
  readonly reason = this.end.asReadonly();
  readonly problem = this.failure.asReadonly();
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
    this.rows.set(null);
    this.failure.set(null);
    this.end.set(null);
    this.before.set(null);
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

  /** Finds the next older matches, where there may be more than were told. @returns whether there were */
  async goOn(): Promise<boolean> {
    const { asked } = this;
    const rows = this.rows();
    const oldest = rows?.oldest;
    const hasMore = this.end() === 'limit' || this.end() === 'stopped';
    if (!asked || !oldest || !hasMore || this.running()) return false;
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
    this.again = undefined;
    this.stop?.abort();
    this.stop = undefined;
    if (this.running()) this.end.set('stopped');
    this.running.set(false);
  }

  /** The period went on: what was written before its begin, in microseconds, is not meant any more. */
  slideTo(from: number): void {
    this.rows()?.forgetBefore(from);
    void this.count();
  }

  /** How many there are beside those that were told. */
  private async count(): Promise<void> {
    const { asked } = this;
    const rows = this.rows();
    const newest = rows?.newest;
    if (!asked || !newest || this.end() !== 'limit') return;
    const round = (this.rounds += 1);
    this.before.set(null);
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
    const from = rfc3339(this.until - OVERLAP_MICROS);
    this.until = Date.now() * 1000;
    const parameters = { ...filterParameters({ ...asked.query, from }, asked.sources), limit: MOST_MATCHES };
    const controller = new AbortController();
    const newer: LogLine[] = [];
    try {
      for await (const events of this.search.run(parameters, controller.signal)) {
        newer.push(...linesOf(events));
      }
    } catch {
      // The next lines that come are a reason to look again.
      return;
    }
    if (rows === this.rows() && newer.length > 0) rows.addNewer(newer);
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
        if (last?.type === 'end') this.end.set(last.reason);
      }
    } catch (error) {
      if (this.stop !== controller) return;
      this.failure.set(ApiProblem.of(error));
    }
    if (this.stop === controller) this.running.set(false);
  }
}

function linesOf(events: readonly ToldSearchEvent[]): LogLine[] {
  return events.flatMap((event) => (event.type === 'match' ? [readLine(event.line)] : []));
}
