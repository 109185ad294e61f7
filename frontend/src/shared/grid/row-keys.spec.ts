import { describe, expect, it } from '@jest/globals';
import { readKey } from './row-keys';

const press = (key: string, more: KeyboardEventInit = {}): KeyboardEvent =>
  new KeyboardEvent('keydown', { key, ...more });

describe('readKey', () => {
  it.each([
    [press('ArrowDown'), { sort: 'go', by: 1, extend: false }],
    [press('ArrowUp', { shiftKey: true }), { sort: 'go', by: -1, extend: true }],
    [press('PageUp'), { sort: 'go', by: -9, extend: false }],
    [press('ArrowRight'), { sort: 'within', by: 1 }],
    [press('End'), { sort: 'go', by: Infinity, extend: false }],
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
    expect(readKey(event, true, 9)).toEqual(move);
  });

  it('leaves Enter and Space to a focused control', () => {
    expect(readKey(press('Enter'), false)).toBeUndefined();
    expect(readKey(press(' '), false)).toBeUndefined();
    expect(readKey(press('ArrowDown'), false)).toEqual({ sort: 'go', by: 1, extend: false });
  });

  it('leaves Page Up and Page Down to the browser without a page size', () => {
    expect(readKey(press('PageDown'), true)).toBeUndefined();
  });
});
