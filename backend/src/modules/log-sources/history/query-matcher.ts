import { DomainError } from '../../../core/errors/domain-error.js';
import { reasonOf } from '../../../core/errors/reason-of.js';
import { fieldsOf, type Level } from '../../../drivers/log-store/index.js';
import { bytePattern, hasTail } from './byte-pattern.js';
import { levelNumber, streamNumber, type Frame } from './frame.js';
import { forEachLineWith, forEachPiece, type LineRange } from './line-scan.js';
import { LiteralScan } from './literal-scan.js';
import { isLineBound, requiredLiterals } from './required-literals.js';
import type { FieldValue, SearchQuery } from './search-query.js';
import { mayHold } from './trigram-filter.js';

/** The part of a query that a line's own text, level and stream decide. */
export type LineQuery = Pick<
  SearchQuery,
  'text' | 'regex' | 'matchCase' | 'without' | 'levels' | 'streams' | 'fields' | 'withoutFields'
>;

const ALL_LEVELS = 0xff;
const ALL_STREAMS = 0xf;
const ASCII = /^[\0-\x7f]*$/;
/** Where there are more places to try an expression at, one for so many bytes, it is tried on many lines at once. */
const DENSE_BYTES = 1024;
const LEAST_TRIES = 32;

/** Texts of which a matching line holds at least one. */
interface Literals {
  needles: Buffer[];
  /** Finds any of them in a text that was decoded as Latin-1, byte for byte. */
  pattern: RegExp;
  matchCase: boolean;
}

/**
 * Decides which lines match. What a match has to hold is looked for in the bytes of many lines at once; only lines
 * that hold it are decoded and tried one by one.
 */
export class QueryMatcher {
  private readonly levels: number;
  private readonly streams: number;
  private readonly literals: Literals[];
  private readonly checks: ((text: string) => boolean)[] = [];
  /** The expression itself where it can be tried on many lines of ASCII at once; `expressionCheck` is not needed then. */
  private direct: RegExp | undefined;
  private expressionCheck: ((text: string) => boolean) | undefined;
  private quick: LiteralScan | undefined;
  /** What has to follow the text that a match needs, where nothing else decides; see `bytePattern`. */
  private tail: readonly Uint8Array[] | undefined;

  /** @throws DomainError `search_invalid` for an expression that is none. */
  constructor(query: LineQuery) {
    this.levels = query.levels ? query.levels.reduce((bits, level) => bits | levelBit(level), 0) : ALL_LEVELS;
    this.streams = query.streams
      ? query.streams.reduce((bits, stream) => bits | (1 << streamNumber(stream)), 0)
      : ALL_STREAMS;
    this.literals = [];
    if (query.text !== null && query.text !== '') {
      if (query.regex) this.addExpression(query.text, query.matchCase);
      else this.addText(query.text, query.matchCase);
    }
    for (const { value } of query.fields) {
      const word = surePartOf(value);
      if (word !== '') this.literals.push(literalsOf([word], true));
    }
    if (query.fields.length + query.withoutFields.length > 0) this.checks.push(fieldCheck(query));
    for (const text of query.without) {
      if (text !== '') this.checks.push(withoutText(text, query.matchCase));
    }
  }

  /** Whether nothing but levels and streams is asked for, so that no text has to be read. */
  get needsNoText(): boolean {
    return this.literals.length === 0 && this.checks.length === 0 && !this.expressionCheck;
  }

  /** False where no line with these levels and this filter can match. */
  mayMatch(levels: number, filter: Uint8Array | undefined): boolean {
    if ((levels & this.levels) === 0) return false;
    if (!filter) return true;
    return this.literals.every(({ needles }) => needles.some((needle) => mayHold(filter, needle)));
  }

  /** Whether a filter can tell anything. */
  get usesFilter(): boolean {
    return this.literals.some(({ needles }) => needles.every(({ length }) => length >= 3));
  }

  /** Indexes of matching lines in a range of a frame, in order. */
  matches(frame: Frame, { from, to }: LineRange): number[] {
    const found: number[] = [];
    const [first] = this.literals;
    if (!first) {
      for (let index = from; index < to; index += 1) {
        if (this.isRight(frame, index, this.expressionCheck)) found.push(index);
      }
      return found;
    }
    // Made where it is needed first: the thread that only asks whether an expression is one needs none.
    this.quick ??= LiteralScan.of(first.needles, first.matchCase);
    if (this.quick && this.tail) {
      const tail = { at: first.needles[0]?.length ?? 0, sets: this.tail };
      this.scanWithTail(frame, { from, to }, this.quick, tail, found);
      return found;
    }
    const rest = this.quick ? this.scan(frame, from, to, this.quick, found) : from;
    this.matchPieces(frame, rest, to, first.pattern, found);
    return found;
  }

  /** Looks where texts are that a match needs. @returns the line from which on another way is quicker. */
  private scan(frame: Frame, from: number, to: number, scan: LiteralScan, found: number[]): number {
    if (from >= to) return to;
    const { expressionCheck, direct } = this;
    const { ends } = frame.columns;
    const begin = from === 0 ? 0 : (ends[from - 1] as number) + 1;
    const mostTries = direct ? (at: number): number => LEAST_TRIES + (at - begin) / DENSE_BYTES : undefined;
    let index = from;
    let tries = 0;
    let rest = to;
    scan.each(frame.text, begin, ends[to - 1] as number, (at) => {
      while ((ends[index] as number) < at) index += 1;
      if (this.isRight(frame, index, expressionCheck)) found.push(index);
      index += 1;
      tries += 1;
      // One match is enough for a line.
      if (!mostTries || tries <= mostTries(at)) return (ends[index - 1] as number) + 1;
      rest = index;
      return Infinity;
    });
    return rest;
  }

  /** The same where a few bytes tell all of the expression. */
  private scanWithTail(
    frame: Frame,
    { from, to }: LineRange,
    scan: LiteralScan,
    tail: { at: number; sets: readonly Uint8Array[] },
    found: number[],
  ): void {
    if (from >= to) return;
    const { text } = frame;
    const { ends } = frame.columns;
    let index = from;
    scan.each(text, from === 0 ? 0 : (ends[from - 1] as number) + 1, ends[to - 1] as number, (at) => {
      while ((ends[index] as number) < at) index += 1;
      const end = ends[index] as number;
      // The next place may be in the same line.
      if (!hasTail(text, at + tail.at, end, tail.sets)) return at + 1;
      if (this.isRight(frame, index, undefined)) found.push(index);
      index += 1;
      return end + 1;
    });
  }

  private matchPieces(frame: Frame, from: number, to: number, pattern: RegExp, found: number[]): void {
    const { direct, expressionCheck } = this;
    forEachPiece(frame, from, to, (piece) => {
      const isDirect = direct !== undefined && piece.isAscii;
      const check = isDirect ? undefined : expressionCheck;
      forEachLineWith(isDirect ? direct : pattern, piece, (index) => {
        if (this.isRight(frame, index, check)) found.push(index);
      });
    });
  }

  private isRight(frame: Frame, index: number, check: ((text: string) => boolean) | undefined): boolean {
    if (this.levels !== ALL_LEVELS) {
      const level = ((frame.columns.flags[index] as number) >> 2) & 7;
      if ((this.levels & (1 << level)) === 0) return false;
    }
    if (this.streams !== ALL_STREAMS) {
      const stream = (frame.columns.flags[index] as number) & 3;
      if ((this.streams & (1 << stream)) === 0) return false;
    }
    if (!check && this.checks.length === 0) return true;
    const text = frame.textOf(index);
    return (!check || check(text)) && this.checks.every((other) => other(text));
  }

  private addText(text: string, matchCase: boolean): void {
    if (matchCase || ASCII.test(text)) {
      // A line has no line feed; the bytes between two lines do.
      if (text.includes('\n')) this.checks.push(() => false);
      this.literals.push(literalsOf([text], matchCase));
      return;
    }
    const longest = longestOf(text.match(/[\0-\x7f]+/g) ?? []);
    if (longest !== '') this.literals.push(literalsOf([longest], false));
    const lower = text.toLowerCase();
    this.checks.push((line) => line.toLowerCase().includes(lower));
  }

  private addExpression(pattern: string, matchCase: boolean): void {
    // Names of Unicode's properties need the flag; without it, escapes that are none are let through as usual.
    const unicode = /\\p\{/iu.test(pattern);
    let expression: RegExp;
    try {
      expression = new RegExp(pattern, (matchCase ? '' : 'i') + (unicode ? 'u' : ''));
    } catch (error) {
      throw new DomainError(
        'search_invalid',
        `This is not a regular expression: ${reasonOf(error).replace(/^Invalid regular expression: /, '')}. Correct it, or search for it as plain text.`,
      );
    }
    const required = requiredLiterals(pattern);
    const isPlain = required?.join('|') === pattern && matchCase && !pattern.includes('\n');
    // Without case, letters beyond ASCII fold in ways that bytes do not show.
    if (required && (matchCase || (!unicode && required.every((literal) => ASCII.test(literal))))) {
      this.literals.push(literalsOf(required, matchCase));
    }
    if (isPlain) return;
    this.expressionCheck = (line) => expression.test(line);
    const bytes = bytePattern(pattern, matchCase);
    if (bytes && required?.length === 1 && required[0] === bytes.literal) this.tail = bytes.tail;
    if (isLineBound(pattern)) this.direct = new RegExp(pattern, matchCase ? 'g' : 'gi');
  }
}

function literalsOf(texts: readonly string[], matchCase: boolean): Literals {
  const needles = texts.map((text) => Buffer.from(text, 'utf8'));
  const bytes = needles.map((needle) => escapeExpression(needle.toString('latin1')));
  return {
    needles,
    pattern: new RegExp(bytes.join('|'), matchCase ? 'g' : 'gi'),
    matchCase,
  };
}

/** Letters and digits of a value stand in a line as they are; what is between them may be escaped. */
function surePartOf(value: string): string {
  return longestOf(value.match(/[\w.-]+/g) ?? []);
}

/** A line is taken apart once, and only where it holds what one of the fields has to hold. */
function fieldCheck({ fields, withoutFields }: LineQuery): (line: string) => boolean {
  const prepared = (given: LineQuery['fields']): (FieldValue & { part: string })[] =>
    given.map(({ name, value }) => ({ name, value, part: surePartOf(value) }));
  const wanted = prepared(fields);
  const unwanted = prepared(withoutFields);
  return (line) => {
    let found: Readonly<Record<string, string>> | undefined;
    const has = ({ name, value, part }: FieldValue & { part: string }): boolean => {
      if (!line.includes(part)) return false;
      found ??= fieldsOf(line).fields;
      return found[name] === value;
    };
    return wanted.every(has) && !unwanted.some(has);
  };
}

function withoutText(text: string, matchCase: boolean): (line: string) => boolean {
  if (matchCase) return (line) => !line.includes(text);
  const lower = text.toLowerCase();
  return (line) => !line.toLowerCase().includes(lower);
}

function levelBit(level: Level | 'none'): number {
  return 1 << levelNumber(level === 'none' ? null : level);
}

function longestOf(texts: readonly string[]): string {
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '');
}

function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
