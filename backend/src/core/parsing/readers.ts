import { ExternalError } from '../errors/external-error.js';
import { isRecord } from '../values/index.js';

/** Reads a value of others. @returns undefined if it does not have the type, or exceeds the limit */
export type Reader<TValue> = (value: unknown) => TValue | undefined;

/** The result type of a reader. */
export type Read<TReader> = TReader extends Reader<infer TValue> ? TValue : never;

type Fields = Record<string, Reader<unknown>>;
type Values<TFields> = { -readonly [TField in keyof TFields]: Read<TFields[TField]> };

const MAX_TEXT = 32_768;
const MAX_ITEMS = 200_000;

let dropped = 0;

/** Number of values since the start that were dropped because of their type or length. */
export function droppedValues(): number {
  return dropped;
}

/** A reader of one JSON type. `null` is what many servers send for a field without a value, so it does not count. */
function ofType<TValue>(is: (value: unknown) => value is TValue): Reader<TValue> {
  return (value) => {
    if (value === undefined || value === null) return undefined;
    if (is(value)) return value;
    dropped += 1;
    return undefined;
  };
}

/** @param maxLength in characters: longer texts are dropped. Use `prose` for what people read. */
export function text(maxLength = MAX_TEXT): Reader<string> {
  return ofType((value): value is string => typeof value === 'string' && value.length <= maxLength);
}

/** A text for people. A longer one is cut. */
export function prose(maxLength = MAX_TEXT): Reader<string> {
  const read = text(Infinity);
  return (value) => read(value)?.slice(0, maxLength);
}

/** A finite number, unlike `1e400`. */
export const number: Reader<number> = within(-Number.MAX_VALUE, Number.MAX_VALUE);

/** A number in a range, such as seconds that are a date. */
export function within(min: number, max: number): Reader<number> {
  const read = ofType((value): value is number => typeof value === 'number' && value >= min && value <= max);
  return (value) => read(typeof value === 'bigint' ? Number(value) : value);
}

export const flag: Reader<boolean> = ofType((value): value is boolean => typeof value === 'boolean');

/** Any value that is present, which has to be read with another reader. */
export const anything: Reader<unknown> = (value) => value ?? undefined;

/** A list. Items that cannot be read are dropped, and so are those after `maxItems`. */
export function list<TItem>(item: Reader<TItem>, maxItems = MAX_ITEMS): Reader<TItem[]> {
  const isList = ofType((value): value is unknown[] => Array.isArray(value));
  return (value) => {
    const items = isList(value);
    if (items === undefined) return undefined;
    const found: TItem[] = [];
    for (const one of items.length > maxItems ? items.slice(0, maxItems) : items) {
      const read = item(one);
      if (read !== undefined) found.push(read);
    }
    dropped += Math.max(0, items.length - maxItems);
    return found;
  };
}

/** An object with any keys, such as labels, without `__proto__`. */
export function mapOf<TItem>(item: Reader<TItem>, maxKey = MAX_TEXT): Reader<Record<string, TItem>> {
  const isMap = ofType(isRecord);
  return (value) => {
    const map = isMap(value);
    if (map === undefined) return undefined;
    const found: [string, TItem][] = [];
    for (const [key, one] of Object.entries(map)) {
      const read = key === '__proto__' || key.length > maxKey ? undefined : item(one);
      if (read !== undefined) found.push([key, read]);
    }
    return Object.fromEntries(found);
  };
}

/**
 * An object with known fields. Fields that cannot be read are absent; an object without one of `required` is dropped.
 * Other fields are not read.
 */
export function record<TOptional extends Fields>(optional: TOptional): Reader<Partial<Values<TOptional>>>;
export function record<TOptional extends Fields, TRequired extends Fields>(
  optional: TOptional,
  required: TRequired,
): Reader<Partial<Values<TOptional>> & Values<TRequired>>;
export function record(optional: Fields, required: Fields = {}): Reader<Record<string, unknown>> {
  const isObject = ofType(isRecord);
  const fields = Object.entries({ ...optional, ...required });
  const mandatory = Object.keys(required);
  return (value) => {
    const object = isObject(value);
    if (object === undefined) return undefined;
    const found: Record<string, unknown> = {};
    for (const [name, read] of fields) {
      if (!Object.hasOwn(object, name)) continue;
      const content = read(object[name]);
      if (content !== undefined) found[name] = content;
    }
    if (mandatory.every((name) => Object.hasOwn(found, name))) return found;
    dropped += 1;
    return undefined;
  };
}

/** The first reader that can read the value. Only a value that none can read counts as dropped. */
export function either<TOne, TOther>(one: Reader<TOne>, other: Reader<TOther>): Reader<TOne | TOther> {
  return (value) => {
    const before = dropped;
    const found = one(value);
    if (found !== undefined) return found;
    dropped = before;
    return other(value);
  };
}

/** Reads a value that has to be there. @throws Error that names `what` */
export function required<TValue>(reader: Reader<TValue>, value: unknown, what: string): TValue {
  const found = reader(value);
  if (found === undefined) {
    throw new ExternalError('unexpected_response', `${what} has an unexpected form`);
  }
  return found;
}

/** A name, type or reason. Kubernetes allows 253 characters in most names, and 316 in a label's key. */
export const word = text(1024);
/** A time in RFC 3339, as a text. */
export const time = text(64);
export const texts: Reader<string[]> = list(text());
export const labels: Reader<Record<string, string>> = mapOf(text());
