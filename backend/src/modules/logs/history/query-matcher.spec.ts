import { describe, expect, it } from '@jest/globals';
import type { Level } from '../lines/line.js';
import { Frame, readHeader } from './frame.js';
import { FrameBuilder } from './frame-builder.js';
import { QueryMatcher, type LineQuery } from './query-matcher.js';
import { isLineBound, requiredLiterals } from './required-literals.js';
import { mayHold, trigramFilterOf } from './trigram-filter.js';

const TEXTS = [
  'GET /v1/orders status=503 upstream timeout',
  'get /v1/orders STATUS=200 ok',
  '{"status":504,"msg":"Connection refused","nested":{"id":"a-1"}}',
  'level=warn status=504 msg="took long" order=o-12345',
  'Grüße aus Köln, GRÜSSE',
  '',
  'order=o-1234 too short',
  'timeou',
  'ttimeout and refused',
  '😀 order=o-99999 😀',
  'x\u0007\\0 \u001b[31mred\u001b[0m status=599',
];
const LEVELS: (Level | null)[] = ['error', 'info', 'error', 'warn', null];

function frameOf(texts: readonly string[], withFilter = false): Frame {
  const builder = new FrameBuilder(7, 100, 0);
  texts.forEach((text, index) =>
    builder.add({
      time: index,
      stream: null,
      level: LEVELS[index % 5] ?? null,
      text,
      cut: 0,
      continues: false,
    }),
  );
  const bytes = builder.frame(withFilter);
  const header = readHeader(bytes, 0);
  if (!header) throw new Error('no header');
  return Frame.at(bytes, 0, header);
}

function matching(query: Partial<LineQuery>, texts = TEXTS): number[] {
  const frame = frameOf(texts);
  const all = {
    text: null,
    regex: false,
    matchCase: false,
    without: [],
    levels: null,
    fields: [],
    withoutFields: [],
    ...query,
  };
  return new QueryMatcher(all).matches(frame, { from: 0, to: texts.length });
}

describe('which lines match', () => {
  it('compares plain text without case, or with it', () => {
    expect(matching({ text: 'status=' })).toEqual([0, 1, 3, 10]);
    expect(matching({ text: 'STATUS=', matchCase: true })).toEqual([1]);
    expect(matching({ text: 'grüsse' })).toEqual([4]);
    expect(matching({ text: 'Köln', matchCase: true })).toEqual([4]);
    expect(matching({ text: 'köLN' })).toEqual([4]);
    expect(matching({ text: '😀 ORDER' })).toEqual([9]);
    expect(matching({ text: 'ok\n{' })).toEqual([]);
    expect(matching({ text: '.*' })).toEqual([]);
  });

  it('knows levels, fields and what must not be there', () => {
    expect(matching({ levels: ['error'] })).toEqual([0, 2, 5, 7, 10]);
    expect(matching({ levels: ['none', 'warn'] })).toEqual([3, 4, 8, 9]);
    expect(matching({ fields: [{ name: 'status', value: '504' }] })).toEqual([2, 3]);
    expect(matching({ fields: [{ name: 'nested.id', value: 'a-1' }] })).toEqual([2]);
    expect(matching({ fields: [{ name: 'msg', value: 'took long' }], levels: ['warn'] })).toEqual([3]);
    expect(matching({ text: 'status', without: ['TIMEOUT', 'msg'] })).toEqual([1, 10]);
    expect(matching({ text: 'status', without: ['TIMEOUT'], matchCase: true })).toEqual([0, 2, 3, 10]);
  });

  it('leaves out the value of a field, and finds what has another one or no such field', () => {
    const status = { name: 'status', value: '504' };
    expect(matching({ withoutFields: [status] })).toEqual([0, 1, 4, 5, 6, 7, 8, 9, 10]);
    expect(matching({ text: 'status', withoutFields: [status, { name: 'status', value: '599' }] })).toEqual([
      0, 1,
    ]);
    const id = { name: 'nested.id', value: 'a-1' };
    expect(matching({ fields: [status], withoutFields: [id] })).toEqual([3]);
    expect(matching({ fields: [status], withoutFields: [status] })).toEqual([]);
    // The text alone is no field: what is quoted or part of more stays.
    const odd = ['msg="status=504"', 'status=5040', 'status=504', '{"a":{"status":504}}', 'status=""'];
    expect(matching({ withoutFields: [status] }, odd)).toEqual([0, 1, 3, 4]);
    expect(matching({ withoutFields: [{ name: 'status', value: '' }] }, odd)).toEqual([0, 1, 2, 3]);
    expect(matching({ withoutFields: [{ name: '__proto__', value: 'x' }] }, odd)).toHaveLength(5);
  });

  it.each([
    'timeout|refused',
    'status=5[0-9]{2}',
    'order=o-[0-9]{5}',
    '^get',
    'ok$',
    '.*refused.*',
    'status[^ ]*\\s',
    '\\s',
    '[^a]',
    '(?:status|order)=\\S+',
    'gr(ü|u)(ss|ß)e',
    'a?b*',
    'st(atus){1,2}=',
    '\\bo-\\d+\\b',
    '(?<=status=)5\\d\\d',
    'x?imeout',
    '(time)(?!out)',
    '\\u006frder',
    '\\p{Lu}\\p{Ll}',
    'status=.{3,} ',
    'ti.eout|re.used',
    '😀?o',
    '=[^]*',
  ])('finds by %s what it finds line by line', (pattern) => {
    for (const matchCase of [true, false]) {
      const flags = (matchCase ? '' : 'i') + (pattern.includes('\\p') ? 'u' : '');
      const expected = TEXTS.flatMap((text, index) => (new RegExp(pattern, flags).test(text) ? [index] : []));
      expect(matching({ text: pattern, regex: true, matchCase })).toEqual(expected);
    }
  });

  it('finds in lines of many pieces, some longer than one', () => {
    const texts = Array.from({ length: 3000 }, (_, index) =>
      index % 97 === 0
        ? `${'y'.repeat(60_000)} needle`
        : `line ${index} ${index % 10 === 0 ? 'Needle' : 'hay'}`,
    );
    const expected = texts.flatMap((text, index) => (/needle/i.test(text) ? [index] : []));
    expect(matching({ text: 'needle' }, texts)).toEqual(expected);
    expect(matching({ text: 'needle|nothing', regex: true }, texts)).toEqual(expected);
  });

  it('tells what is no expression', () => {
    expect(() => matching({ text: 'a(b', regex: true })).toThrow(
      /^This is not a regular expression: .*Unterminated group.*as plain text\.$/,
    );
  });
});

describe('texts that every match holds', () => {
  it.each([
    ['timeout|refused', ['timeout', 'refused']],
    ['status=5[0-9]{2}', ['status=5']],
    ['order=o-[0-9]{5}', ['order=o-']],
    ['.*refused.*', ['refused']],
    ['colou?r', ['colo']],
    ['ab+cd', ['ab']],
    ['(GET|POST) /v1', [' /v1']],
    ['(?:timeout|refused) [0-9]+', ['timeout', 'refused']],
    ['a\\.b\\[c', ['a.b[c']],
    ['(x|y)*', null],
    ['(?!timeout)\\w+', null],
    ['[0-9]{3}ms|.', null],
    ['(timeout)?', null],
    ['😀?', null],
    ['a|b', null],
  ])('%s needs %j', (pattern, literals) => {
    expect(requiredLiterals(pattern)).toEqual(literals);
  });

  it('tries an expression on many lines only where it stays within one', () => {
    for (const pattern of [
      'timeout|refused',
      'status=5[0-9]{2}',
      'order=o-[0-9]{5}',
      'ab.*cd',
      'ab(?:cd|ef)+',
    ]) {
      expect([pattern, isLineBound(pattern)]).toEqual([pattern, true]);
    }
    for (const pattern of [
      'ab\\s',
      'ab[^c]',
      'ab$',
      '^ab',
      'ab\\n',
      '.*ab',
      'a?b',
      'ab[\\s\\S]',
      'ab(?!c)',
      'ab|c?',
    ]) {
      expect([pattern, isLineBound(pattern)]).toEqual([pattern, false]);
    }
  });
});

describe('the filter of trigrams', () => {
  it('never denies what is there, and denies most of what is not', () => {
    const text = Buffer.from(
      Array.from({ length: 2000 }, (_, index) => `Line ${index * 7919} of it`).join('\n'),
    );
    const filter = trigramFilterOf(text);
    for (let index = 0; index < 2000; index += 1) {
      expect(mayHold(filter, Buffer.from(`LINE ${index * 7919} OF`))).toBe(true);
    }
    let wrong = 0;
    for (let index = 0; index < 1000; index += 1) {
      if (mayHold(filter, Buffer.from(`other ${index} needle`))) wrong += 1;
    }
    expect(wrong).toBeLessThan(10);
  });
});
