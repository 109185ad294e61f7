import { describe, expect, it } from '@jest/globals';
import { shorten, type LogLine } from './log-line.js';

function line(text: string): LogLine {
  return { seq: 7, time: 1, stream: null, level: null, text, cut: 3, continues: false };
}

describe('a line that is shortened', () => {
  it('keeps so many characters, and says that there are more', () => {
    expect(shorten(line('abcdef'), 4)).toEqual({ ...line('abcd'), shortened: true });
    expect(shorten(line('abcd'), 4)).toEqual(line('abcd'));
    expect(shorten(line(''), 1)).toEqual(line(''));
  });

  it('ends with a whole character', () => {
    expect(shorten(line('ab😀c'), 3).text).toBe('ab');
    expect(shorten(line('ab😀c'), 4).text).toBe('ab😀');
    expect(shorten(line('äöü'), 2).text).toBe('äö');
  });
});
