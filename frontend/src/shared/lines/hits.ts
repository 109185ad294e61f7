import type { LogLine } from './log-line';

/** A stretch of a text in which something was found: its first character, and the one after its last. */
export interface Hit {
  from: number;
  to: number;
}

/** What is marked in lines. */
export interface LineMarks {
  /**
   * Where in a line's text, as its row shows it: in order, none over another. Reads signals, so that what is found
   * later is drawn then; the same array as long as nothing else is found.
   */
  hits: (line: LogLine, text: string) => readonly Hit[];
}

/** Each is an element of the page. */
const MOST_HITS = 500;

/** Finds all of them. @param expression with the flag `g`; runs as long as it runs, so not one that somebody typed */
export function findHits(text: string, expression: RegExp): Hit[] {
  const hits: Hit[] = [];
  for (const { 0: found, index } of text.matchAll(expression)) {
    if (found !== '') hits.push({ from: index, to: index + found.length });
    if (hits.length === MOST_HITS) break;
  }
  return hits;
}

/** Those of several searches in one order; where one begins in another, they are one. */
export function joinHits(lists: readonly (readonly Hit[])[]): readonly Hit[] {
  const joined: Hit[] = [];
  for (const { from, to } of lists.flat().sort((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last && from < last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

/** Finds a text as it is written. */
export function textExpression(text: string, matchCase: boolean): RegExp {
  return new RegExp(escapeRegex(text), matchCase ? 'gu' : 'giu');
}

export function escapeRegex(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}/]/g, '\\$&');
}
