const TAB = 9;
const LINE_FEED = 10;
const RETURN = 13;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Reads the members of a JSON object in a line, one by one, without creating values: level and fields are read by it, so
 * that they agree. It takes linear time, and reads an object whose end is missing as far as it goes.
 */
export class ObjectReader {
  /** The name of the current member is from here to there, without its quotes, and as it is escaped. */
  nameFrom = 0;
  nameTo = 0;
  /** Its value, with its quotes. */
  from = 0;
  to = 0;
  /** Position behind the object, once `next` has found its end; else -1. */
  end = -1;
  private at: number;
  private isFirst = true;

  /**
   * @param start where the object begins
   * @param limit where reading ends, even within the object
   */
  constructor(
    private readonly text: string,
    start: number,
    private readonly limit = text.length,
  ) {
    this.at = start + 1;
  }

  /** Moves to the next member. False behind the last one, and where the text is no JSON. */
  next(): boolean {
    const { text } = this;
    let at = afterSpaces(text, this.at);
    const code = text.charCodeAt(at);
    if (code === CLOSE_BRACE) {
      this.end = at + 1;
      return false;
    }
    if (this.isFirst) this.isFirst = false;
    else if (code === COMMA) at = afterSpaces(text, at + 1);
    else return false;
    if (text.charCodeAt(at) !== QUOTE) return false;
    this.nameFrom = at + 1;
    const behind = afterString(text, at, this.limit);
    this.nameTo = behind - 1;
    at = afterSpaces(text, behind);
    if (behind > this.limit || text.charCodeAt(at) !== COLON) return false;
    this.from = afterSpaces(text, at + 1);
    this.to = afterValue(text, this.from, this.limit);
    this.at = this.to;
    return this.to > this.from && this.from < this.limit;
  }

  get isObject(): boolean {
    return this.text.charCodeAt(this.from) === OPEN_BRACE;
  }

  get isString(): boolean {
    return this.text.charCodeAt(this.from) === QUOTE;
  }
}

/**
 * Where the object of a line begins: at its start, or behind a prefix such as a time or `web-1 | `. -1 if the line has
 * none, or within quotes or a pair.
 */
export function objectStart(text: string): number {
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
    const before = at === 0 ? SPACE : text.charCodeAt(at - 1);
    const inside = text.charCodeAt(afterSpaces(text, at + 1));
    const begins = (before === SPACE || before === TAB) && (inside === QUOTE || inside === CLOSE_BRACE);
    if (begins && inside === QUOTE) return at > 0 && isInside(text.slice(0, at)) ? -1 : at;
    // `{main.go:12}` and `{}` may be part of a prefix.
    if (at > MAX_PREFIX) return -1;
  }
  return -1;
}

const MAX_PREFIX = 400;

function isInside(prefix: string): boolean {
  return prefix.trimEnd().endsWith('=') || prefix.split('"').length % 2 === 0;
}

export function afterSpaces(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== SPACE && code !== TAB && code !== LINE_FEED && code !== RETURN) return at;
    at += 1;
  }
}

/** Position behind a string; behind `limit` if its end is missing. @param from its first quote */
function afterString(text: string, from: number, limit: number): number {
  let at = text.indexOf('"', from + 1);
  while (at >= 0 && at < limit && text.charCodeAt(at - 1) === BACKSLASH) {
    let slashes = 1;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) break;
    at = text.indexOf('"', at + 1);
  }
  return at < 0 || at >= limit ? limit + 1 : at + 1;
}

/** Position behind a value; behind `limit` if its end is missing. */
function afterValue(text: string, from: number, limit: number): number {
  const first = text.charCodeAt(from);
  if (first === QUOTE) return afterString(text, from, limit);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return afterNested(text, from, limit);
  let at = from;
  while (at < limit) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code <= SPACE) return at;
    at += 1;
  }
  return limit + 1;
}

function afterNested(text: string, from: number, limit: number): number {
  let depth = 0;
  let at = from;
  while (at < limit) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = afterString(text, at, limit);
      continue;
    }
    at += 1;
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && --depth === 0) return at;
  }
  return limit + 1;
}
