import { signal } from '@angular/core';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { currentRow } from './current-row';

describe('currentRow', () => {
  const keys = signal<readonly string[]>([]);
  const chosen = signal<string | null>(null);
  let current: () => string | null;

  beforeEach(() => {
    keys.set(['a', 'b', 'c', 'd']);
    chosen.set(null);
    current = currentRow(keys, chosen);
    current();
  });

  it('is the first row until one is chosen, and null without rows', () => {
    expect(current()).toBe('a');
    chosen.set('c');
    expect(current()).toBe('c');
    keys.set([]);
    expect(current()).toBeNull();
  });

  it('moves to the row below the removed one, else above', () => {
    chosen.set('c');
    current();
    keys.set(['a', 'b', 'd']);
    expect(current()).toBe('d');
    keys.set(['a', 'b']);
    expect(current()).toBe('b');
  });

  it('follows a row that is chosen and removed at once', () => {
    chosen.set('d');
    keys.set(['a', 'b', 'c']);
    expect(current()).toBe('c');
  });

  it('returns to the chosen row when it is back, also in another order', () => {
    chosen.set('b');
    current();
    keys.set(['a', 'c', 'd']);
    expect(current()).toBe('c');
    keys.set(['d', 'b', 'a']);
    expect(current()).toBe('b');
  });

  it('begins at the first of other rows', () => {
    chosen.set('b');
    current();
    keys.set(['x', 'y']);
    expect(current()).toBe('x');
  });
});
