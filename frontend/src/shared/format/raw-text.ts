/** Invisible characters of a raw text: controls except for tabs, and format characters. */
const INVISIBLE = /[\x00-\x08\x0a-\x1f\x7f-\x9f]|[\p{Cf}\u2028\u2029]/gu;

/** A piece of a raw text: literal, or an escape sequence as in source code. */
export interface RawPiece {
  text: string;
  isEscape: boolean;
}

/** The complete text with invisible characters escaped. */
export function rawPieces(text: string): RawPiece[] {
  const pieces: RawPiece[] = [];
  let from = 0;
  const add = (piece: string, isEscape: boolean): void => {
    const last = pieces.at(-1);
    if (last?.isEscape === isEscape) last.text += piece;
    else if (piece !== '') pieces.push({ text: piece, isEscape });
  };
  for (const { 0: unseen, index } of text.matchAll(INVISIBLE)) {
    add(text.slice(from, index), false);
    add(escapeOf(unseen), true);
    from = index + unseen.length;
  }
  add(text.slice(from), false);
  return pieces;
}

/** For names, paths and commands, which must not look like others. */
export function rawText(text: string): string {
  return rawPieces(text)
    .map((piece) => piece.text)
    .join('');
}

/** As in source code. */
export function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\u{${digits}}`;
}
