import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { OneTimeTokens } from './one-time-tokens.js';

describe('OneTimeTokens', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('returns the value of a valid token', () => {
    const tokens = new OneTimeTokens<string>(1000, 2);
    tokens.add('a', 'value of a');
    tokens.add('b', 'value of b');
    expect([tokens.take('b'), tokens.take('a'), tokens.take('a')]).toEqual([
      'value of b',
      'value of a',
      false,
    ]);
  });

  it('calls back once for a token that is taken, dropped or expired', () => {
    const ended: string[] = [];
    const tokens = new OneTimeTokens(1000, 2);
    const add = (token: string): void => tokens.add(token, true, () => ended.push(token));
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
