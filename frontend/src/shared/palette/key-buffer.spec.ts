import { describe, expect, it } from '@jest/globals';
import { KeyBuffer } from './key-buffer';

function press(key: string, more: KeyboardEventInit = {}): boolean {
  const event = new KeyboardEvent('keydown', { key, cancelable: true, bubbles: true, ...more });
  return !document.body.dispatchEvent(event);
}

describe('KeyBuffer', () => {
  it('collects typed text and hides the keys from the page until it ends', () => {
    const reached: string[] = [];
    const listener = ({ key }: KeyboardEvent): number => reached.push(key);
    document.addEventListener('keydown', listener);
    const keys = new KeyBuffer(document);
    const taken = ['w', 'e', 'x', 'Backspace', 'b', ' ', '/'].map((key) => press(key));
    expect(new Set(taken)).toEqual(new Set([true]));
    expect([press('Escape'), press('c', { ctrlKey: true })]).toEqual([false, false]);
    expect(keys.end()).toBe('web /');
    expect(press('w')).toBe(false);
    expect(keys.end()).toBe('web /');
    expect(reached).toEqual(['Escape', 'c', 'w']);
    document.removeEventListener('keydown', listener);
  });
});
