import { describe, expect, it } from '@jest/globals';
import { Selection } from './selection';

const ORDER = ['a', 'b', 'c', 'd', 'e'];

describe('Selection', () => {
  it('extends from the last toggled row in both directions', () => {
    const selection = new Selection();
    selection.toggle('c');
    selection.extendTo('e', ORDER);
    expect([...selection.keys()]).toEqual(['c', 'd', 'e']);
    selection.extendTo('b', ORDER);
    expect([...selection.keys()].sort()).toEqual(['b', 'c', 'd', 'e']);
  });

  it('adds a range to earlier selected rows', () => {
    const selection = new Selection();
    selection.toggle('a');
    selection.toggle('d');
    selection.extendTo('e', ORDER);
    expect([...selection.keys()].sort()).toEqual(['a', 'd', 'e']);
  });

  it('extends from the row itself if none was toggled or that one is hidden', () => {
    const selection = new Selection();
    selection.extendTo('b', ORDER);
    expect([...selection.keys()]).toEqual(['b']);
    selection.clear();
    selection.toggle('hidden');
    selection.extendTo('d', ORDER);
    expect(selection.has('d')).toBe(true);
    expect(selection.has('a')).toBe(false);
  });

  it('toggles a row off', () => {
    const selection = new Selection();
    selection.toggle('a');
    selection.toggle('a');
    expect(selection.size()).toBe(0);
  });

  it('picks a row, and with Shift the range up to it', () => {
    const selection = new Selection();
    selection.pick('b', false, ORDER);
    selection.pick('d', true, ORDER);
    expect([...selection.keys()]).toEqual(['b', 'c', 'd']);
    selection.pick('c', false, ORDER);
    expect([...selection.keys()]).toEqual(['b', 'd']);
  });

  it('selects all shown rows, and clears a selection that has them all', () => {
    const selection = new Selection();
    expect(selection.hasAll([])).toBe(false);
    selection.toggle('hidden');
    selection.toggleAll(ORDER);
    expect([selection.hasAll(ORDER), selection.has('hidden')]).toEqual([true, false]);
    selection.toggle('hidden');
    selection.toggleAll(ORDER);
    expect(selection.size()).toBe(0);
  });
});
