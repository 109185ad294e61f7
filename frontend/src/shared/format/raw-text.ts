import { HIDDEN } from '../../../../backend/src/core/lines/hidden-characters.js';

/** A piece of a raw text: literal, or an escape sequence as in source code. */
export interface RawPiece {
  text: string;
  isEscape: boolean;
}

/** The complete text of a line with hidden characters escaped, except for tabs. */
export function rawPieces(text: string): RawPiece[] {
  const pieces: RawPiece[] = [];
  let from = 0;
  const add = (piece: string, isEscape: boolean): void => {
    const last = pieces.at(-1);
    if (last?.isEscape === isEscape) last.text += piece;
    else if (piece !== '') pieces.push({ text: piece, isEscape });
  };
  for (const { 0: unseen, index } of text.matchAll(HIDDEN)) {
    if (unseen === '\t') continue;
    add(text.slice(from, index), false);
    add(escapeOf(unseen), true);
    from = index + unseen.length;
  }
  add(text.slice(from), false);
  return pieces;
}

/** For names, paths and commands, which must not look like others. */
export function rawText(text: string): string {
  return text.replace(HIDDEN, escapeOf);
}

/** For messages with names in them, whose tabs and line ends are their own. */
export function rawMessage(text: string): string {
  return text.replace(/[^\t\r\n]+/g, rawText);
}

/** For a line of a log, as `rawPieces`. */
export function rawLine(text: string): string {
  return text.replace(/[^\t]+/g, rawText);
}

/** As in source code. */
export function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\u{${digits}}`;
}
