import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { DomainError } from '../../core/errors/index.js';
import { SignInLimits } from './sign-in-limits.js';

function waitOf(limits: SignInLimits, address: string, name = 'admin'): number {
  try {
    limits.start({ address }, name);
    return 0;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return (error.details as { retry_after_seconds: number }).retry_after_seconds;
  }
}

function fail(limits: SignInLimits, times: number, address: string, name?: string): void {
  for (let time = 0; time < times; time += 1) waitOf(limits, address, name);
}

describe('SignInLimits', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('doubles the wait of an address after each failed attempt, up to a minute', () => {
    jest.useFakeTimers();
    const limits = new SignInLimits();
    fail(limits, 5, '192.0.2.1');
    const waits: number[] = [];
    for (let time = 0; time < 9; time += 1) {
      const seconds = waitOf(limits, '192.0.2.1');
      waits.push(seconds);
      jest.advanceTimersByTime(seconds * 1000 - 1);
      expect(waitOf(limits, '192.0.2.1')).toBe(1);
      jest.advanceTimersByTime(1);
      expect(waitOf(limits, '192.0.2.1')).toBe(0);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    jest.advanceTimersByTime(15 * 60_000);
    fail(limits, 4, '192.0.2.1');
    expect(waitOf(limits, '192.0.2.1')).toBe(0);
  });

  it('allows five failed attempts per address without a wait', () => {
    const limits = new SignInLimits();
    fail(limits, 5, '192.0.2.1');
    expect(waitOf(limits, '192.0.2.1')).toBe(1);
    expect(waitOf(limits, '192.0.2.2')).toBe(0);
  });

  it('counts concurrent attempts', () => {
    const limits = new SignInLimits();
    expect(Array.from({ length: 8 }, () => waitOf(limits, '192.0.2.1'))).toEqual([0, 0, 0, 0, 0, 1, 1, 1]);
  });

  it('resets the failed attempts of an address after a success', () => {
    const limits = new SignInLimits();
    fail(limits, 4, '192.0.2.1');
    limits.start({ address: '192.0.2.1' }, 'admin');
    limits.succeeded({ address: '192.0.2.1' }, 'admin');
    fail(limits, 5, '192.0.2.1');
    expect(waitOf(limits, '192.0.2.1')).toBe(1);
  });

  it.each([
    ['addresses of one IPv6 network', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9'],
    ['an IPv4 address and its IPv4-mapped IPv6 form', '192.0.2.1', '::ffff:192.0.2.1'],
  ])('treats %s as one client', (_what, one, other) => {
    const limits = new SignInLimits();
    fail(limits, 5, one);
    expect(waitOf(limits, other)).toBe(1);
  });

  it('distinguishes neighboring IPv6 networks', () => {
    const limits = new SignInLimits();
    fail(limits, 5, '2001:db8:1:2::1');
    expect(waitOf(limits, '2001:db8:1:3::1')).toBe(0);
    expect(waitOf(limits, '::1')).toBe(0);
  });

  it('delays attempts on a name from many addresses, but never rejects them', () => {
    const limits = new SignInLimits();
    for (let at = 0; at < 200; at += 1) limits.start({ address: `192.0.2.${at}` }, 'admin');
    expect(limits.start({ address: '198.51.100.1' }, 'admin')).toBe(2000);
    expect(limits.start({ address: '198.51.100.2' }, 'other')).toBe(0);
  });

  it('counts a known browser separately from its address, without a delay', () => {
    const limits = new SignInLimits();
    const owner = { address: '192.0.2.1', browser: 'owner' };
    fail(limits, 20, '192.0.2.1');
    expect(waitOf(limits, '192.0.2.1')).toBeGreaterThan(0);
    for (let time = 0; time < 5; time += 1) expect(limits.start(owner, 'admin')).toBe(0);
    expect(limits.waitOf(owner)).toBe(1);
    expect(limits.waitOf({ address: '192.0.2.1', browser: 'another' })).toBe(0);
  });

  it('keeps memory bounded for many addresses and long names', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heap = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const limits = new SignInLimits();
    fail(limits, 5, '192.0.2.1');
    const tryMany = (rounds: number): void => {
      for (let at = 0; at < rounds; at += 1) {
        limits.start(
          { address: `2001:db8:${(at >> 16).toString(16)}:${(at & 65_535).toString(16)}::1` },
          `${at}-`.padEnd(1024, 'x'),
        );
      }
    };
    tryMany(10_000);
    // The oldest entry was dropped.
    expect(waitOf(limits, '192.0.2.1')).toBe(0);
    const full = heap();
    tryMany(20_000);
    expect(heap() - full).toBeLessThan(2_000_000);
  });
});
