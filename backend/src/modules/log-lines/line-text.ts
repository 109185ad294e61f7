import { isUtf8 } from 'node:buffer';
import { MAX_LINE_LENGTH } from '../../drivers/log-store/index.js';

/** Maximum bytes of MAX_LINE_LENGTH characters: UTF-8 has at most three bytes per UTF-16 unit. */
export const MAX_LINE_BYTES = 3 * MAX_LINE_LENGTH;

/** The text of a line, and how many bytes were cut. */
export interface LineText {
  text: string;
  cut: number;
}

/**
 * Decodes a line. Bytes that are not UTF-8 become `\xNN`, and NUL becomes `\0`. Text beyond MAX_LINE_LENGTH characters is
 * cut at a character boundary and counted.
 * @param from start of the line in `bytes` @param to its end
 * @param dropped bytes of the line after these that were not kept
 */
export function lineText(bytes: Buffer, from = 0, to = bytes.length, dropped = 0): LineText {
  // Without a subarray: creating one costs more than decoding most lines.
  if (to - from <= MAX_LINE_LENGTH && dropped === 0) {
    const text = bytes.toString('utf8', from, to);
    if (!text.includes('\ufffd') && !text.includes('\0')) return { text, cut: 0 };
    if (isUtf8(bytes.subarray(from, to))) {
      const shown = text.replaceAll('\0', '\\0');
      if (shown.length <= MAX_LINE_LENGTH) return { text: shown, cut: 0 };
    }
  }
  return readSlowly(bytes.subarray(from, to), dropped);
}

function readSlowly(bytes: Buffer, dropped: number): LineText {
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
  return { text: parts.join(''), cut: bytes.length - at + dropped };
}

/** End of the run of ASCII characters without NUL that starts here. */
function plainRun(bytes: Buffer, from: number, to: number): number {
  let at = from;
  for (let byte = bytes[at]; at < to && byte !== undefined && byte > 0 && byte < 0x80; byte = bytes[at]) {
    at += 1;
  }
  return at;
}

/** Bytes of the UTF-8 character that starts here; 0 if it is invalid or NUL. */
function characterSize(bytes: Buffer, at: number): number {
  const byte = bytes[at] ?? 0;
  const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 0;
  if (size === 0 || at + size > bytes.length) return 0;
  return isUtf8(bytes.subarray(at, at + size)) ? size : 0;
}

function escaped(byte: number): string {
  return byte === 0 ? '\\0' : `\\x${byte.toString(16).padStart(2, '0').toUpperCase()}`;
}
