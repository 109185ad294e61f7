import { describe, expect, it } from '@jest/globals';
import { fieldsOf } from './line-fields.js';

describe('fieldsOf', () => {
  it('returns the fields of JSON, nested ones with dotted names', () => {
    const text = '{"msg":"gone","http":{"status":504,"path":"/pay"},"tags":["a",1],"ok":false,"err":null}';
    expect(fieldsOf(text)).toEqual({
      format: 'json',
      fields: {
        msg: 'gone',
        'http.status': '504',
        'http.path': '/pay',
        tags: '["a",1]',
        ok: 'false',
        err: 'null',
      },
    });
  });

  it('returns logfmt pairs anywhere in the line', () => {
    const text =
      'E1121 09:44:02 1 x.go:1] "Sync failed" pod="shop/web-0" err="a \\"b\\"" status=504 order=o-12345';
    expect(fieldsOf(text)).toEqual({
      format: 'logfmt',
      fields: { pod: 'shop/web-0', err: 'a "b"', status: '504', order: 'o-12345' },
    });
  });

  it.each([
    ['level=info\u001b[0m took=3ms', { level: 'info', took: '3ms' }],
    ['\u001blevel=info', { level: 'info' }],
    ['city=New\u00a0York', { city: 'New\u00a0York' }],
    ['msg="a"level=info', { msg: 'a', level: 'info' }],
    ['msg="C:\\', { msg: 'C:\\' }],
  ])('separates words at spaces and control characters in %j', (text, fields) => {
    expect(fieldsOf(text).fields).toEqual(fields);
  });

  it('keeps the first of two fields with the same name', () => {
    expect(fieldsOf('a=1 a=2').fields).toEqual({ a: '1' });
  });

  it.each(['plain text', '{"half":', '1+1=2 x==y', 'http://x/?a=b', '=', 'a= b', ''])(
    'returns no fields for %j',
    (text) => {
      expect(fieldsOf(text)).toEqual({ format: null, fields: {} });
    },
  );

  it('returns at most 500 fields, nested at most eight levels deep', () => {
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`k${n}`, n])));
    expect(Object.keys(fieldsOf(many).fields)).toHaveLength(500);
    const deep = `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`;
    expect(Object.keys(fieldsOf(deep).fields)).toEqual([Array(9).fill('a').join('.')]);
  });

  it('returns fields named as properties of every object', () => {
    const { fields } = fieldsOf('{"__proto__":"x","constructor":"y"}');
    expect(Object.entries(fields)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
  });
});
