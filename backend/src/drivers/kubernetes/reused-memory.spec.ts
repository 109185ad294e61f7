import { describe, expect, it } from '@jest/globals';
import { release, ReusedMemory } from './reused-memory.js';

const SIZE = 8;

describe('ReusedMemory', () => {
  const chunks: Buffer[] = [];
  const memory = (): ReusedMemory => {
    chunks.length = 0;
    return new ReusedMemory(SIZE, (chunk) => chunks.push(chunk));
  };

  it('passes pieces together, at the latest when a block is full', () => {
    const into = memory();
    into.add(Buffer.from('abc'));
    into.add(Buffer.from('defghij'));
    expect(chunks.map(String)).toEqual(['abcdefgh']);
    into.flush();
    into.flush();
    expect(chunks.map(String)).toEqual(['abcdefgh', 'ij']);
  });

  it('does not change chunks that were not released', () => {
    const into = memory();
    for (let index = 0; index < 50; index += 1) into.add(Buffer.alloc(SIZE, index));
    expect(chunks.map(([first]) => first)).toEqual(chunks.map((_, index) => index));
  });

  it('uses the blocks before a released chunk again, but not its own', () => {
    const into = memory();
    for (const text of ['aaaaaaaa', 'bbbbbbbb', 'cccccccc']) into.add(Buffer.from(text));
    release(chunks[1] ?? Buffer.alloc(0));
    into.add(Buffer.from('dddddddd'));
    into.add(Buffer.from('eeeeeeee'));
    expect(chunks.slice(1).map(String)).toEqual(['bbbbbbbb', 'cccccccc', 'dddddddd', 'eeeeeeee']);
    expect(chunks[3]?.buffer).toBe(chunks[0]?.buffer);
    release(Buffer.from('of something else'));
  });

  it('needs a bounded number of blocks for a consumer that releases', () => {
    const into = memory();
    for (let index = 0; index < 100; index += 1) {
      into.add(Buffer.alloc(SIZE));
      release(chunks.at(-1) ?? Buffer.alloc(0));
    }
    expect(new Set(chunks.map(({ buffer }) => buffer)).size).toBe(2);
  });
});
