import { inject, Service } from '@angular/core';
import type { LogLine } from '../../../shared/lines/log-line';
import { Toaster } from '../../../shared/ui/toaster';
import { LineSearch } from './line-search';
import { MatchNavigator } from './match-navigator';
import { EMPTY_QUERY, type LogQuery, type SearchScope } from '../../../shared/search/log-query';
import { escapeRegex } from '../../../shared/lines/hits';

export interface Step {
  sources: SearchScope;
  from: LogLine | null;
  direction: 1 | -1;
}

/** Finds the next or previous line of a kind, one step at a time; a message says if it does not exist. */
@Service()
export class LineNavigation {
  private readonly search = inject(LineSearch);
  private readonly toaster = inject(Toaster);
  private readonly matches = new MatchNavigator(this.search);
  private readonly marked = new MatchNavigator(this.search);
  private readonly errors = new MatchNavigator(this.search);
  private isBusy = false;

  toMatch(query: LogQuery, step: Step): Promise<LogLine | null> {
    return this.next(this.matches, query, step);
  }

  /** To a line with a mark, in the period of the query. */
  async toMark({ marks, from, to, scope }: LogQuery, step: Step): Promise<LogLine | null> {
    if (marks.length === 0) return null;
    const text = marks.map(escapeRegex).join('|');
    return await this.next(this.marked, { ...EMPTY_QUERY, text, regex: true, from, to, scope }, step);
  }

  toError({ from, to, scope }: LogQuery, step: Step): Promise<LogLine | null> {
    return this.next(this.errors, { ...EMPTY_QUERY, levels: ['error', 'fatal'], from, to, scope }, step);
  }

  private async next(
    navigator: MatchNavigator,
    query: LogQuery,
    { sources, from, direction }: Step,
  ): Promise<LogLine | null> {
    if (this.isBusy || sources?.length === 0) return null;
    this.isBusy = true;
    try {
      const line = await navigator.next(query, sources, from, direction);
      if (!line) {
        this.toaster.done(
          direction > 0 ? $localize`No more below this line` : $localize`No more above this line`,
        );
      }
      return line;
    } catch (error) {
      this.toaster.problem(error, $localize`Could not search`);
      return null;
    } finally {
      this.isBusy = false;
    }
  }
}
