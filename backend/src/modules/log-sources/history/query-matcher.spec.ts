import { describe, expect, it } from '@jest/globals';
import type { Level } from '../../../drivers/log-store/index.js';
import { bytePattern } from './byte-pattern.js';
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
const STREAMS = ['stdout', 'stderr', null] as const;
/** An expression alone, whose text is still to be said. */
const EXPRESSION = {
  regex: true,
  matchCase: true,
  without: [],
  levels: null,
  streams: null,
  fields: [],
  withoutFields: [],
};
const LEVELS: (Level | null)[] = ['error', 'info', 'error', 'warn', null];

function frameOf(texts: readonly string[], withFilter = false): Frame {
  const builder = new FrameBuilder(7, 100, 0);
  texts.forEach((text, index) =>
    builder.add({
      time: index,
      stream: STREAMS[index % 3] ?? null,
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
    streams: null,
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

  it('knows streams, to neither of which a line without one belongs', () => {
    expect(matching({ streams: ['stdout'] })).toEqual([0, 3, 6, 9]);
    expect(matching({ streams: ['stderr'] })).toEqual([1, 4, 7, 10]);
    expect(matching({ streams: ['stdout', 'stderr'] })).toEqual([0, 1, 3, 4, 6, 7, 9, 10]);
    expect(matching({ text: 'status=', streams: ['stderr'] })).toEqual([1, 10]);
    expect(matching({ text: 'status=\\d', regex: true, streams: ['stdout'] })).toEqual([0, 3]);
    expect(matching({ levels: ['error'], streams: ['stdout'] })).toEqual([0]);
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

  it('finds the same in each way that it looks, whatever the lines are like', () => {
    const filler = Array.from({ length: 40 }, (_, index) => `nothing on line ${index} ${'.'.repeat(100)}`);
    const hostile = [
      ...TEXTS,
      'status=5\r12 order=o-\r12345',
      '\rstatus=512\r',
      'order=o-12345\u2028status=5',
      '\u2028status=500\u2029',
      'status=50\u0660',
      '\uFFFDstatus=5\uFFFD00 order=o-\uFFFD',
      '\u212Aey key KEY \u017Ftatus=500 STATUS=500',
      'status=5',
      '00 status=5',
      '\0status=511\0',
      `${'status=5 '.repeat(20_000)}status=599`,
      'order=o-1234order=o-1234order=o-12345',
      'timeout refused timeout',
      '',
    ];
    // Few places to try at, many of them, and first few and then many.
    const dense = Array.from(
      { length: 400 },
      (_, index) => `status=5${index % 7} order=o-${index * 331} key`,
    );
    for (const texts of [
      [...filler, ...hostile, ...filler],
      [...dense, ...hostile, ...dense],
      [...filler, ...hostile, ...dense, 'Grüße status=5', ...hostile],
    ]) {
      for (const pattern of [
        'timeout|refused',
        'status=5[0-9]{2}',
        'order=o-[0-9]{5}',
        'status=5.[0-9]',
        'status=5\\s',
        'status=5[^x]1',
        'status=5$',
        '^status=5',
        '(?<=00 )status=5',
        '(?<!\\0)status=5\\d+',
        'status=5(?!\\d)',
        'status=5\\d\\d\\W*$',
        'order=o-\\d{5}\\b',
        'key|order',
        'key',
        '(timeout|refused) (timeout|refused)',
        'status=5.*status=599',
        'timeout|refused|status=59|key |order=o-1',
        'status=5[0-9]+',
        'order=o-\\d{3,}',
        'order=o-[1-3]{2}\\d5',
        'key[ a-z]status',
        'status=[A-Z5]0',
        'STATUS=5\\w{2}',
        'order=o-\\w{4}order',
      ]) {
        for (const matchCase of [true, false]) {
          const expression = new RegExp(pattern, matchCase ? '' : 'i');
          const expected = texts.flatMap((text, index) => (expression.test(text) ? [index] : []));
          expect([pattern, matching({ text: pattern, regex: true, matchCase }, texts)]).toEqual([
            pattern,
            expected,
          ]);
          const levels = expected.filter((index) => LEVELS[index % 5] === 'error');
          expect(matching({ text: pattern, regex: true, matchCase, levels: ['error'] }, texts)).toEqual(
            levels,
          );
        }
      }
    }
  });

  it('tries bytes that are no UTF-8 as the signs that stand for them', () => {
    const frame = frameOf(['status=5xx', 'status=500', 'xstatus=5xx']);
    // A frame that was damaged, or made by something else.
    frame.text.set([0xff, 0xc3], frame.text.indexOf('xx'));
    frame.text.set([0xe2], frame.text.indexOf('xstatus'));
    const broken = new Frame({ ...frame.header, ascii: false }, frame.packedColumns, frame.text);
    const found = (text: string): number[] =>
      new QueryMatcher({ ...EXPRESSION, text }).matches(broken, { from: 0, to: 3 });
    expect(found('status=5\\uFFFD')).toEqual([0]);
    expect(found('\\uFFFDstatus=5')).toEqual([2]);
    expect(found('status=5[0-9]{2}')).toEqual([1]);
    expect(found('status=5')).toEqual([0, 1, 2]);
  });

  it('looks at no line outside of the range', () => {
    const frame = frameOf(Array.from({ length: 100 }, (_, index) => `status=5${10 + (index % 50)}`));
    for (const text of ['status=5', 'status=5[0-9]{2}', 'status=5\\d\\d$']) {
      for (const [from, to] of [
        [0, 0],
        [0, 1],
        [3, 90],
        [99, 100],
        [100, 100],
      ] as const) {
        const expected = Array.from({ length: to - from }, (_, index) => from + index);
        expect(new QueryMatcher({ ...EXPRESSION, text }).matches(frame, { from, to })).toEqual(expected);
      }
    }
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

describe('what an expression asks of bytes', () => {
  const signs = (set: Uint8Array | undefined): string =>
    [...(set ?? [])].flatMap((is, byte) => (is === 1 ? [String.fromCharCode(byte)] : [])).join('');

  it.each([
    ['status=5[0-9]{2}', true, 'status=5', ['0123456789', '0123456789']],
    ['a\\.b[xy]z', true, 'a.b', ['xy', 'z']],
    ['ab[k-m]+', true, 'ab', ['klm']],
    ['ab\\d{2,}', true, 'ab', ['0123456789', '0123456789']],
    ['ab[ks]', false, 'ab', ['KSks']],
    ['ab[x.-]', true, 'ab', ['-.x']],
  ])('%s, case %s: %s, then %j', (pattern, matchCase, literal, tail) => {
    const found = bytePattern(pattern, matchCase);
    expect([found?.literal, found?.tail.map(signs)]).toEqual([literal, tail]);
  });

  it.each([
    'ab',
    'a[b]',
    '[b]ab',
    'ab[^c]',
    'ab.',
    'ab\\s',
    'ab\\W',
    'ab\\b\\d',
    'ab\\d*',
    'ab\\d?',
    'ab\\d+?',
    'ab\\d+c',
    'ab\\d{1,2}c',
    'ab\\d{0}',
    'ab\\d{65}',
    'ab\\d|c',
    'ab(\\d)',
    '^ab\\d',
    'ab\\d$',
    'ab[ß]',
    'aß\\d',
    'ab\\ß\\d',
    'ab[\\s]',
    'ab[]',
    'ab\\x41\\d',
    'ab\\1\\d',
  ])('%s is for the expression itself', (pattern) => {
    expect(bytePattern(pattern, true)).toBeNull();
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
