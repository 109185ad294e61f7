import { computed, effect, inject, Injectable, linkedSignal, signal } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router } from '@angular/router';
import { Clock } from '../../shared/browser/clock';
import { sameJson } from '../../shared/format/same-json';
import type { LogLine } from '../../shared/lines/log-line';
import {
  EMPTY_QUERY,
  isSameQuery,
  type LogQuery,
  queryParameters,
  readQuery,
  withEntry,
} from '../../shared/search/log-query';
import type { CompletionRequest } from '../../shared/search/query-completions';
import { createQueryMarks } from '../../shared/search/query-marks';
import { periodAt, slidingNow } from '../../shared/search/sliding-now';
import { lineCompletions } from './line-completions';
import { type CompileRegex, lineFilter } from './line-filter';
import { PodLogReader } from './pod-log-reader';
import { QueryRegexes } from './regex-verdicts';

/** The parameter of the page with the query: its own are those of a table. */
const PARAMETER = 'log';

/** The query of a log in memory, which is in the address of the page: which lines it shows, marks and completes. */
@Injectable()
export class PodLogQuery {
  private readonly run = inject(PodLogReader);
  private readonly router = inject(Router);
  private readonly parameters = toSignal(inject(ActivatedRoute).queryParamMap, { requireSync: true });
  private readonly written = computed(() => this.parameters().get(PARAMETER) ?? '');
  private readonly given = linkedSignal<string, LogQuery>({
    source: this.written,
    computation: (text) => ({ ...readQuery(new URLSearchParams(text)), scope: null }),
    equal: isSameQuery,
  });
  /** Marks hide no lines. */
  private readonly hiding = computed(() => ({ ...this.given(), marks: [] }), { equal: isSameQuery });
  private readonly regexes = computed(() => new QueryRegexes(this.hiding().matchCase));
  /** Whether the newest lines are followed, so that relative time ranges move on. */
  readonly following = signal(true);
  private readonly now = slidingNow(inject(Clock).now, this.given, this.following);
  private readonly period = computed(() => periodAt(this.given(), this.now()), { equal: sameJson });
  readonly current = this.given.asReadonly();
  /** The conditions without marks, for a search of stored lines. */
  readonly searched = this.hiding;
  readonly isFiltering = computed(() => !isSameQuery(this.hiding(), EMPTY_QUERY));
  readonly marks = createQueryMarks(this.given);
  /** Why lines are missing that a regex may match; null if nothing is missing. */
  readonly problem = computed(() => {
    this.run.rows();
    const regexes = this.regexes();
    regexes.version();
    switch (regexes.problem()) {
      case 'slow':
        return $localize`The regular expression is too slow. Not all lines were searched.`;
      case 'broken':
        return $localize`The regular expression is invalid.`;
      case null:
        return null;
    }
  });

  constructor() {
    effect((onCleanup) => {
      const regexes = this.regexes();
      onCleanup(() => regexes.close());
    });
    let last: { query: LogQuery; period: unknown; rows: unknown } | undefined;
    effect(() => {
      const regexes = this.regexes();
      const [query, period, rows] = [this.hiding(), this.period(), this.run.rows()];
      const filter = lineFilter(query, period, this.run.named(), (regex) => regexes.compile(regex));
      const goesOn = last?.query === query && last.period === period && last.rows === rows;
      rows.filter(filter, goesOn);
      last = { query, period, rows };
      regexes.version();
    });
  }

  /** A scope becomes a condition that can be seen and removed: here it has no buttons. */
  set({ scope, ...query }: LogQuery, into: 'history' | 'place' = 'place'): void {
    const written = scope === null ? [] : [`scope:${scope}`];
    const wanted = { ...query, scope: null, conditions: [...new Set([...query.conditions, ...written])] };
    this.given.set(wanted);
    void this.router.navigate([], {
      queryParams: { [PARAMETER]: textOf(wanted) },
      queryParamsHandling: 'merge',
      replaceUrl: into === 'place',
      scroll: 'manual',
    });
  }

  complete({ query, at }: CompletionRequest): { value: string; count: number }[] {
    // A regex that is still typed is not tested.
    const lines = this.matching(withEntry(query, at.before) ?? query, () => () => true);
    return lineCompletions(lines, at, this.run.named());
  }

  /** The lines that a part of the query finds. */
  async count(query: LogQuery): Promise<number> {
    const regexes = this.regexes();
    const matching = (): LogLine[] => [...this.matching(query, (regex) => regexes.compile(regex))];
    const { length } = matching();
    if (regexes.isEmpty) return length;
    // The first pass has found the texts to test.
    await regexes.settled();
    return matching().length;
  }

  /** The newest first. */
  private *matching(query: LogQuery, compile: CompileRegex): Generator<LogLine> {
    const filter = lineFilter(query, periodAt(query, this.now()), this.run.named(), compile);
    for (const line of this.run.rows().newest()) if (filter(line)) yield line;
  }
}

/** A query as one parameter; null for that of all lines. */
function textOf(query: LogQuery): string | null {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(queryParameters(query))) {
    if (name === 'scope') continue;
    for (const one of [value ?? []].flat()) parameters.append(name, one);
  }
  return parameters.toString() || null;
}
