import { describe, expect, it } from '@jest/globals';
import { cpuTimeOf } from '../../../../test/support/cpu-time.js';
import { fieldsOf, hasField } from './line-fields.js';

function read(text: string): { format: string | null; fields: [string, string][] } {
  const { format, pairs } = fieldsOf(text);
  return { format, fields: pairs.map(({ name, value }) => [name, value]) };
}

describe('fieldsOf', () => {
  it('returns the fields of JSON, nested ones with dotted names', () => {
    const text = '{"msg":"gone","http":{"status":504,"path":"/pay"},"tags":["a",1],"ok":false,"err":null}';
    expect(read(text)).toEqual({
      format: 'json',
      fields: Object.entries({
        msg: 'gone',
        'http.status': '504',
        'http.path': '/pay',
        tags: '["a",1]',
        ok: 'false',
        err: 'null',
      }),
    });
  });

  it('reads numbers that only Python writes in JSON', () => {
    expect(read('{"a":NaN,"b":[1],"c":-Infinity}').fields).toEqual([
      ['a', 'NaN'],
      ['b', '[1]'],
      ['c', '-Infinity'],
    ]);
    expect(read('{"a":Nan}').format).toBeNull();
  });

  it('keeps the digits of numbers, and finds them by these only', () => {
    const digits = [
      '9007199254740993',
      '1.0',
      '1e3',
      '-0',
      '0.1000000000000000055511151231257827',
      '[1.0,9007199254740993]',
    ];
    for (const value of digits) {
      const { pairs } = fieldsOf(`{"order_id":${value},"level":"info"}`);
      expect(pairs[0]).toEqual({ name: 'order_id', value });
      expect(hasField(pairs, { name: 'order_id', value: '9007199254740992' })).toBe(false);
    }
  });

  it('returns logfmt pairs anywhere in the line', () => {
    const text =
      'E1121 09:44:02 1 x.go:1] "Sync failed" pod="shop/web-0" err="a \\"b\\"" status=504 order=o-12345';
    expect(read(text)).toEqual({
      format: 'logfmt',
      fields: Object.entries({ pod: 'shop/web-0', err: 'a "b"', status: '504', order: 'o-12345' }),
    });
  });

  it.each([
    ['2026-11-27T10:00:00Z {"level":"error","order":7}', { level: 'error', order: '7' }],
    ['web-1 | {"order":8}', { order: '8' }],
    ['[2026-11-27 10:00:00] app.ERROR: failed {"order":7} []', { order: '7' }],
    ['INFO - {x.py:1} failed {"order":7} {"url":"/pay"}', { order: '7', url: '/pay' }],
    ['INFO payload={"order":9,"level":"error"}', { payload: '{"order":9,"level":"error"}' }],
    ['body="x" {"order":9}', { body: 'x', order: '9' }],
    ['failed {"order":7} again', {}],
    ['{"order":7} again', {}],
  ])('returns the fields of an object behind a prefix in %j', (text, fields) => {
    expect(Object.fromEntries(read(text).fields)).toEqual(fields);
  });

  it.each([
    ['{"level":"info","level":"error"}', [['level', 'error']]],
    [
      '{"log":{"level":"info"},"log":{"x":1}}',
      [
        ['log.level', 'info'],
        ['log.x', '1'],
      ],
    ],
    [
      '{"a.b":"10","a":{"b":"11"}}',
      [
        ['a.b', '10'],
        ['a.b', '11'],
      ],
    ],
    [
      '{"urn:x:id":"7","two words":"8","":"9"}',
      [
        ['urn:x:id', '7'],
        ['two words', '8'],
        ['', '9'],
      ],
    ],
    [
      '{"half":"\\ud83d","\\ud83d":1}',
      [
        ['half', '\ufffd'],
        ['\ufffd', '1'],
      ],
    ],
    ['{"a\\u0062":"x\\ny"}', [['ab', 'x\ny']]],
  ])('returns fields with duplicate, dotted and odd names in %s', (text, fields) => {
    expect(read(text).fields).toEqual(fields);
  });

  it.each([
    [
      `event='user logged in' user=ada quote="say \\"hi\\"" empty= flag`,
      ['user logged in', 'ada', 'say "hi"', ''],
    ],
    [`a='it\\'s' b='x`, ["it's", "'x"]],
    ['a=1 end=', ['1', '']],
    ['urn:x:id=7 ü=8', ['7', '8']],
  ])('returns quoted and empty values of logfmt in %s', (text, values) => {
    expect(read(text).fields.map(([, value]) => value)).toEqual(values);
  });

  it.each([
    ['level=info\u001b[0m took=3ms', { level: 'info', took: '3ms' }],
    ['\u001blevel=info', { level: 'info' }],
    ['\u001b[36muser\u001b[0m=ada \u001b[36mt=\u001b[0m3ms', { user: 'ada', t: '3ms' }],
    ['city=New\u00a0York', { city: 'New\u00a0York' }],
    ['msg="a"level=info', { msg: 'a', level: 'info' }],
    ['msg="C:\\', { msg: 'C:\\' }],
  ])('separates words at spaces and control characters in %j', (text, fields) => {
    expect(Object.fromEntries(read(text).fields)).toEqual(fields);
  });

  it('keeps the first of two fields with the same name', () => {
    expect(read('a=1 a=2').fields).toEqual([['a', '1']]);
  });

  it.each(['plain text', '{"half":', '1+1=2 x==y', 'http://x/?a=b', '=', 'a= b', ''])(
    'returns no fields for %j',
    (text) => {
      expect(read(text)).toEqual({ format: null, fields: [] });
    },
  );

  it('returns at most 500 fields, nested at most eight levels deep', () => {
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`k${n}`, n])));
    expect(read(many).fields).toHaveLength(500);
    const deep = `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`;
    expect(read(deep).fields.map(([name]) => name)).toEqual([Array(9).fill('a').join('.')]);
  });

  it('takes linear time on hostile lines', () => {
    const nasty = [
      '{"a":'.repeat(13_000),
      '{'.repeat(65_000),
      `{"a":"${'\\'.repeat(65_000)}`,
      '{"a":[{"a":['.repeat(5000),
      "a='".repeat(21_000),
      'a="'.repeat(21_000),
      `{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":[${'1,'.repeat(30_000)}1]}}}}}}}}`,
    ];
    const milliseconds = cpuTimeOf(() => {
      for (const text of nasty) for (let time = 0; time < 20; time += 1) fieldsOf(text);
    });
    expect(milliseconds).toBeLessThan(3000);
  });
});

describe('hasField', () => {
  it.each([
    ['urn:x:id', '7'],
    ['urn', 'x:id:7'],
    ['', 'urn:x:id:7'],
  ])('finds the field urn:x:id for %j and %j, whichever colon ends the name', (name, value) => {
    const { pairs } = fieldsOf('{"urn:x:id":"7"}');
    expect(hasField(pairs, { name, value })).toBe(name !== '');
  });

  it('finds both fields of one name, and no other values', () => {
    const { pairs } = fieldsOf('{"a.b":"10","a":{"b":"11"},"__proto__":"x"}');
    const found = ['10', '11', '1', '101'].map((value) => hasField(pairs, { name: 'a.b', value }));
    expect(found).toEqual([true, true, false, false]);
    expect(hasField(pairs, { name: '__proto__', value: 'x' })).toBe(true);
    expect(hasField(pairs, { name: 'constructor', value: 'x' })).toBe(false);
  });
});
