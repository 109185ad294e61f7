import { describe, expect, it } from '@jest/globals';
import { readKey } from './row-keys';

const press = (key: string, more: KeyboardEventInit = {}): KeyboardEvent =>
  new KeyboardEvent('keydown', { key, ...more });

describe('readKey', () => {
  it.each([
    [press('ArrowDown'), { sort: 'go', by: 1 }],
    [press('ArrowUp', { shiftKey: true }), { sort: 'extend', by: -1 }],
    [press('ArrowRight'), { sort: 'within', by: 1 }],
    [press('End'), { sort: 'end', last: true }],
    [press(' '), { sort: 'toggle' }],
    [press(' ', { shiftKey: true }), { sort: 'range' }],
    [press('Enter'), { sort: 'open' }],
    [press('a', { ctrlKey: true }), { sort: 'all' }],
    [press('A', { metaKey: true }), { sort: 'all' }],
    [press('Escape'), { sort: 'none' }],
    [press('a'), undefined],
    [press('c', { ctrlKey: true }), undefined],
    [press('ArrowLeft', { altKey: true }), undefined],
  ])('reads key %#', (event, move) => {
    expect(readKey(event, true)).toEqual(move);
  });

  it('leaves Enter and Space to a focused control', () => {
    expect(readKey(press('Enter'), false)).toBeUndefined();
    expect(readKey(press(' '), false)).toBeUndefined();
    expect(readKey(press('ArrowDown'), false)).toEqual({ sort: 'go', by: 1 });
  });
});
