import { describe, expect, it } from '@jest/globals';
import { cpuTimeOf } from '../../../../test/support/cpu-time.js';
import { plainText } from './plain-text.js';

describe('plainText', () => {
  it.each([
    ['colors', '\x1b[1;31mred\x1b[0m.', 'red.'],
    ['a title', '\x1b]0;owned\x07text', 'text'],
    ['a title that ends with ST', '\x1b]0;owned\x1b\\text', 'text'],
    ['the clipboard', 'a\x1b]52;c;b3duZWQ=\x07b', 'ab'],
    ['control characters except tabs', 'a\tb\x00\x08\x9b', 'a\tb'],
    ['the start of an unterminated title', '\x1b]0;the rest', '0;the rest'],
    ['the start of an unterminated title before a color', '\x1b]0;the\x1b[1m rest', '0;the rest'],
  ])('removes %s', (_what, raw, plain) => {
    expect(plainText(raw)).toBe(plain);
  });

  it('takes linear time on hostile lines', () => {
    const milliseconds = cpuTimeOf(() => {
      expect(plainText('\x1b]0;'.repeat(20_000))).toBe('0;'.repeat(20_000));
      expect(plainText(`\x1b]${'x'.repeat(64_000)}`)).toHaveLength(64_000);
    });
    expect(milliseconds).toBeLessThan(3000);
  });
});
