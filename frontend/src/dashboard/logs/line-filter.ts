import type { Level } from '../../shared/api/api-types';
import { plainText } from '../../shared/lines/ansi';
import { findHits, type Hit, type LineMarks, textRegex } from '../../shared/lines/hits';
import { LEVEL_LETTERS } from '../../shared/lines/line-style';
import type { LogLine } from '../../shared/lines/log-line';

/** From the lowest to the highest. */
export const LEVELS = Object.keys(LEVEL_LETTERS) as Level[];

/** Whether a line contains a text in any case, and has at least a level. @param least null for lines without one, too */
export function lineFilter(text: string, least: Level | null): (line: LogLine) => boolean {
  const regex = text === '' ? null : textRegex(text, false);
  const lowest = least === null ? -1 : LEVELS.indexOf(least);
  return (line) =>
    (lowest < 0 || (line.level !== null && LEVELS.indexOf(line.level) >= lowest)) &&
    (regex === null || plainText(line.text).search(regex) >= 0);
}

/** Marks a text in the lines. */
export function textMarks(text: string): LineMarks | null {
  if (text === '') return null;
  const regex = textRegex(text, false);
  const known = new WeakMap<LogLine, readonly Hit[]>();
  return {
    hits: (line, shown) => {
      const hits = known.get(line) ?? findHits(shown, regex);
      known.set(line, hits);
      return hits;
    },
  };
}
