import type { LogLine } from '../../../shared/lines/log-line';
import { isSameQuery, type LogQuery } from './log-query';
import { SearchRun } from './search-run';

/** From one line that fits to the next, wherever it is: what fits is looked for once, when somebody first asks. */
export class LineWalk {
  readonly run = new SearchRun();
  private asked: { query: LogQuery; sources: string } | undefined;

  /** @param from where one stands; null goes to the first or the last @returns null where there is none */
  async next(
    query: LogQuery,
    sources: readonly number[],
    from: LogLine | null,
    direction: 1 | -1,
  ): Promise<LogLine | null> {
    const key = sources.join();
    const { asked } = this;
    if (!asked || asked.sources !== key || !isSameQuery(asked.query, query) || this.run.problem()) {
      this.asked = { query, sources: key };
      await this.run.begin(query, sources);
    } else this.run.lookAgain();
    const rows = this.run.found();
    const at = rows?.next(from, direction) ?? null;
    const row = at === null ? undefined : rows?.row(at);
    return row?.kind === 'line' ? row : null;
  }
}
