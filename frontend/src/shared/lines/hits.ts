import type { LogLine } from './log-line';

/** A match in a text; `to` is exclusive. */
export interface Hit {
  from: number;
  to: number;
}

/** Finds the matches to mark in lines. */
export interface LineMarks {
  /**
   * The hits in a line's text as shown, ordered and without overlaps. Reads signals, so that later hits are drawn.
   * Returns the same array while the hits are the same.
   */
  hits: (line: LogLine, text: string) => readonly Hit[];
}

/** Each hit is a DOM element. */
const MAX_HITS = 500;

/** @param regex with the flag `g`; not user input, because nothing stops a slow regex */
export function findHits(text: string, regex: RegExp): Hit[] {
  const hits: Hit[] = [];
  for (const { 0: found, index } of text.matchAll(regex)) {
    if (found !== '') hits.push({ from: index, to: index + found.length });
    if (hits.length === MAX_HITS) break;
  }
  return hits;
}

export function joinHits(lists: readonly (readonly Hit[])[]): readonly Hit[] {
  const joined: Hit[] = [];
  for (const { from, to } of lists.flat().sort((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last && from < last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

export function textRegex(text: string, matchCase: boolean): RegExp {
  // eslint-disable-next-line no-restricted-syntax -- The text is escaped.
  return new RegExp(escapeRegex(text), matchCase ? 'gu' : 'giu');
}

export function escapeRegex(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}/]/g, '\\$&');
}
