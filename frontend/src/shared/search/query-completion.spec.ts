import { describe, expect, it } from '@jest/globals';
import { completableAt, completed } from './query-completion';

describe('completableAt and completed', () => {
  it.each([
    ['sta|', 'status', 'status:|', ''],
    ['timeout -sta|', 'status', 'timeout -status:|', 'timeout'],
    ['a OR sta| b', 'status', 'a OR status:| b', ''],
    ['"urn|', 'urn:x:id', '"urn:x:id":|', ''],
    ['level:error status=5|', '504', 'level:error status=504 |', 'level:error'],
    ['user=A|', 'Ann Lee', 'user="Ann Lee" |', ''],
    ['(status=5|)', '504', '(status=504|)', ''],
    ['path:/v1|', '/v1/a*b', 'path:"/v1/a*b" |', ''],
  ])('%j with %j is %j', (typed, value, expected, before) => {
    const caret = typed.indexOf('|');
    const text = typed.replace('|', '');
    const at = completableAt(text, caret);
    if (!at) throw new Error('nothing to complete');
    const result = completed(text, at, value);
    expect([`${result.text.slice(0, result.caret)}|${result.text.slice(result.caret)}`, at.before]).toEqual([
      expected,
      before,
    ]);
  });

  it('completes nothing within a condition, or behind a closed one', () => {
    expect(completableAt('status=504', 3)).toBeNull();
    expect(completableAt('"a b"', 5)).toBeNull();
  });
});
