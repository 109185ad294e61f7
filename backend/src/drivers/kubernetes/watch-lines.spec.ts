import { describe, expect, it } from '@jest/globals';
import { WatchLines } from './watch-lines.js';

describe('WatchLines', () => {
  it('reassembles lines from chunks of any size', () => {
    const text = '{"a":1}\n{"b":"äö"}\n\n{"c":3}\nrest';
    for (const size of [1, 2, 5, 100]) {
      const seen: string[] = [];
      const lines = new WatchLines((line) => seen.push(line));
      for (let from = 0; from < text.length; from += size) lines.push(text.slice(from, from + size));
      expect(seen).toEqual(['{"a":1}', '{"b":"äö"}', '{"c":3}']);
    }
  });

  it('rejects a line that is too long', () => {
    const lines = new WatchLines(() => undefined);
    const megabyte = 'x'.repeat(1_000_000);
    expect(() => {
      for (let pushed = 0; pushed < 9; pushed += 1) lines.push(megabyte);
    }).toThrow('too long');
  });
});
