import { isUtf8 } from 'node:buffer';
import { MAX_LINE_LENGTH } from '../../drivers/log-store/index.js';

/** No line needs more bytes than this for its MAX_LINE_LENGTH characters: one of UTF-8 has at most three for each unit. */
export const MAX_LINE_BYTES = 3 * MAX_LINE_LENGTH;

/** The text of a line, and how many of its bytes are not in it. */
export interface LineText {
  text: string;
  cut: number;
}

/**
 * Decodes a line. Bytes that are no UTF-8 become `\xNN`, NUL becomes `\0`, and what is beyond MAX_LINE_LENGTH characters is
 * cut off between two characters and counted.
 * @param from where it begins in these bytes @param to where it ends
 * @param beyond bytes of the line that were not kept, behind these.
 */
export function lineText(bytes: Buffer, from = 0, to = bytes.length, beyond = 0): LineText {
  // Without a part of the buffer for each line: to make one costs more than to read most lines.
  if (to - from <= MAX_LINE_LENGTH && beyond === 0) {
    const text = bytes.toString('utf8', from, to);
    if (!text.includes('\ufffd') && !text.includes('\0')) return { text, cut: 0 };
    if (isUtf8(bytes.subarray(from, to))) {
      const shown = text.replaceAll('\0', '\\0');
      if (shown.length <= MAX_LINE_LENGTH) return { text: shown, cut: 0 };
    }
  }
  return readSlowly(bytes.subarray(from, to), beyond);
}

function readSlowly(bytes: Buffer, beyond: number): LineText {
  const parts: string[] = [];
  let length = 0;
  let at = 0;
  while (at < bytes.length) {
    const run = plainRun(bytes, at, Math.min(bytes.length, at + MAX_LINE_LENGTH - length));
    if (run > at) {
      parts.push(bytes.toString('latin1', at, run));
      length += run - at;
      at = run;
    }
    if (at >= bytes.length || length >= MAX_LINE_LENGTH) break;
    const size = characterSize(bytes, at);
    const shown = size > 0 ? bytes.toString('utf8', at, at + size) : escaped(bytes[at] ?? 0);
    if (length + shown.length > MAX_LINE_LENGTH) break;
    parts.push(shown);
    length += shown.length;
    at += Math.max(1, size);
  }
  return { text: parts.join(''), cut: bytes.length - at + beyond };
}

/** The end of what is plain ASCII without NUL from here on. */
function plainRun(bytes: Buffer, from: number, to: number): number {
  let at = from;
  for (let byte = bytes[at]; at < to && byte !== undefined && byte > 0 && byte < 0x80; byte = bytes[at]) {
    at += 1;
  }
  return at;
}

/** Bytes of the character of UTF-8 that begins here; 0 where none does, and for NUL. */
function characterSize(bytes: Buffer, at: number): number {
  const byte = bytes[at] ?? 0;
  const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 0;
  if (size === 0 || at + size > bytes.length) return 0;
  return isUtf8(bytes.subarray(at, at + size)) ? size : 0;
}

function escaped(byte: number): string {
  return byte === 0 ? '\\0' : `\\x${byte.toString(16).padStart(2, '0').toUpperCase()}`;
}
