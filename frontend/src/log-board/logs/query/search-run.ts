import { DestroyRef, inject, Injectable, signal } from '@angular/core';
import { ApiProblem } from '../../../shared/api/api-problem';
import type { SearchReason, ToldSearchEvent } from '../../../shared/api/api-types';
import { readLine, rfc3339, type LogLine } from '../../../shared/lines/log-line';
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
  private readonly running = signal(false);
  private readonly looked = signal(0);
  private readonly end = signal<SearchReason | 'stopped' | null>(null);
  private readonly failure = signal<ApiProblem | null>(null);
  private readonly rows = signal<FoundRows | null>(null);
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

  constructor() {
    inject(DestroyRef).onDestroy(() => this.clear());
  }

  clear(): void {
    this.halt();
    this.asked = undefined;
    this.rows.set(null);
    this.failure.set(null);
    this.end.set(null);
  }

  /** Begins anew. Resolves when it ended, however it did. */
  async begin(query: LogQuery, sources: readonly number[]): Promise<void> {
    this.clear();
    const rows = new FoundRows();
    this.rows.set(rows);
    this.asked = { query, sources };
    this.looked.set(0);
    this.until = Date.now() * 1000;
    const parameters = { ...filterParameters(query, sources), limit: MOST_MATCHES };
    await this.follow(parameters, (lines) => rows.addOlder(lines));
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

  private async follow(
    parameters: ReturnType<typeof filterParameters>,
    found: (lines: readonly LogLine[]) => void,
  ): Promise<void> {
    const controller = new AbortController();
    this.stop = controller;
    this.running.set(true);
    try {
      for await (const events of this.search.run(parameters, controller.signal)) {
        if (this.stop !== controller) return;
        const lines = linesOf(events);
        if (lines.length > 0) found(lines);
        const last = events.findLast(({ type }) => type !== 'match');
        if (last && last.type !== 'match') this.looked.set(last.searched);
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
