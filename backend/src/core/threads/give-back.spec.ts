import { describe, expect, it } from '@jest/globals';
import { giveBack } from './give-back.js';

describe('bytes that are given back', () => {
  it('are empty from then on', () => {
    const bytes = Buffer.alloc(1024 * 1024, 'x');
    giveBack(bytes);
    expect(bytes.length).toBe(0);
  });

  it('are left alone where others have their memory too', () => {
    const whole = Buffer.alloc(100_000, 'x');
    const part = whole.subarray(0, 50_000);
    giveBack(part);
    expect([part.length, whole.length]).toEqual([50_000, 100_000]);
    const small = Buffer.from('from the pool');
    giveBack(small);
    expect(String(small)).toBe('from the pool');
  });
});
