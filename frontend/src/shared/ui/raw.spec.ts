import { describe, expect, it } from '@jest/globals';
import { Raw } from './raw';

describe('swRaw', () => {
  it.each([
    ['txt.\u202egpj.exe', 'txt.\\u202egpj.exe'],
    ['web\u200b-1', 'web\\u200b-1'],
    ['passwd\n', 'passwd\\x0a'],
    ['a\tb', 'a\\x09b'],
    ['web\u00a0\u034f\u115f', 'web\\xa0\\u034f\\u115f'],
    ['web\u17b4\u180b\u2800\u3164\ufe0f', 'web\\u17b4\\u180b\\u2800\\u3164\\ufe0f'],
    ['grüße 🚢❤️.txt', 'grüße 🚢❤️.txt'],
    [undefined, ''],
  ])('shows %j as %j', (name, shown) => {
    expect(new Raw().transform(name)).toBe(shown);
  });
});
