import { escapeOf, rawText } from '../format/raw-text';

/** A run of text in one style: classes of `line-list.scss`, joined by spaces. */
export interface TextRun {
  text: string;
  /** Classes of `line-list.scss`, separated by spaces. */
  style: string;
  /** Shown instead of the text, which is invisible or changes the direction of other text. */
  symbol?: string;
}

const SYMBOL_STYLE = 'escape';

/**
 * Terminal escapes: styles (`CSI … m`) first, then what is dropped: other CSI sequences, strings such as OSC (titles,
 * clipboard, links), two-character escapes and control characters. Of an unterminated string only two characters are
 * dropped: otherwise a line could hide the text after it.
 */
const ESCAPES =
  /\x1b\[([\d;:]*)m|\x1b\[[\x20-\x3f]*[\x40-\x7e]?|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[\x20-\x2f]*[\x30-\x7e]?|[\x00-\x08\x0b-\x1f\x7f-\x9f]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** Bidirectional formatting characters. They are shown instead of applied: they could make one name look like another. */
const BIDI_MARKS = /^[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const COLORS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/**
 * Parses a line with its colors; other escapes are dropped. Bidirectional marks, and carriage returns that would
 * overwrite text in a terminal, get a symbol.
 */
export function readAnsi(text: string): TextRun[] {
  return read(text, true);
}

/** As `readAnsi`, without colors. */
export function readPlain(text: string): TextRun[] {
  return read(text, false);
}

/** The text as shown, with symbols for invisible characters. */
export function visibleText(text: string): string {
  return readPlain(text)
    .map((run) => run.symbol ?? run.text)
    .join('');
}

export function plainText(text: string): string {
  return readPlain(text)
    .map((run) => run.text)
    .join('');
}

function read(text: string, isColored: boolean): TextRun[] {
  if (text.search(ESCAPES) === -1) return text === '' ? [] : [{ text, style: '' }];
  const runs: TextRun[] = [];
  const state = new Map<string, string>();
  let from = 0;
  let hasReturned = false;
  const add = (part: string, symbol?: string): void => {
    if (part === '') return;
    // `\r\n` is a line end.
    if (hasReturned && runs.length > 0 && !part.startsWith('\n')) {
      runs.push({ text: '', style: SYMBOL_STYLE, symbol: escapeOf('\r') });
    }
    hasReturned = false;
    if (symbol !== undefined) {
      runs.push({ text: part, style: SYMBOL_STYLE, symbol });
      return;
    }
    const style = [...state.values()].join(' ');
    const last = runs.at(-1);
    if (last?.style === style) last.text += part;
    else runs.push({ text: part, style });
  };
  for (const { 0: escape, 1: style, index } of text.matchAll(ESCAPES)) {
    add(text.slice(from, index));
    from = index + escape.length;
    if (escape === '\r') hasReturned = true;
    else if (BIDI_MARKS.test(escape)) add(escape, rawText(escape));
    else if (isColored && style !== undefined) change(state, style);
  }
  add(text.slice(from));
  return runs;
}

function change(state: Map<string, string>, parameters: string): void {
  const codes = parameters.split(/[;:]/).map((code) => (code === '' ? 0 : Number(code)));
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48) {
      // 256 colors or RGB, mapped to the nearest of the eight colors that are legible in both themes.
      const isIndexed = codes[index + 1] === 5;
      const color = isIndexed
        ? fromPalette(codes[index + 2] ?? 7)
        : nearest(codes[index + 2] ?? 0, codes[index + 3] ?? 0, codes[index + 4] ?? 0);
      if (code === 38) state.set('color', `ansi-${color}`);
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
  else if (code === 39) state.delete('color');
  else {
    const color = COLORS[(code >= 90 ? code - 90 : code - 30) % 60];
    if (color !== undefined && ((code >= 30 && code <= 37) || (code >= 90 && code <= 97))) {
      state.set('color', `ansi-${color}`);
    }
  }
}

function fromPalette(index: number): string {
  if (index < 16) return COLORS[index % 8] ?? 'white';
  if (index >= 232) return index < 244 ? 'black' : 'white';
  const part = (value: number): number => (value === 0 ? 0 : 55 + value * 40);
  const cube = index - 16;
  return nearest(part(Math.floor(cube / 36)), part(Math.floor(cube / 6) % 6), part(cube % 6));
}

function nearest(red: number, green: number, blue: number): string {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  if (most - least < 32) return most < 128 ? 'black' : 'white';
  const middle = (most + least) / 2;
  const bits = (red > middle ? 1 : 0) + (green > middle ? 2 : 0) + (blue > middle ? 4 : 0);
  return COLORS[bits] ?? 'white';
}
