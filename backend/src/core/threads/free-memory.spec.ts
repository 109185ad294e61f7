import { describe, expect, it } from '@jest/globals';
import { freeMemory } from './free-memory.js';

describe('freeMemory', () => {
  it('empties the bytes', () => {
    const bytes = Buffer.alloc(1024 * 1024, 'x');
    freeMemory(bytes);
    expect(bytes.length).toBe(0);
  });

  it('keeps bytes that share their memory with others', () => {
    const whole = Buffer.alloc(100_000, 'x');
    const part = whole.subarray(0, 50_000);
    freeMemory(part);
    expect([part.length, whole.length]).toEqual([50_000, 100_000]);
    const small = Buffer.from('from the pool');
    freeMemory(small);
    expect(String(small)).toBe('from the pool');
  });
});
