/** Where in a buffer the next number begins. */
export interface Cursor {
  at: number;
}

/** Bytes that one number takes at most. */
export const MOST_NUMBER_BYTES = 8;

/** Writes a whole number from 0 to 2^53, seven bits a byte, the lowest first. Answers where the next one goes. */
export function writeNumber(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  // Bit operations are for 31 bits; differences of times may be longer.
  while (rest > 0x7fffffff) {
    bytes[at++] = (rest % 128) | 128;
    rest = Math.floor(rest / 128);
  }
  while (rest > 127) {
    bytes[at++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  bytes[at++] = rest;
  return at;
}

/** @throws Error where the buffer ends within a number. */
export function readNumber(bytes: Uint8Array, cursor: Cursor): number {
  const first = bytes[cursor.at] ?? 128;
  if (first < 128) {
    cursor.at += 1;
    return first;
  }
  // Most lengths of lines, and most times between two of them.
  const second = bytes[cursor.at + 1] ?? 128;
  if (second < 128) {
    cursor.at += 2;
    return (first & 127) | (second << 7);
  }
  let value = 0;
  let factor = 1;
  for (;;) {
    const byte = bytes[cursor.at++];
    if (byte === undefined) throw new Error('the columns end too early');
    value += (byte & 127) * factor;
    if (byte < 128) return value;
    factor *= 128;
  }
}

/** A number that may be negative as one that is not: 0, -1, 1, -2 … become 0, 1, 2, 3 … */
export function fold(value: number): number {
  return value >= 0 ? value * 2 : -value * 2 - 1;
}
