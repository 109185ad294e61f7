import { describe, expect, it } from '@jest/globals';
import { EXACT, LINES, QUERIES, SOURCES } from '../../../../test/support/logs/query-corpus';
import { makeLine } from '../../shared/lines/testing/make-line';
import { EMPTY_QUERY, type LogQuery, withEntry } from '../../shared/search/log-query';
import { lineFilter, type CompileRegex } from './line-filter';

const ALWAYS = { from: null, to: null };
const sources = Object.values(SOURCES).map((identity, id) => ({ id, identity }));
const names = Object.keys(SOURCES);
const lines = Object.entries(LINES).map(([letter, [source, level, stream, text]], seq) => ({
  letter,
  line: makeLine(seq, { source: names.indexOf(source), level, stream, text }),
}));

/** The letters of the lines that a typed query finds. */
function found(typed: string, query: Partial<LogQuery> = {}): string {
  const read = withEntry({ ...EMPTY_QUERY, ...query }, typed);
  if (!read) throw new Error(`${typed} is no query`);
  const compile: CompileRegex = (regex) => {
    const compiled = new RegExp(regex, read.matchCase ? 'u' : 'iu');
    return (text) => compiled.test(text);
  };
  const matches = lineFilter(read, ALWAYS, sources, compile);
  return lines.flatMap(({ letter, line }) => (matches(line) ? [letter] : [])).join(' ');
}

describe('lineFilter', () => {
  it.each(QUERIES)('finds with %s the lines %s, as a log store does', (query, expected) => {
    expect(found(query)).toBe(expected.split(' ').sort().join(' '));
  });

  it.each(EXACT)('finds with %s, with case, the lines %s', (query, expected) => {
    expect(found(query, { matchCase: true })).toBe(expected);
  });

  it('finds a text that is written in colors', () => {
    const matches = lineFilter({ ...EMPTY_QUERY, text: 'a.b' }, ALWAYS, [], () => () => undefined);
    expect(matches(makeLine(1, { text: '\x1b[31ma\x1b[0m.b' }))).toBe(true);
    expect(matches(makeLine(1, { text: 'axb' }))).toBe(false);
  });

  it('finds the lines of a time range, whose end is exclusive', () => {
    const [first, second] = [makeLine(1), makeLine(2)];
    const within = (from: number | null, to: number | null): boolean[] =>
      [first, second].map(lineFilter(EMPTY_QUERY, { from, to }, [], () => () => undefined));
    expect(within(second.rank, null)).toEqual([false, true]);
    expect(within(first.rank, second.rank)).toEqual([true, false]);
  });

  it('leaves out what a regex has not decided, also if it is negated', () => {
    const query = withEntry(EMPTY_QUERY, '-/slow/') ?? EMPTY_QUERY;
    expect(lineFilter(query, ALWAYS, [], () => () => undefined)(makeLine(1))).toBe(false);
    expect(lineFilter(query, ALWAYS, [], () => () => false)(makeLine(1))).toBe(true);
  });
});
