import { inject, Service } from '@angular/core';
import type { LogLine } from '../../../shared/lines/log-line';
import { Toaster } from '../../../shared/ui/toaster';
import { LineSearch } from './line-search';
import { LineWalk } from './line-walk';
import { type LogQuery, WHOLE } from './log-query';
import { escapeRegex } from '../../../shared/lines/hits';

/** From where, among which sources, to the next one or the one before. */
export interface Step {
  sources: readonly number[];
  from: LogLine | null;
  direction: 1 | -1;
}

/** The ways from a line to the next one that somebody looks for, one step at a time; says where there is none. */
@Service()
export class LineSteps {
  private readonly search = inject(LineSearch);
  private readonly toaster = inject(Toaster);
  private readonly matches = new LineWalk(this.search);
  private readonly marked = new LineWalk(this.search);
  private readonly errors = new LineWalk(this.search);
  private isBusy = false;

  /** To a line that a search finds. */
  toMatch(query: LogQuery, step: Step): Promise<LogLine | null> {
    return this.next(this.matches, query, step);
  }

  /** To a line in which something is marked; within the period of the query. */
  async toMark({ marks, from, to }: LogQuery, step: Step): Promise<LogLine | null> {
    if (marks.length === 0) return null;
    const text = marks.map(escapeRegex).join('|');
    return await this.next(this.marked, { ...WHOLE, text, regex: true, from, to }, step);
  }

  toError({ from, to }: LogQuery, step: Step): Promise<LogLine | null> {
    return this.next(this.errors, { ...WHOLE, levels: ['error', 'fatal'], from, to }, step);
  }

  private async next(
    walk: LineWalk,
    query: LogQuery,
    { sources, from, direction }: Step,
  ): Promise<LogLine | null> {
    if (this.isBusy || sources.length === 0) return null;
    this.isBusy = true;
    try {
      const line = await walk.next(query, sources, from, direction);
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
