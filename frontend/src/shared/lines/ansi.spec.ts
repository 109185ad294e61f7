import { describe, expect, it } from '@jest/globals';
import { plainText, readAnsi } from './ansi';
import { rawPieces } from '../format/raw-text';

describe('readAnsi', () => {
  it('keeps plain text', () => {
    expect(readAnsi('GET /\t200')).toEqual([{ text: 'GET /\t200', style: '' }]);
    expect(readAnsi('')).toEqual([]);
  });

  it('applies colors and styles until they are reset', () => {
    expect(readAnsi('\x1b[1;31mfailed\x1b[22m: \x1b[39mno answer\x1b[0m')).toEqual([
      { text: 'failed', style: 'ansi-bold ansi-red' },
      { text: ': ', style: 'ansi-red' },
      { text: 'no answer', style: '' },
    ]);
    expect(readAnsi('\x1b[92mok\x1b[m.')).toEqual([
      { text: 'ok', style: 'ansi-green' },
      { text: '.', style: '' },
    ]);
  });

  it('maps 256 colors and RGB to the nearest color, and ignores backgrounds', () => {
    expect(readAnsi('\x1b[38;5;196mx')).toEqual([{ text: 'x', style: 'ansi-red' }]);
    expect(readAnsi('\x1b[38;5;3mx')).toEqual([{ text: 'x', style: 'ansi-yellow' }]);
    expect(readAnsi('\x1b[38;5;250mx')).toEqual([{ text: 'x', style: 'ansi-white' }]);
    expect(readAnsi('\x1b[38;2;20;200;220mx')).toEqual([{ text: 'x', style: 'ansi-cyan' }]);
    expect(readAnsi('\x1b[48;5;196mx\x1b[41my')).toEqual([{ text: 'xy', style: '' }]);
  });

  it.each([
    ['a title', '\x1b]0;owned\x07text', 'text'],
    ['a title that ends otherwise', '\x1b]2;owned\x1b\\text', 'text'],
    ['the begin of a title without an end', 'text\x1b]0;shown', 'text0;shown'],
    ['a title, and no text behind one without an end', '\x1b]0;a\x07b\x1b]0;c\x1b[1md', 'b0;cd'],
    ['the begin of a clipboard without an end', '\x1b]52;c;b3duZWQ=', '52;c;b3duZWQ='],
    ['the clipboard', '\x1b]52;c;b3duZWQ=\x07text', 'text'],
    ['a link', '\x1b]8;;http://x/\x07text\x1b]8;;\x07', 'text'],
    ['the cursor', '\x1b[2J\x1b[H\x1b[?25ltext\x1b[3A', 'text'],
    ['a device string', '\x1bPq#0\x1b\\text', 'text'],
    ['a reset', '\x1bctext', 'text'],
    ['a bell, a backspace and a carriage return', 'te\x07x\bt\r', 'text'],
    ['half an escape', 'text\x1b[', 'text'],
    ['an escape alone', 'text\x1b', 'text'],
    ['a control character of eight bits', '\x9btext', 'text'],
  ])('drops %s', (_what, raw, shown) => {
    expect(plainText(raw)).toBe(shown);
  });

  it('parses a long line of escapes in linear time', () => {
    const began = performance.now();
    expect(plainText('\x1b]0;'.repeat(20_000))).toBe('0;'.repeat(20_000));
    expect(plainText(`\x1b]${'x'.repeat(1_000_000)}`)).toHaveLength(1_000_000);
    expect(plainText(`\x1b]${'x'.repeat(1_000_000)}\x07`)).toBe('');
    expect(plainText('\x1b['.repeat(20_000))).toBe('');
    expect(performance.now() - began).toBeLessThan(2000);
  });
});

describe('rawPieces', () => {
  it('shows every escape as in source code', () => {
    expect(rawPieces('\x1b]0;owned\x07a\tb\0\x9b\u202eevil\u{e0041}')).toEqual([
      { text: '\\x1b', isEscape: true },
      { text: ']0;owned', isEscape: false },
      { text: '\\x07', isEscape: true },
      { text: 'a\tb', isEscape: false },
      { text: '\\x00\\x9b\\u202e', isEscape: true },
      { text: 'evil', isEscape: false },
      { text: '\\u{e0041}', isEscape: true },
    ]);
  });

  it('keeps plain text', () => {
    expect(rawPieces('GET /\t200 ü 🚢 \\x1b')).toEqual([{ text: 'GET /\t200 ü 🚢 \\x1b', isEscape: false }]);
    expect(rawPieces('')).toEqual([]);
  });
});
