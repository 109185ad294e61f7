import {
  compileCondition,
  LineConditions,
  type NamedSource,
  withConditions,
} from '../../../../backend/src/core/search/index.js';
import { plainText } from '../../shared/lines/ansi';
import type { LogLine } from '../../shared/lines/log-line';
import { conditionsText, type LogQuery } from '../../shared/search/log-query';

/** Makes a test of a regex, whose result for a text is undefined until it is known. */
export type CompileRegex = (regex: string) => (text: string) => boolean | undefined;

/**
 * The lines that a query finds on the log board, among lines in memory. A line that a regex has not decided is left out.
 * @param period in microseconds
 */
export function lineFilter(
  query: LogQuery,
  period: { from: number | null; to: number | null },
  sources: readonly NamedSource[],
  compileRegex: CompileRegex,
): (line: LogLine) => boolean {
  const { text, regex, matchCase, without, levels, streams, fields, withoutFields } = query;
  const plan = withConditions(
    {
      ...{ regex, matchCase, without, fields, withoutFields, sources: null, condition: null },
      ...period,
      text: text === '' ? null : text,
      levels: levels.length > 0 ? levels : null,
      streams: streams.length > 0 ? streams : null,
    },
    conditionsText(query),
    sources,
  );
  let isUndecided = false;
  const compile = (source: string): ((text: string) => boolean) => {
    const test = compileRegex(source);
    return (shown) => {
      const verdict = test(shown);
      isUndecided ||= verdict === undefined;
      return verdict ?? false;
    };
  };
  const conditions = new LineConditions(plan);
  const meets = plan.condition && compileCondition(plan.condition, matchCase, compile);
  const matches = regex && text !== '' ? compile(text) : null;
  const { from, to } = period;
  return (line) => {
    isUndecided = false;
    if ((from !== null && line.rank < from) || (to !== null && line.rank >= to)) return false;
    if (plan.sources?.includes(line.source) === false) return false;
    const { level, stream, source } = line;
    const searched = { level, stream, text: plainText(line.text) };
    const isFound =
      conditions.accept(searched) &&
      (meets === null || meets(source, searched)) &&
      (matches === null || matches(searched.text));
    return isFound && !isUndecided;
  };
}
