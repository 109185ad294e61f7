import { describe, expect, it } from '@jest/globals';
import { plainText } from '../../../core/logging/redaction.js';
import { visibleText } from './visible-text.js';

describe('visibleText', () => {
  it.each([
    ['/usr/local/bin/aws', '/usr/local/bin/aws'],
    ['', '""'],
    ['two words', '"two words"'],
    ['a"; rm', '"a\\"; rm"'],
    ['Jörg', '"Jörg"'],
    ['\u001b[2K\rhidden\n', '"\\u001b[2K\\rhidden\\n"'],
    ['\\u001b', '"\\\\u001b"'],
    ['\u202egnp.exe', '"\\u{202e}gnp.exe"'],
    ['a\u200bb\u00a0c\u3164\u{e0041}', '"a\\u{200b}b\\u{a0}c\\u{3164}\\u{e0041}"'],
    ['\u009b2K\u007f', '"\\u{9b}2K\\u{7f}"'],
    ['web\u2800', '"web\\u{2800}"'],
  ])('makes characters of %j visible', (text, visible) => {
    expect(visibleText(text)).toBe(visible);
    // The output to a terminal keeps it.
    expect(plainText(visible)).toBe(visible);
  });
});
