import { describe, expect, it } from '@jest/globals';
import { Raw } from './raw';

describe('swRaw', () => {
  it.each([
    ['txt.\u202egpj.exe', 'txt.\\u202egpj.exe'],
    ['web\u200b-1', 'web\\u200b-1'],
    ['passwd\n', 'passwd\\x0a'],
    ['grüße 🚢.txt', 'grüße 🚢.txt'],
    [undefined, ''],
  ])('shows %j as %j', (name, shown) => {
    expect(new Raw().transform(name)).toBe(shown);
  });
});
