import { describe, expect, it } from '@jest/globals';
import { plainText } from './plain-text.js';

describe('the text of a line in a file', () => {
  it.each([
    ['colours', '\x1b[1;31mred\x1b[0m.', 'red.'],
    ['a title', '\x1b]0;owned\x07text', 'text'],
    ['a title that ends otherwise', '\x1b]0;owned\x1b\\text', 'text'],
    ['the clipboard', 'a\x1b]52;c;b3duZWQ=\x07b', 'ab'],
    ['controls but for tabs', 'a\tb\x00\x08\x9b', 'a\tb'],
    ['the order of a title without an end, and nothing behind it', '\x1b]0;the rest', '0;the rest'],
    ['the same before a colour', '\x1b]0;the\x1b[1m rest', '0;the rest'],
  ])('is without %s', (_what, raw, plain) => {
    expect(plainText(raw)).toBe(plain);
  });

  it('takes no time, whatever is in it', () => {
    const began = performance.now();
    expect(plainText('\x1b]0;'.repeat(20_000))).toBe('0;'.repeat(20_000));
    expect(plainText(`\x1b]${'x'.repeat(64_000)}`)).toHaveLength(64_000);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});
