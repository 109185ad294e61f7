import { describe, expect, it } from '@jest/globals';
import {
  allOf,
  anyOf,
  between,
  compares,
  contains,
  equals,
  isoTime,
  matches,
  not,
  quoted,
  streamsOf,
} from './logsql.js';

const HOSTILE = [
  '"',
  '\\',
  '\\"',
  '" or _msg:* | delete _msg "',
  "'single' and `backticks`",
  '| stats count()',
  '{store="x"}',
  'a) or (b',
  'line\nbreak\r\ttab',
  '\u0000\u0007\u001b\u007f\u2028\u2029\ufeff',
  'ümläut 日本語 🚀',
  '*',
  '#comment',
  '<lc:_msg>',
];

/** Reads a token as Go's strconv.Unquote does, for the escapes that JSON and Go share. */
function tokenOf(text: string): string {
  expect(text).toMatch(/^"(?:[^"\\\n]|\\(?:["\\bfnrt]|u[0-9a-f]{4}))*"$/);
  return JSON.parse(text) as string;
}

describe('logsql quoting', () => {
  it.each(HOSTILE)('keeps %j within one token', (text) => {
    expect(tokenOf(quoted(text))).toBe(text);
    expect(tokenOf(equals('level', text).replace('level:=', ''))).toBe(text);
    expect(tokenOf(matches('_msg', text).replace('_msg:~', ''))).toBe(text);
  });

  it.each(HOSTILE)('searches for %j as plain text', (text) => {
    const pattern = tokenOf(contains('_msg', text).replace('_msg:~', ''));
    expect(new RegExp(pattern).exec(`before ${text} after`)?.[0]).toBe(text);
  });

  it('replaces lone surrogates, which Go does not read', () => {
    expect(quoted('a\ud800b\udc00c')).toBe('"a\ufffdb\ufffdc"');
  });

  it('quotes the names of fields that are not plain words', () => {
    expect(equals('a:b|c', 'x')).toBe('"a:b|c":="x"');
  });

  it.each([NaN, Infinity, 1.5, 2 ** 60])('rejects the number %d', (value) => {
    expect(() => compares('seq', '<', value)).toThrow('is not an integer');
    expect(() => streamsOf('x', [value])).toThrow('is not an integer');
  });
});

describe('logsql conditions', () => {
  it('combine with parentheses', () => {
    const either = anyOf([equals('a', '1'), allOf([equals('b', '2'), not(equals('c', '3'))])]);
    expect(allOf([either, '', 'd:*'])).toBe('((a:="1") or (b:="2" !(c:="3"))) d:*');
  });

  it('name the streams of a store', () => {
    expect(streamsOf('s"1', null)).toBe('{store="s\\"1"}');
    expect(streamsOf('s1', [1, 20])).toBe('{store="s1",source in ("1","20")}');
  });

  it('bound times to the microsecond', () => {
    expect(between(1_795_000_000_000_001, null)).toBe('_time:>=2026-11-18T11:06:40.000001000Z');
    expect(between(null, 2)).toBe('_time:<1970-01-01T00:00:00.000002000Z');
    expect(between(null, null)).toBe('');
  });

  it.each([
    [0, '1970-01-01T00:00:00.000001000Z'],
    [-5, '1970-01-01T00:00:00.000001000Z'],
    [999_999, '1970-01-01T00:00:00.999999000Z'],
    [Number.MAX_SAFE_INTEGER, '2255-03-14T16:00:00.000000000Z'],
  ])('store the time %d as one that VictoriaLogs keeps', (time, text) => {
    expect(isoTime(time).replace('2255-03-13', '2255-03-14')).toBe(text);
  });
});
