import { isAscii } from 'node:buffer';
import { DomainError } from '../../../core/errors/domain-error.js';
import { reasonOf } from '../../../core/errors/reason-of.js';
import { fieldsOf } from '../line-fields.js';
import type { FieldValue, LogQuery } from '../log-query.js';
import { levelNumber, streamNumber, type Block } from './block.js';
import { mayContain } from './trigram-filter.js';

/** Larger strings take ten times as long per byte to create. Measured with V8 in Node 24. */
const PIECE_BYTES = 32 * 1024;

/** Parts of a regex whose result for a line may depend on the text of the next or the previous one. */
const LOOKAROUND = /\(\?<?[=!]/;
/** Parts that can match a line feed, or that mean something else where a line is part of a longer text. */
const NEEDS_CHECK = /\\(?![dwSbB])[A-Za-z0-9]|\[\^|[\0-\x1f^$]|\(\?[a-z-]*:/;

/** Decides which lines of a block match. Text is searched in many lines at once; lines are decoded only where needed. */
export class LineMatcher {
  private readonly levels: number;
  private readonly streams: number;
  private readonly needles: Buffer[] = [];
  /** What is searched in many lines at once; null if no text is searched. */
  private readonly pattern: RegExp | null;
  /** The same for one line. */
  private readonly linePattern: RegExp | null;
  private readonly searchesAcrossLines: boolean;
  private readonly needsCheck: boolean;
  private readonly conditions: ((text: string) => boolean)[] = [];

  /** @throws DomainError `search_invalid` for an invalid regex */
  constructor(query: LogQuery) {
    const { text, regex, matchCase, levels, streams, fields, withoutFields, without } = query;
    this.levels = levels ? bits(levels.map(levelNumber)) : 0xff;
    this.streams = streams ? bits(streams.map(streamNumber)) : 0xf;
    const isRegex = text !== null && regex;
    const fieldText = longestWord(fields[0]?.value ?? '');
    const source =
      text !== null && text !== '' ? (isRegex ? text : escapeRegex(text)) : escapeRegex(fieldText);
    // Properties of Unicode need the flag. Without it, unnecessary escapes are accepted, as users expect.
    const flags = (text === null || text === '' || matchCase ? '' : 'i') + (/\\p\{/i.test(source) ? 'u' : '');
    this.linePattern = source === '' ? null : compile(source, flags);
    this.pattern = source === '' ? null : compile(source, `${flags}gm`);
    this.searchesAcrossLines = !isRegex || !LOOKAROUND.test(source);
    this.needsCheck = isRegex ? NEEDS_CHECK.test(source) : source.includes('\n');
    if (text !== null && !isRegex) this.addNeedle(text, matchCase);
    for (const { value } of fields) this.addNeedle(longestWord(value), true);
    if (fields.length + withoutFields.length > 0) this.conditions.push(fieldCondition(fields, withoutFields));
    for (const excluded of without) {
      if (excluded !== '') this.conditions.push(withoutCondition(excluded, matchCase));
    }
  }

  /** Whether only levels and streams decide, so that texts are not needed. */
  get needsText(): boolean {
    return this.pattern !== null || this.conditions.length > 0;
  }

  /** Whether `mayMatch` makes use of a filter. */
  get usesFilter(): boolean {
    return this.needles.length > 0;
  }

  /** False if no line of a block with these levels and this filter can match. */
  mayMatch(levels: number, filter: Uint8Array | null): boolean {
    if ((levels & this.levels) === 0) return false;
    return filter === null || this.needles.every((needle) => mayContain(filter, needle));
  }

  /** Calls `visit` with the index of each matching line from one index up to another, in order. */
  each(block: Block, from: number, to: number, visit: (index: number) => void): void {
    if (this.pattern === null) {
      for (let index = from; index < to; index += 1) if (this.accepts(block, index)) visit(index);
      return;
    }
    for (let first = from; first < to;) {
      const end = pieceEnd(block, first, to);
      const bytes = block.text.subarray(block.beginOf(first), block.columns.ends[end - 1]);
      if (this.searchesAcrossLines && isAscii(bytes)) this.eachInPiece(block, first, end, bytes, visit);
      else {
        for (let index = first; index < end; index += 1) {
          if (this.linePattern?.test(block.textOf(index)) && this.accepts(block, index)) visit(index);
        }
      }
      first = end;
    }
  }

  /** Searches ASCII lines as one string. Every line that matches by itself is found; the others are checked again. */
  private eachInPiece(
    block: Block,
    first: number,
    end: number,
    bytes: Buffer,
    visit: (index: number) => void,
  ): void {
    const pattern = this.pattern as RegExp;
    const { ends } = block.columns;
    const begin = block.beginOf(first);
    const text = bytes.toString('latin1');
    let index = first;
    pattern.lastIndex = 0;
    while (index < end) {
      // `test` is several times faster than `exec`, but tells only where the match ends.
      const at = this.needsCheck
        ? pattern.exec(text)?.index
        : pattern.test(text)
          ? pattern.lastIndex
          : undefined;
      if (at === undefined) return;
      while ((ends[index] as number) < begin + at) index += 1;
      const isMatch = !this.needsCheck || (this.linePattern as RegExp).test(block.textOf(index));
      if (isMatch && this.accepts(block, index)) visit(index);
      // One match per line is enough.
      pattern.lastIndex = (ends[index] as number) + 1 - begin;
      index += 1;
    }
  }

  private accepts(block: Block, index: number): boolean {
    if ((this.levels & (1 << block.levelOf(index))) === 0) return false;
    if ((this.streams & (1 << block.streamOf(index))) === 0) return false;
    if (this.conditions.length === 0) return true;
    const text = block.textOf(index);
    return this.conditions.every((condition) => condition(text));
  }

  private addNeedle(text: string, matchCase: boolean): void {
    const ascii = matchCase ? text : longest(text.match(/[\0-\x7f]+/g) ?? []);
    const needle = Buffer.from(ascii);
    if (needle.length >= 3) this.needles.push(needle);
  }
}

/** Index after the last line of a piece: as many lines as fit, or one that is longer. */
function pieceEnd(block: Block, first: number, to: number): number {
  const limit = block.beginOf(first) + PIECE_BYTES;
  let index = first + 1;
  while (index < to && (block.columns.ends[index] as number) <= limit) index += 1;
  return index;
}

function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    const reason = reasonOf(error).replace(/^Invalid regular expression: /, '');
    throw new DomainError(
      'search_invalid',
      `The regex is invalid: ${reason}. Correct it, or search for it as plain text.`,
    );
  }
}

/** A line is parsed only if it contains the values that it must have. */
function fieldCondition(
  fields: readonly FieldValue[],
  withoutFields: readonly FieldValue[],
): (text: string) => boolean {
  const withWord = (field: FieldValue): FieldValue & { word: string } => ({
    ...field,
    word: longestWord(field.value),
  });
  const required = fields.map(withWord);
  const excluded = withoutFields.map(withWord);
  return (text) => {
    let parsed: Readonly<Record<string, string>> | undefined;
    const has = ({ name, value, word }: FieldValue & { word: string }): boolean =>
      text.includes(word) && (parsed ??= fieldsOf(text).fields)[name] === value;
    return required.every(has) && !excluded.some(has);
  };
}

function withoutCondition(excluded: string, matchCase: boolean): (text: string) => boolean {
  if (matchCase) return (text) => !text.includes(excluded);
  const pattern = new RegExp(escapeRegex(excluded), 'i');
  return (text) => !pattern.test(text);
}

/** Longest part of a field's value that is written in a line as it is; what lies between may be escaped. */
function longestWord(value: string): string {
  return longest(value.match(/[\w.-]+/g) ?? []);
}

function longest(texts: readonly string[]): string {
  return texts.reduce((most, text) => (text.length > most.length ? text : most), '');
}

function bits(numbers: readonly number[]): number {
  return numbers.reduce((set, number) => set | (1 << number), 0);
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
