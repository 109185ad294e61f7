import type { StoredLine } from './line.js';

/** A line with at most so many characters of its text; one that has more is marked. */
export function shorten(line: StoredLine, characters: number): StoredLine {
  const { text } = line;
  if (text.length <= characters) return line;
  // Half of a pair is no character.
  const isHalf = (text.charCodeAt(characters - 1) & 0xfc00) === 0xd800;
  return Object.assign(line, {
    text: text.slice(0, isHalf ? characters - 1 : characters),
    shortened: true as const,
  });
}
