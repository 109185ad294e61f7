/** A stretch of text in one look: classes of `line-list.scss`, joined by spaces. */
export interface Stretch {
  text: string;
  look: string;
  /** View in its place, where a reader would not see it or see other text in another order. */
  sign?: string;
}

/** The look of a sign. */
const SIGN_LOOK = 'escape';

/**
 * Escapes of terminals: colours and looks (`CSI … m`) first, then what is dropped: other CSI sequences, OSC (titles,
 * clipboard, links) and its like up to their end, two-character escapes, and control characters. One without an end
 * is two characters: what follows is text, which no line may hide.
 */
const ESCAPES =
  /\x1b\[([\d;:]*)m|\x1b\[[\x20-\x3f]*[\x40-\x7e]?|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[\x20-\x2f]*[\x30-\x7e]?|[\x00-\x08\x0b-\x1f\x7f-\x9f]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** Marks that turn the direction of text: they are part of it, but obeyed, a name reads as another. */
const TURNS = /^[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/**
 * What a line looks like in a terminal, as far as it is text: its colours as names, nothing else of its escapes. What
 * would show other text than there is has a sign: marks of direction, and a carriage return between two texts, of
 * which a terminal would show but the second.
 */
export function readAnsi(text: string): Stretch[] {
  return read(text, true);
}

/** The same without its colours. */
export function readPlain(text: string): Stretch[] {
  return read(text, false);
}

/** The text with its signs. */
export function signedText(text: string): string {
  return readPlain(text)
    .map((stretch) => stretch.sign ?? stretch.text)
    .join('');
}

/** The text alone. */
export function plainText(text: string): string {
  return readPlain(text)
    .map((stretch) => stretch.text)
    .join('');
}

function read(text: string, isColoured: boolean): Stretch[] {
  if (text.search(ESCAPES) === -1) return text === '' ? [] : [{ text, look: '' }];
  const stretches: Stretch[] = [];
  const state = new Map<string, string>();
  let from = 0;
  let hasReturned = false;
  const add = (part: string, sign?: string): void => {
    if (part === '') return;
    // With the end of a line it is no more than that.
    if (hasReturned && stretches.length > 0 && !part.startsWith('\n')) {
      stretches.push({ text: '', look: SIGN_LOOK, sign: escapeOf('\r') });
    }
    hasReturned = false;
    if (sign !== undefined) {
      stretches.push({ text: part, look: SIGN_LOOK, sign });
      return;
    }
    const look = [...state.values()].join(' ');
    const last = stretches.at(-1);
    if (last?.look === look) last.text += part;
    else stretches.push({ text: part, look });
  };
  for (const { 0: escape, 1: look, index } of text.matchAll(ESCAPES)) {
    add(text.slice(from, index));
    from = index + escape.length;
    if (escape === '\r') hasReturned = true;
    else if (TURNS.test(escape)) add(escape, rawText(escape));
    else if (isColoured && look !== undefined) change(state, look);
  }
  add(text.slice(from));
  return stretches;
}

/** What of a raw text cannot be seen, or moves what is seen: controls but for a tab, and marks of direction or width. */
const UNSEEN = /[\x00-\x08\x0a-\x1f\x7f-\x9f]|[\p{Cf}\u2028\u2029]/gu;

/** A piece of a raw text: as it is, or the escape by which a program's source would name it. */
export interface RawPiece {
  text: string;
  isEscape: boolean;
}

/** All of a text, with nothing left out and nothing obeyed. */
export function rawPieces(text: string): RawPiece[] {
  const pieces: RawPiece[] = [];
  let from = 0;
  const add = (piece: string, isEscape: boolean): void => {
    const last = pieces.at(-1);
    if (last?.isEscape === isEscape) last.text += piece;
    else if (piece !== '') pieces.push({ text: piece, isEscape });
  };
  for (const { 0: unseen, index } of text.matchAll(UNSEEN)) {
    add(text.slice(from, index), false);
    add(escapeOf(unseen), true);
    from = index + unseen.length;
  }
  add(text.slice(from), false);
  return pieces;
}

/** The same in one text. */
export function rawText(text: string): string {
  return rawPieces(text)
    .map((piece) => piece.text)
    .join('');
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\u{${digits}}`;
}

function change(state: Map<string, string>, parameters: string): void {
  const codes = parameters.split(/[;:]/).map((code) => (code === '' ? 0 : Number(code)));
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48) {
      // One of 256, or three parts of a colour: the nearest of the sixteen stays legible in both themes.
      const isIndexed = codes[index + 1] === 5;
      const colour = isIndexed
        ? fromPalette(codes[index + 2] ?? 7)
        : nearest(codes[index + 2] ?? 0, codes[index + 3] ?? 0, codes[index + 4] ?? 0);
      if (code === 38) state.set('colour', `ansi-${colour}`);
      index += isIndexed ? 2 : 4;
    } else apply(state, code);
  }
}

function apply(state: Map<string, string>, code: number): void {
  if (code === 0) state.clear();
  else if (code === 1) state.set('weight', 'ansi-bold');
  else if (code === 2) state.set('weight', 'ansi-dim');
  else if (code === 3) state.set('slant', 'ansi-italic');
  else if (code === 4) state.set('line', 'ansi-underline');
  else if (code === 9) state.set('line', 'ansi-struck');
  else if (code === 22) state.delete('weight');
  else if (code === 23) state.delete('slant');
  else if (code === 24 || code === 29) state.delete('line');
  else if (code === 39) state.delete('colour');
  else {
    const colour = COLOURS[(code >= 90 ? code - 90 : code - 30) % 60];
    if (colour !== undefined && ((code >= 30 && code <= 37) || (code >= 90 && code <= 97))) {
      state.set('colour', `ansi-${colour}`);
    }
  }
}

function fromPalette(index: number): string {
  if (index < 16) return COLOURS[index % 8] ?? 'white';
  if (index >= 232) return index < 244 ? 'black' : 'white';
  const part = (value: number): number => (value === 0 ? 0 : 55 + value * 40);
  const cube = index - 16;
  return nearest(part(Math.floor(cube / 36)), part(Math.floor(cube / 6) % 6), part(cube % 6));
}

/** By which of its parts stand out. */
function nearest(red: number, green: number, blue: number): string {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  if (most - least < 32) return most < 128 ? 'black' : 'white';
  const middle = (most + least) / 2;
  const bits = (red > middle ? 1 : 0) + (green > middle ? 2 : 0) + (blue > middle ? 4 : 0);
  return COLOURS[bits] ?? 'white';
}
