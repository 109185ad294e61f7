import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { OneTimeTokens } from './one-time-tokens.js';

describe('OneTimeTokens', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('calls back once for a token that is taken, dropped or expired', () => {
    const ended: string[] = [];
    const tokens = new OneTimeTokens(1000, 2);
    const add = (token: string): void => tokens.add(token, () => ended.push(token));
    add('taken');
    expect([tokens.take('taken'), tokens.take('taken')]).toEqual([true, false]);
    ['dropped', 'expired', 'late'].forEach(add);
    expect(ended).toEqual(['taken', 'dropped']);
    jest.advanceTimersByTime(1000);
    add('new');
    expect(ended).toEqual(['taken', 'dropped', 'expired', 'late']);
    expect([tokens.take('late'), tokens.take('new')]).toEqual([false, true]);
  });
});
