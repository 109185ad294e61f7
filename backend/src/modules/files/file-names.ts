import { isUtf8 } from 'node:buffer';

/**
 * The name of a file is bytes. Those that are not UTF-8 are shown as `\xFF`, and a backslash that would read as such a byte
 * as `\x5C`, so that each name has one text, which opens the file.
 */
const SHOWN_BYTE = /\\(?:x(5C|[89A-F][0-9A-F]))?/g;
const LIKE_A_BYTE = /\\(?=x(?:5C|[89A-F][0-9A-F]))/g;

export function readName(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8').replace(LIKE_A_BYTE, '\\x5C');
  let text = '';
  for (let at = 0, size = 0; at < bytes.length; at += size) {
    const isCharacter = (length: number): boolean => isUtf8(bytes.subarray(at, at + length));
    size = [1, 2, 3, 4].find(isCharacter) ?? 1;
    const shown = bytes.subarray(at, at + size);
    text += isUtf8(shown)
      ? shown.toString('utf8').replace('\\', '\\x5C')
      : `\\x${shown.toString('hex').toUpperCase()}`;
  }
  return text;
}

/** A path for `printf %b`, which makes the bytes. Arguments of programs in containers must be UTF-8. */
export function printable(path: string): string {
  return path.replace(SHOWN_BYTE, (_, hex: string | undefined) =>
    hex === undefined ? '\\\\' : `\\0${parseInt(hex, 16).toString(8).padStart(3, '0')}`,
  );
}
