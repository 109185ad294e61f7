import { describe, expect, it } from '@jest/globals';
import { lineDiff } from './line-diff.js';

describe('lineDiff', () => {
  it('shows the lines that differ with three lines around them', () => {
    const before = 'a\nb\nc\nd\ne\nf\ng\nh\ni\n';
    expect(lineDiff(before, before.replace('f\n', 'F\n'))).toBe('  c\n  d\n  e\n- f\n+ F\n  g\n  h\n  i\n');
  });

  it('shows an object that is created or deleted as a whole', () => {
    expect([lineDiff('', 'a\nb\n'), lineDiff('a\n', '')]).toEqual(['+ a\n+ b\n', '- a\n']);
  });
});
