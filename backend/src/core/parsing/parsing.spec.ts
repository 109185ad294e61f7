import { describe, expect, it } from '@jest/globals';
import { jsonValue, parseJson, withTextForLongIntegers } from './json.js';
import {
  droppedValues,
  either,
  flag,
  labels,
  list,
  mapOf,
  number,
  prose,
  record,
  required,
  text,
  texts,
  within,
} from './readers.js';

const HOSTILE = { toString: 1, valueOf: 1 };

describe('readers', () => {
  it('return values of their type, and nothing else', () => {
    const values = ['text', 1, true, null, undefined, [], {}, HOSTILE, Infinity, NaN];
    expect(values.map(text())).toEqual(['text', ...Array<undefined>(9)]);
    expect(values.map(number)).toEqual([undefined, 1, ...Array<undefined>(8)]);
    expect(values.map(flag)).toEqual([undefined, undefined, true, ...Array<undefined>(7)]);
    expect([-1, 0, 5, 9, '5'].map(within(0, 5))).toEqual([undefined, 0, 5, undefined, undefined]);
  });

  it('limit texts: names are dropped, and what people read is cut', () => {
    expect(text(3)('long')).toBeUndefined();
    expect(prose(3)('long')).toBe('lon');
  });

  it('drop the items of lists and maps that they cannot read', () => {
    expect(texts(['a', 1, HOSTILE, 'b'])).toEqual(['a', 'b']);
    expect(list(number, 2)([1, 2, 3])).toEqual([1, 2]);
    expect(labels(parseJson('{"a":"1","b":2,"__proto__":"3"}'))).toEqual({ a: '1' });
    expect(mapOf(number)([1])).toBeUndefined();
  });

  it('read the known fields of an object, and drop one without a required field', () => {
    const pod = record({ uid: text(), labels }, { name: text() });
    expect(pod({ name: 'web', uid: HOSTILE, labels: { app: 'web' }, other: 1 })).toEqual({
      name: 'web',
      labels: { app: 'web' },
    });
    expect(pod({ uid: 'u-1' })).toBeUndefined();
    expect(pod(parseJson('{"__proto__":{"name":"web"}}'))).toBeUndefined();
  });

  it('count what they drop, but not what is missing', () => {
    const before = droppedValues();
    record({ uid: text(), port: either(number, text()) })({ uid: null, port: '80' });
    expect(droppedValues()).toBe(before);
    record({ uid: text(), port: either(number, text()) })({ uid: HOSTILE, port: [] });
    expect(droppedValues()).toBe(before + 2);
  });

  it('say what could not be read', () => {
    expect(() => required(texts, 'a', 'the list')).toThrow('the list has an unexpected form');
  });
});

describe('JSON of others', () => {
  it('is an own field where it is named __proto__', () => {
    const value = parseJson('{"__proto__":{"polluted":1}}');
    expect(Object.keys(Object(value) as object)).toEqual(['__proto__']);
    expect('polluted' in Object(value)).toBe(false);
  });

  it('is limited, and an error does not quote it', () => {
    expect(() => parseJson('[1, 2]', 5)).toThrow('too long');
    expect(() => parseJson('{"password": hunter2}')).toThrow(/^the text is not valid JSON$/);
    expect(jsonValue('{')).toBeUndefined();
  });
});

describe('integers that a double would round', () => {
  const LONG = ['9007199254740993', '-9007199254740993', '9223372036854775807', '18446744073709551615'];

  it.each(LONG)('%s keeps its digits', (digits) => {
    for (const json of [digits, `{"a":${digits}}`, `{"a": ${digits} }`, `[1,${digits}]`, `[\n${digits}\n]`]) {
      const value = parseJson(json);
      expect(JSON.stringify(value)).toBe(json.replaceAll(/\s/g, ''));
      expect(JSON.stringify(withTextForLongIntegers(value))).toContain(`"${digits}"`);
    }
    expect(number(parseJson(digits))).toBe(Number(digits));
  });

  it.each(['1', '9007199254740991', '1e300', '1.5', '0.1234567890123456', '1e21', '"9007199254740993"'])(
    '%s is a plain value',
    (json) => expect(parseJson(`[9007199254740993,${json}]`)).toEqual([9007199254740993n, JSON.parse(json)]),
  );

  it('are limited to 64 bits', () => {
    expect(parseJson('123456789012345678901234567890')).toBe(1.2345678901234568e29);
  });

  it('are found beside a key that pollutes', () => {
    const value = parseJson('{"__proto__":{"a":9007199254740993}}');
    expect(Object.keys(value as object)).toEqual(['__proto__']);
  });
});
