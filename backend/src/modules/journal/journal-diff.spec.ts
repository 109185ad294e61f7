import { describe, expect, it } from '@jest/globals';
import { journalDiff } from './journal-diff.js';

const lines = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `line-${from + index}`);

describe('journalDiff', () => {
  it('keeps the changed lines with 12 lines before and after them', () => {
    const all = lines(1, 100);
    const diff = journalDiff({
      before: all.join('\n'),
      after: all.with(49, 'changed').toSpliced(50, 0, 'added').join('\n'),
    });
    expect(diff).toEqual({
      before: lines(38, 62).join('\n'),
      after: [...lines(38, 49), 'changed', 'added', ...lines(51, 62)].join('\n'),
      first_line: 38,
      truncated: false,
    });
  });

  it('keeps a new object, and one whose lines are only removed', () => {
    expect(journalDiff({ before: null, after: 'a\nb' })).toEqual({
      ...{ before: null, after: 'a\nb', first_line: 1, truncated: false },
    });
    expect(journalDiff({ before: 'a\nb\nb\n', after: 'a\nb\n' })).toMatchObject({
      ...{ before: 'a\nb\nb\n', after: 'a\nb\n' },
    });
  });

  it.each([
    ['both', 'o', 'n'],
    ['the new one', '', 'n'],
    ['the old one', 'o', ''],
  ])('keeps at most 8 kB if %s is long', (_, old, fresh) => {
    const long = (text: string): string => Array.from({ length: 3000 }, () => text.repeat(9)).join('\n');
    const { before, after, truncated } = journalDiff({ before: long(old), after: long(fresh) });
    const size = Buffer.byteLength(`${before}${after}`);
    expect(size).toBeLessThanOrEqual(8000);
    expect(size).toBeGreaterThan(7000);
    expect(truncated).toBe(true);
  });

  it('cuts a long line between characters', () => {
    const { after } = journalDiff({ before: null, after: '€'.repeat(5000) });
    expect(after).toMatch(/^€+$/);
    expect(Buffer.byteLength(after)).toBeLessThanOrEqual(8000);
  });

  it('masks keys and passwords, also those that begin before the kept lines', () => {
    const key = ['-----BEGIN PRIVATE KEY-----', ...lines(1, 40), '-----END PRIVATE KEY-----'];
    const diff = journalDiff({
      before: [...key, 'password: correct-horse', 'color: red'].join('\n'),
      after: [...key, 'password: battery-staple', 'color: blue'].join('\n'),
    });
    expect(JSON.stringify(diff)).not.toMatch(/line-|horse|staple/);
    expect(diff.after).toContain('color: blue');
  });
});
