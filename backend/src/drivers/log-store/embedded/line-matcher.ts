import { isAscii } from 'node:buffer';
import { DomainError } from '../../../core/errors/domain-error.js';
import { reasonOf } from '../../../core/errors/reason-of.js';
import {
  compileCondition,
  escapeRegex,
  LineConditions,
  longest,
  longestFieldWord,
  requiredTexts,
  type LogQuery,
} from '../../../core/search/index.js';
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
  /** The text to search in one line, and in many lines at once; null if no text is searched. */
  private readonly patterns: { line: RegExp; lines: RegExp } | null = null;
  private readonly searchesAcrossLines: boolean;
  private readonly needsCheck: boolean;
  private readonly conditions: LineConditions;
  private readonly hasConditions: boolean;
  private readonly condition: ReturnType<typeof compileCondition> | null;

  /** @throws DomainError `search_invalid` for an invalid regex */
  constructor(query: LogQuery) {
    const { text, regex, matchCase, levels, streams, fields, withoutFields, without, condition } = query;
    this.levels = levels ? bits(levels.map(levelNumber)) : 0xff;
    this.streams = streams ? bits(streams.map(streamNumber)) : 0xf;
    const isRegex = text !== null && regex;
    const fieldText = fields[0] ? longestFieldWord(fields[0]) : '';
    const source =
      text !== null && text !== '' ? (isRegex ? text : escapeRegex(text)) : escapeRegex(fieldText);
    const flags = flagsOf(source, text === null || text === '' || matchCase);
    if (source !== '') this.patterns = { line: compile(source, flags), lines: compile(source, `${flags}gm`) };
    this.searchesAcrossLines = !isRegex || !LOOKAROUND.test(source);
    this.needsCheck = isRegex ? NEEDS_CHECK.test(source) : source.includes('\n');
    if (text !== null && !isRegex) this.addNeedle(text, matchCase);
    for (const field of fields) this.addNeedle(longestFieldWord(field), true);
    this.conditions = new LineConditions({ ...query, text: null });
    const regexOf = (pattern: string): ((text: string) => boolean) => {
      const compiled = compile(pattern, flagsOf(pattern, matchCase));
      return (line) => compiled.test(line);
    };
    this.condition = condition && compileCondition(condition, matchCase, regexOf);
    for (const required of condition ? requiredTexts(condition) : []) this.addNeedle(required, matchCase);
    this.hasConditions = fields.length + withoutFields.length + without.length > 0;
  }

  /** Whether only levels and streams decide, so that texts are not needed. */
  get needsText(): boolean {
    return this.patterns !== null || this.hasConditions || this.condition !== null;
  }

  /**
   * False if no line of a block with these levels can match.
   * @param readFilter reads the filter of the block; called only if it is of use
   */
  mayMatch(levels: number, readFilter: () => Uint8Array | null): boolean {
    if ((levels & this.levels) === 0) return false;
    const filter = this.needles.length > 0 ? readFilter() : null;
    return filter === null || this.needles.every((needle) => mayContain(filter, needle));
  }

  /** Calls `visit` with the index of each matching line from one index up to another, in order. */
  each(block: Block, from: number, to: number, visit: (index: number) => void): void {
    for (let first = from; first < to;) {
      const end = this.patterns ? pieceEnd(block, first, to) : to;
      const bytes = block.text.subarray(block.beginOf(first), block.columns.ends[end - 1]);
      if (this.patterns && this.searchesAcrossLines && isAscii(bytes)) {
        this.eachInPiece(block, first, end, bytes.toString('latin1'), this.patterns, visit);
      } else {
        for (let index = first; index < end; index += 1) {
          const isMatch = this.patterns?.line.test(block.textOf(index)) ?? true;
          if (isMatch && this.accepts(block, index)) visit(index);
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
    text: string,
    { line, lines }: { line: RegExp; lines: RegExp },
    visit: (index: number) => void,
  ): void {
    const { needsCheck } = this;
    const { ends } = block.columns;
    const begin = block.beginOf(first);
    lines.lastIndex = 0;
    for (let index = first; index < end; index += 1) {
      // `test` is several times faster than `exec`, but tells only where the match ends.
      const match = needsCheck ? lines.exec(text) : lines.test(text);
      if (!match) return;
      const at = begin + (match === true ? lines.lastIndex : match.index);
      while ((ends[index] as number) < at) index += 1;
      const isMatch = !needsCheck || line.test(block.textOf(index));
      if (isMatch && this.accepts(block, index)) visit(index);
      // One match per line is enough.
      lines.lastIndex = (ends[index] as number) + 1 - begin;
    }
  }

  private accepts(block: Block, index: number): boolean {
    if ((this.levels & (1 << block.levelOf(index))) === 0) return false;
    if ((this.streams & (1 << block.streamOf(index))) === 0) return false;
    if (this.hasConditions && !this.conditions.acceptText(block.textOf(index))) return false;
    return this.condition === null || this.condition(block.info.source, block.line(index));
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

/** Properties of Unicode need a flag. Without it, unnecessary escapes are accepted, as users expect. */
function flagsOf(source: string, matchCase: boolean): string {
  return (matchCase ? '' : 'i') + (/\\p\{/i.test(source) ? 'u' : '');
}

function compile(source: string, flags: string): RegExp {
  try {
    // eslint-disable-next-line no-restricted-syntax -- Searches run in a thread that ends at a deadline.
    return new RegExp(source, flags);
  } catch (error) {
    const reason = reasonOf(error).replace(/^Invalid regular expression: /, '');
    throw new DomainError(
      'search_invalid',
      `The regex is invalid: ${reason}. Correct it, or search for it as plain text.`,
    );
  }
}

function bits(numbers: readonly number[]): number {
  return numbers.reduce((set, number) => set | (1 << number), 0);
}
