/** Characters of a whole text, and of each of its lines, that a regex sees. */
export const MAX_TEXT = 65_536;
export const MAX_LINE = 8192;
/** Longest mark of omitted characters. */
const MARK = 40;
/** Ends of words. A secret has none of them. */
const DELIMITER = /[\s"',;&]/;

/**
 * Keeps the head and the tail of a text and of each of its lines; a mark between them counts the omitted characters. A
 * text within the limits is unchanged, and so is one that is already bounded.
 */
export function boundText(text: string, most = MAX_TEXT): string {
  const whole = text.length <= most ? text : joinEnds(text, text, most, text.length, '\n');
  if (whole.length <= MAX_LINE) return whole;
  return whole
    .split('\n')
    .map((line) => (line.length <= MAX_LINE ? line : joinEnds(line, line, MAX_LINE, line.length, ' ')))
    .join('\n');
}

/**
 * Joins the ends of a text that is too long.
 *
 * @param head at least the first half of the limit
 * @param tail at least the last half of it
 * @param length of the whole text
 */
export function joinEnds(
  head: string,
  tail: string,
  most: number,
  length: number,
  separator: string,
): string {
  const half = Math.max(0, Math.floor((most - MARK) / 2));
  const end = half === 0 ? '' : tail.slice(-half);
  // The word at the cut may be the end of a secret whose name was cut off, so the tail begins after it.
  const word = end.search(DELIMITER);
  const kept = word === -1 ? '' : end.slice(word + 1);
  const mark = `[${length - half - kept.length} characters omitted]`;
  return `${head.slice(0, half)}${separator}${mark}${separator}${kept}`;
}
