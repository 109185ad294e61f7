import { isAscii } from 'node:buffer';
import type { Frame } from './frame.js';

/** Lines of a frame that are looked at. */
export interface LineRange {
  from: number;
  to: number;
}

/** A string of at most this many bytes is made at once: making larger ones takes ten times as long for each byte. */
const PIECE_BYTES = 32 * 1024;

/** Some lines of a frame as one text, each byte of it a character. */
export interface Piece extends LineRange {
  text: string;
  isAscii: boolean;
  /** Where in the frame's text it begins. */
  begin: number;
  ends: Uint32Array;
}

/** Goes through a range of lines, as many at once as make a piece, or one that is longer. */
export function forEachPiece(frame: Frame, from: number, to: number, visit: (piece: Piece) => void): void {
  const { ends } = frame.columns;
  const { ascii } = frame.header;
  for (let first = from; first < to;) {
    const begin = first === 0 ? 0 : (ends[first - 1] as number) + 1;
    const last = lastEndingBy(ends, begin + PIECE_BYTES, first, to);
    const bytes = frame.text.subarray(begin, ends[last]);
    visit({
      from: first,
      to: last + 1,
      text: bytes.toString('latin1'),
      isAscii: ascii || isAscii(bytes),
      begin,
      ends,
    });
    first = last + 1;
  }
}

/** Tells each line of a piece in which a pattern is found. No match may reach over the end of a line. */
export function forEachLineWith(pattern: RegExp, piece: Piece, visit: (index: number) => void): void {
  const { text, begin, ends, to } = piece;
  let index = piece.from;
  pattern.lastIndex = 0;
  // `test` makes no object of what it finds; where that ends is all that is needed.
  while (index < to && pattern.test(text)) {
    const end = begin + pattern.lastIndex;
    while ((ends[index] as number) < end) index += 1;
    visit(index);
    // One match is enough for a line.
    pattern.lastIndex = (ends[index] as number) + 1 - begin;
    index += 1;
  }
}

/** Index of the last line that ends by an offset; the first one of the range at least. */
function lastEndingBy(ends: Uint32Array, offset: number, from: number, to: number): number {
  let low = from;
  let high = to - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((ends[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
