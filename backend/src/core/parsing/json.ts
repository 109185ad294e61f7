declare global {
  interface JSON {
    /** Text that `JSON.stringify` keeps. In Node 22 and later, not yet in the library of TypeScript. */
    rawJSON(text: string): unknown;
  }
  interface BigInt {
    toJSON(): unknown;
  }
}

// Otherwise, `JSON.stringify` throws wherever such an integer of others gets to.
BigInt.prototype.toJSON = function (): unknown {
  return JSON.rawJSON(this.toString());
};

/** A value that was parsed from JSON of others. Read it with the readers of this folder, never by a cast. */
type Json = string | number | bigint | boolean | null | Json[] | JsonObject;
interface JsonObject {
  [key: string]: Json | undefined;
}

/** In characters: more than the longest response that is read from an API server. */
const MAX_JSON = 128 * 1024 * 1024;

/** A number that may be an integer beyond 2^53. It is searched first, since a reviver takes several times as long. */
const LONG_INTEGER = /(?:^|[:,[\s])-?\d{16,}(?=[\s,\]}]|$)/;
/** Longer ones do not fit 64 bits, and API servers read them as doubles. */
const MAX_DIGITS = 20;

/**
 * Parses JSON of others; all of it is parsed here. An integer that a double would round is a `bigint`. A key `__proto__` is
 * an own field like any other, which readers drop.
 * @throws Error for invalid JSON, without quoting it, and for a text that is too long
 */
export function parseJson(text: string, maxLength = MAX_JSON): Json {
  if (text.length > maxLength) throw new Error(`JSON of ${text.length} characters is too long`);
  try {
    return JSON.parse(text, LONG_INTEGER.test(text) ? keepInteger : undefined) as Json;
  } catch {
    // The message of the library quotes the text, which may contain a secret.
    throw new SyntaxError('the text is not valid JSON');
  }
}

/** The same, but undefined if the text cannot be parsed. */
export function jsonValue(text: string, maxLength = MAX_JSON): Json | undefined {
  try {
    return parseJson(text, maxLength);
  } catch {
    return undefined;
  }
}

/** JSON that Slipway itself has written, such as a column of its database, so that its type is known. */
export function parseOwnJson<TValue>(text: string): TValue {
  return parseJson(text) as TValue;
}

function keepInteger(_key: string, value: unknown, context?: { source?: string }): unknown {
  const { source = '' } = context ?? {};
  const isLong = Number.isInteger(value) && !Number.isSafeInteger(value) && source.length <= MAX_DIGITS;
  return isLong && /^-?\d+$/.test(source) ? exactInteger(source) : value;
}

/** The integer of a decimal text: a `bigint` if a double would round it. */
export function exactInteger(text: string): number | bigint {
  const integer = BigInt(text);
  return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
}

/** A copy for pages, whose JSON would round a `bigint`, with its digits as text. */
export function withTextForLongIntegers(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(withTextForLongIntegers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withTextForLongIntegers(each)]));
}
