import { describe, expect, it } from '@jest/globals';
import { mayOwn, sharedText } from './bulk-labels';

describe('mayOwn', () => {
  it.each([
    ['apps', true],
    ['batch', true],
    ['example.org', true],
    ['core', false],
    ['rbac.authorization.k8s.io', false],
  ])('%s: %s', (group, expected) => {
    expect(mayOwn({ group })).toBe(expected);
  });
});

describe('sharedText', () => {
  it('is the text of most objects, if it repeats', () => {
    expect(sharedText(['a', 'b', 'b'])).toEqual({ text: 'b', count: 2 });
    expect(sharedText(['a', 'b'])).toBeNull();
    expect(sharedText([])).toBeNull();
  });
});
