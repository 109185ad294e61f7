import type { Scalar } from 'yaml';

/** A value that go-yaml reads. `undefined` is a value that its explicit tag does not allow. */
export type GoValue = null | boolean | number | string | undefined;

const WORDS = new Map<string, null | boolean | number>([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, NaN] as const),
  ...['.inf', '.Inf', '.INF'].flatMap((word) => [
    [word, Infinity] as const,
    [`+${word}`, Infinity] as const,
    [`-${word}`, -Infinity] as const,
  ]),
]);
const BOOLEANS = new Map([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
]);

const INTEGER = /^[-+]?(0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9][0-9]*)$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;

const TAG = 'tag:yaml.org,2002:';

/**
 * The value of a scalar as go-yaml v3 reads it (`resolve.go`), which kind uses. Its rules are those of YAML 1.2, and
 * octal numbers such as `0120`, binary numbers and underscores of YAML 1.1.
 * @param scalar of a document that was parsed with the schema `failsafe`, which keeps texts.
 */
export function goValue({ source = '', type, tag }: Scalar): GoValue {
  const short = tag === undefined || tag === '!' ? undefined : tag.replace(TAG, '');
  if (short === undefined) return type === 'PLAIN' || type === undefined ? valueOf(source) : source;
  const value = short === 'str' ? source : valueOf(source);
  switch (short) {
    case 'null':
      return value === null ? null : undefined;
    case 'bool':
      return typeof value === 'boolean' ? value : undefined;
    case 'float':
      return typeof value === 'number' ? value : undefined;
    case 'int':
      return typeof value === 'number' && isInteger(source) ? value : undefined;
    default:
      return source;
  }
}

/** The text of a scalar in a field for text: its source. `null` if the field has no value. */
export function goText(scalar: Scalar): string | null | undefined {
  const value = goValue(scalar);
  if (value === null || value === undefined) return value;
  const { source = '' } = scalar;
  return scalar.tag === `${TAG}binary` ? Buffer.from(source, 'base64').toString() : source;
}

/** The value in a field of the type bool, where go-yaml also takes the words of YAML 1.1. */
export function goBoolean(scalar: Scalar): GoValue {
  const value = goValue(scalar);
  return typeof value === 'string' ? (BOOLEANS.get(value) ?? value) : value;
}

/** The value in an integer field: go-yaml cuts off fractions. */
export function goInteger(scalar: Scalar): GoValue {
  const value = goValue(scalar);
  return typeof value === 'number' ? Math.trunc(value) : value;
}

function valueOf(text: string): GoValue {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.0-9]/.test(text)) return text;
  const digits = text.startsWith('.') ? text : text.replaceAll('_', '');
  if (INTEGER.test(digits)) return Number(integerOf(digits));
  return FLOAT.test(digits) && Number.isFinite(Number(digits)) ? Number(digits) : text;
}

/** The integer of a plain text with all its digits; `undefined` if go-yaml reads none. */
export function exactGoInteger(text: string): bigint | undefined {
  const digits = text.replaceAll('_', '');
  return INTEGER.test(digits) ? integerOf(digits) : undefined;
}

function isInteger(text: string): boolean {
  return INTEGER.test(text.replaceAll('_', ''));
}

function integerOf(digits: string): bigint {
  const size = BigInt(digits.replace(/^[-+]/, '').replace(/^0(?=[0-7])/, '0o'));
  return digits.startsWith('-') ? -size : size;
}
