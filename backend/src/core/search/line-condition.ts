import { fieldsOf, mayHaveRequest, REQUEST_FIELDS, type FieldValue } from '../lines/index.js';
import type { LineCondition, QueriedLine } from './line-query.js';
import type { CompareNode, Operator, Pattern } from './query-language.js';
import { escapeRegex, longest, longestFieldWord } from './query-text.js';

/** A line whose text is folded and parsed at most once. */
class SearchedLine {
  private foldedText: string | undefined;
  private pairs: FieldValue[] | undefined;

  constructor(
    readonly source: number,
    readonly line: QueriedLine,
    readonly fold: (text: string) => string,
  ) {}

  get folded(): string {
    return (this.foldedText ??= this.fold(this.line.text));
  }

  /** The values of a field, whose name is compared without case. */
  values(name: string): string[] {
    this.pairs ??= fieldsOf(this.line.text).pairs;
    return this.pairs.filter((pair) => pair.name.toLowerCase() === name).map(({ value }) => this.fold(value));
  }
}

type Test = (line: SearchedLine) => boolean;
type CompileRegex = (source: string) => (text: string) => boolean;

/** @param compileRegex limits the time that a regex takes, or runs where that is limited */
export function compileCondition(
  condition: LineCondition,
  matchCase: boolean,
  compileRegex: CompileRegex,
): (source: number, line: QueriedLine) => boolean {
  const fold = (text: string): string => (matchCase ? text : text.toLowerCase());
  const test = compile(condition, fold, compileRegex);
  return (source, line) => test(new SearchedLine(source, line, fold));
}

function compile(condition: LineCondition, fold: (text: string) => string, compileRegex: CompileRegex): Test {
  switch (condition.type) {
    case 'and': {
      const tests = condition.parts.map((part) => compile(part, fold, compileRegex));
      return (line) => tests.every((test) => test(line));
    }
    case 'or': {
      const tests = condition.parts.map((part) => compile(part, fold, compileRegex));
      return (line) => tests.some((test) => test(line));
    }
    case 'not': {
      const test = compile(condition.part, fold, compileRegex);
      return (line) => !test(line);
    }
    case 'levels':
      return ({ line }) => condition.levels.includes(line.level ?? 'none');
    case 'streams':
      return ({ line }) => line.stream !== null && condition.streams.includes(line.stream);
    case 'sources': {
      const ids = new Set(condition.ids);
      return ({ source }) => ids.has(source);
    }
    case 'regex': {
      const test = compileRegex(condition.source);
      return ({ line }) => test(line.text);
    }
    case 'text': {
      const contains = within(condition.pattern.map(fold));
      return ({ folded }) => contains(folded);
    }
    case 'compare':
      return comparison(condition, fold);
  }
}

function comparison({ name, operator, pattern }: CompareNode, fold: (text: string) => string): Test {
  const folded = pattern.map(fold);
  const wanted = name.toLowerCase();
  const [first = '', ...others] = folded;
  const inText = within([`${fold(name)}${operator === '!=' ? '=' : operator}${first}`, ...others]);
  const accepts = valueTest(operator, folded);
  // Parts that a line with the field contains as they are; most lines need not be parsed.
  const value = /[<>]/.test(operator)
    ? ''
    : longest(folded.map((piece) => longestFieldWord({ name, value: piece })));
  const word = longest(fold(name).match(/[\w-]+/g) ?? []);
  const isNamed = ({ folded: text, line }: SearchedLine): boolean =>
    text.includes(word) || (REQUEST_FIELDS.has(wanted) && mayHaveRequest(line.text));
  const isOut = /[<>]/.test(operator) ? plainNumbersOutside(wanted, accepts) : () => false;
  const test: Test = (line) => {
    if (isOut(line.line.text) || !line.folded.includes(value) || !isNamed(line)) return false;
    const values = line.values(wanted);
    return values.length > 0 ? values.some(accepts) : inText(line.folded);
  };
  return operator === '!=' ? (line) => !test(line) : test;
}

/**
 * Whether a field can only have plain numbers that are not accepted, as most lines do. Parsing the line to find that out
 * takes about ten times as long. Every other form is left to the parser.
 */
function plainNumbersOutside(name: string, accepts: (value: string) => boolean): (text: string) => boolean {
  if (!/^[\w-]+$/.test(name)) return () => false;
  // eslint-disable-next-line no-restricted-syntax -- A name of word characters, and no quantifier is nested.
  const plain = new RegExp(`${name}(?:"?[=:] ?(?:(\\d{1,15})(?=[\\s,}]|$)|"(\\d{1,15})"))?`, 'gi');
  return (text) => {
    plain.lastIndex = 0;
    let isFound = false;
    for (let found = plain.exec(text); found; found = plain.exec(text)) {
      const number = found[1] ?? found[2];
      if (number === undefined || accepts(number)) return false;
      isFound = true;
    }
    return isFound && !(REQUEST_FIELDS.has(name) && mayHaveRequest(text));
  };
}

function valueTest(operator: Operator, pattern: Pattern): (value: string) => boolean {
  if (!/[<>]/.test(operator)) return patternTest(pattern, operator === ':');
  const limit = magnitude(pattern[0] ?? '');
  return (value) => {
    const amount = magnitude(value);
    if (!amount || !limit || amount.kind !== limit.kind) return false;
    if (operator === '>') return amount.size > limit.size;
    if (operator === '>=') return amount.size >= limit.size;
    return operator === '<' ? amount.size < limit.size : amount.size <= limit.size;
  };
}

/** Whether a text contains the pattern, or is it as a whole. Takes linear time. */
export function patternTest(pattern: Pattern, isPart: boolean): (text: string) => boolean {
  return isPart ? within(pattern) : equal(pattern);
}

/** Whether a text contains the pieces in this order. */
function within(pattern: Pattern): (text: string) => boolean {
  const [only = ''] = pattern;
  if (pattern.length < 2) return (text) => text.includes(only);
  return (text) => {
    let at = 0;
    for (const piece of pattern) {
      const found = text.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return true;
  };
}

/** Whether a text is the pattern from its beginning to its end. */
function equal(pattern: Pattern): (text: string) => boolean {
  const [first = '', ...rest] = pattern;
  const last = rest.pop();
  if (last === undefined) return (text) => text === first;
  const inside = within(rest);
  return (text) =>
    text.length >= first.length + last.length &&
    text.startsWith(first) &&
    text.endsWith(last) &&
    (rest.length === 0 || inside(text.slice(first.length, text.length - last.length)));
}

interface Magnitude {
  kind: 'number' | 'seconds' | 'bytes' | 'time';
  size: number;
}

const SECONDS: Readonly<Record<string, number>> = {
  ...{ ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1, m: 60, min: 60, h: 3600, d: 86_400 },
};
const BYTES: Readonly<Record<string, number>> = {
  ...{ b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 },
  ...{
    ki: 2 ** 10,
    mi: 2 ** 20,
    gi: 2 ** 30,
    ti: 2 ** 40,
    kib: 2 ** 10,
    mib: 2 ** 20,
    gib: 2 ** 30,
    tib: 2 ** 40,
  },
};

/** A number, a duration, a size or a time; undefined for another text. */
function magnitude(text: string): Magnitude | undefined {
  const trimmed = text.trim();
  // Most values, such as statuses.
  if (/^\d{1,15}$/.test(trimmed)) return { kind: 'number', size: Number(trimmed) };
  if (/^\d{4}-\d\d-\d\d(?:[t ]|$)/i.test(trimmed)) {
    const time = Date.parse(trimmed.toUpperCase());
    return Number.isNaN(time) ? undefined : { kind: 'time', size: time };
  }
  const [, sign = '', amounts = ''] =
    /^([-+]?)((?:\d[\d.]{0,30}(?:e[-+]?\d{1,3})?\s?[a-zµ%]{0,3}){1,5})$/i.exec(trimmed) ?? [];
  const parts = [...amounts.matchAll(/(\d[\d.]*(?:e[-+]?\d+)?)\s?([a-zµ%]*)/gi)].map(
    ([, digits, unit = '']) => amountOf(Number(digits), unit.toLowerCase()),
  );
  const [one] = parts;
  // Go writes 1m30s.
  if (!one || Number.isNaN(one.size) || parts.some((part) => part?.kind !== one.kind)) return undefined;
  if (parts.length > 1 && one.kind !== 'seconds') return undefined;
  const size = parts.reduce((sum, part) => sum + (part?.size ?? 0), 0);
  return { kind: one.kind, size: sign === '-' ? -size : size };
}

function amountOf(amount: number, unit: string): Magnitude | undefined {
  if (unit === '' || unit === '%') return { kind: 'number', size: amount };
  const seconds = SECONDS[unit];
  if (seconds !== undefined) return { kind: 'seconds', size: amount * seconds };
  const bytes = BYTES[unit];
  return bytes === undefined ? undefined : { kind: 'bytes', size: amount * bytes };
}

/** A regex, of JavaScript and of RE2, that matches the lines with a text. */
export function regexOfPattern(pattern: Pattern): string {
  return pattern.map(escapeRegex).join('[^\\n]*');
}

/** Parts that a line must contain to meet a condition; upper and lower case may differ. */
export function requiredTexts(condition: LineCondition): string[] {
  if (condition.type === 'and') return condition.parts.flatMap(requiredTexts);
  if (condition.type === 'text') return [...condition.pattern];
  if (condition.type !== 'compare' || /[!<>]/.test(condition.operator)) return [];
  return condition.pattern.map((value) => longestFieldWord({ name: condition.name, value }));
}
