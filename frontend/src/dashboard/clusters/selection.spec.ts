import { describe, expect, it } from '@jest/globals';
import { Selection } from './selection';

const ORDER = ['a', 'b', 'c', 'd', 'e'];

describe('a selection of rows', () => {
  it('runs from the row that was chosen last, either way', () => {
    const selection = new Selection();
    selection.toggle('c');
    selection.extendTo('e', ORDER);
    expect([...selection.keys()]).toEqual(['c', 'd', 'e']);
    selection.extendTo('b', ORDER);
    expect([...selection.keys()].sort()).toEqual(['b', 'c', 'd', 'e']);
  });

  it('adds a range to what was chosen before', () => {
    const selection = new Selection();
    selection.toggle('a');
    selection.toggle('d');
    selection.extendTo('e', ORDER);
    expect([...selection.keys()].sort()).toEqual(['a', 'd', 'e']);
  });

  it('begins at the row itself where none was chosen, or that one is hidden now', () => {
    const selection = new Selection();
    selection.extendTo('b', ORDER);
    expect([...selection.keys()]).toEqual(['b']);
    selection.clear();
    selection.toggle('hidden');
    selection.extendTo('d', ORDER);
    expect(selection.has('d')).toBe(true);
    expect(selection.has('a')).toBe(false);
  });

  it('takes a row out again', () => {
    const selection = new Selection();
    selection.toggle('a');
    selection.toggle('a');
    expect(selection.size()).toBe(0);
  });
});
