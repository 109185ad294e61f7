import { invalidField } from '../../core/errors/index.js';
import {
  compileCondition,
  LineConditions,
  withQuery,
  type LogQuery,
  type NamedSource,
} from '../../core/search/index.js';
import type { LogLine } from '../../drivers/log-store/index.js';
import { readField } from '../log-lines/index.js';
import type { AlertQueryDto } from './alert-query.dto.js';
import type { Regex } from './match-texts.js';

/** Another source may have the id of one that was renamed. */
interface SourceTest {
  name: string;
  fits: (line: LogLine) => boolean;
}

/** The query of a rule, compiled. Matching takes linear time: a regex is left to its process. */
export class LineMatch {
  /** To be matched in a process, on lines for which `fits` returns true. */
  readonly regex: Regex | null;
  private readonly bySource = new Map<number, SourceTest>();

  /** @throws DomainError `invalid_input` for a query with more than one regex, or one that is not required */
  constructor(private readonly query: AlertQueryDto) {
    const { text, regex, matchCase } = this.plan([]);
    this.regex = regex && text !== null ? { source: text, flags: matchCase ? '' : 'i' } : null;
    this.testOf([]);
  }

  /** Whether a line of a source matches everything except the regex. */
  fits(line: LogLine, source: NamedSource): boolean {
    const { id, identity } = source;
    const known = this.bySource.get(id);
    if (known?.name === identity.name) return known.fits(line);
    const fits = this.testOf([source]);
    this.bySource.set(id, { name: identity.name, fits });
    return fits(line);
  }

  /** The search for the lines in the log store, including those of its regex. */
  plan(sources: readonly NamedSource[]): LogQuery {
    const { text, regex, case: matchCase, without, level, field, without_field } = this.query;
    const query: LogQuery = {
      ...{
        text,
        regex,
        matchCase,
        without,
        streams: null,
        sources: null,
        condition: null,
        from: null,
        to: null,
      },
      levels: level.length > 0 ? level : null,
      fields: field.map(readField),
      withoutFields: without_field.map(readField),
    };
    return withQuery(query, this.query.query, sources);
  }

  private testOf(sources: readonly NamedSource[]): (line: LogLine) => boolean {
    const plan = this.plan(sources);
    const [source] = sources;
    const conditions = new LineConditions(plan);
    const test =
      plan.condition &&
      compileCondition(plan.condition, plan.matchCase, () => {
        throw invalidField('query.query', 'may have one regex, which is neither negated nor an alternative');
      });
    if (!source || plan.sources?.includes(source.id) === false) return () => false;
    const skipped = skipsFrames(plan);
    return (line) =>
      !(skipped && line.continues) && conditions.accept(line) && (test === null || test(source.id, line));
  }
}

/** A stack trace counts as one error. Its frames count only if the query searches their text. */
export function skipsFrames({ levels, text, fields, condition }: LogQuery): boolean {
  return levels !== null && text === null && fields.length === 0 && condition === null;
}
