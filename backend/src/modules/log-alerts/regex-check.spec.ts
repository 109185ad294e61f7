import { describe, expect, it } from '@jest/globals';
import { RegexCheck } from './regex-check.js';

describe('RegexCheck', () => {
  const check = new RegexCheck();

  it.each(['(a+)+$', '(x+x+)+y', '^(\\d+)*$', '([^"]+)*"$', '(foo|f.o)+$', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
    'rejects catastrophic backtracking: %s',
    async (source) => {
      expect(await check.problemOf({ source, flags: 'i' })).toContain('far too long');
    },
  );

  it.each([
    'timeout|refused',
    'status=5[0-9]{2}',
    'order=o-[0-9]{5}',
    '^\\s*at .*\\(.*\\)$',
    '(GET|POST) /\\S* .*5\\d\\d',
    '\\d+\\.\\d+\\.\\d+\\.\\d+',
    'payment (failed|declined).*customer=(\\w+)',
    '',
  ])('accepts %s', async (source) => {
    expect(await check.problemOf({ source, flags: 'i' })).toBeNull();
  });

  it('rejects invalid syntax', async () => {
    expect(await check.problemOf({ source: '(a', flags: '' })).toMatch(
      /^is not a valid regular expression: /,
    );
  });
});
