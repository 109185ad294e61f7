import { describe, expect, it } from '@jest/globals';
import { cpuTimeOf } from '../../../../test/support/cpu-time.js';
import { slowTextFor } from '../../../../test/support/hostile/linear-time.js';
import { boundText, MAX_LINE, MAX_TEXT } from './bound-text.js';
import { PATTERNS, plainLine, redact } from './redaction.js';

describe('redact', () => {
  it.each(PATTERNS.map(([pattern]) => pattern))('takes linear time for %s', (pattern) => {
    expect(slowTextFor(pattern)).toBeUndefined();
  });

  it.each([/\b(authorization\s*[:=]\s*(?:bearer|basic)?\s*)\w{8,}/gi, /\beyJ[\w-]{8,}\./g, /\((\S+) ago\)/g])(
    'would not take linear time with %s',
    (pattern) => {
      expect(slowTextFor(pattern, 8192)).toBeDefined();
    },
  );

  it.each([
    ['90 kB of spaces after a name', `authorization:${' '.repeat(90_000)}`],
    ['15 kB of beginnings of tokens', '-eyJ'.repeat(3750)],
    ['a megabyte of beginnings of tokens', '-eyJ'.repeat(262_144)],
    ['beginnings of keys', '-----BEGIN A-----'.repeat(60_000)],
    ['32 MB', 'Bearer '.repeat(4_500_000)],
  ])('takes less than 100 ms for %s', (_, text) => {
    expect(cpuTimeOf(() => redact(text))).toBeLessThan(100);
    expect(cpuTimeOf(() => plainLine(boundText(text)))).toBeLessThan(100);
  });

  it('removes what remains of a key after the cut', () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${`${'K'.repeat(64)}\n`.repeat(1500)}-----END PRIVATE KEY-----\nend`;
    expect(redact(`before\n${key}`)).toBe('before\n[PRIVATE KEY removed]\nend');
    expect(redact(`${'x\n'.repeat(20_000)}${key}`)).not.toContain('KKK');
  });

  it('removes a value whose name was cut off', () => {
    const value = 'V'.repeat(60_000);
    expect(redact(`${'x '.repeat(10_000)}password=${value} end`)).toMatch(/omitted\]\s+end$/);
    expect(redact(`${'x '.repeat(10_000)}password=${value} end`)).not.toContain('VVV');
  });
});

describe('boundText', () => {
  it('keeps a text within the limits', () => {
    const text = `${'x'.repeat(MAX_LINE)}\n`.repeat(7);
    expect(boundText(text)).toBe(text);
  });

  it.each([
    ['one line', 'word '.repeat(60_000)],
    ['many lines', 'word word\n'.repeat(30_000)],
    ['long lines', `${'word '.repeat(6000)}\n`.repeat(10)],
  ])('keeps head and tail of %s, and reports what it omits', (_, text) => {
    const bounded = boundText(text);
    expect(bounded.length).toBeLessThanOrEqual(MAX_TEXT);
    expect(Math.max(...bounded.split('\n').map((line) => line.length))).toBeLessThanOrEqual(MAX_LINE);
    expect(bounded).toMatch(/^word [^]*\[\d+ characters omitted\][^]*word\s+$/);
    expect(boundText(bounded)).toBe(bounded);
  });

  it('counts the omitted characters', () => {
    const bounded = boundText('word '.repeat(60_000));
    const omitted = [...bounded.matchAll(/\s?\[(\d+) characters omitted\]\s?/g)];
    const counted = omitted.reduce((sum, [, count]) => sum + Number(count), 0);
    const marks = omitted.reduce((sum, [mark]) => sum + mark.length, 0);
    expect(counted + bounded.length - marks).toBe(300_000);
  });
});
