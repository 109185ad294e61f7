import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { DomainError } from '../../core/errors/index.js';
import { SignInLimits } from './sign-in-limits.js';

function waitOf(limits: SignInLimits, address: string, name = 'admin'): number {
  try {
    limits.begin({ address }, name);
    return 0;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return (error.details as { retry_after_seconds: number }).retry_after_seconds;
  }
}

function fail(limits: SignInLimits, times: number, address: string, name?: string): void {
  for (let time = 0; time < times; time += 1) waitOf(limits, address, name);
}

describe('the limits of the sign-in', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('let an address wait twice as long after each further try, up to a minute', () => {
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

  it('let five wrong tries pass, and then none', () => {
    const limits = new SignInLimits();
    fail(limits, 5, '192.0.2.1');
    expect(waitOf(limits, '192.0.2.1')).toBe(1);
    expect(waitOf(limits, '192.0.2.2')).toBe(0);
  });

  it('count tries that are under way, so that many at once are many', () => {
    const limits = new SignInLimits();
    expect(Array.from({ length: 8 }, () => waitOf(limits, '192.0.2.1'))).toEqual([0, 0, 0, 0, 0, 1, 1, 1]);
  });

  it('forget the wrong tries of an address with the right one', () => {
    const limits = new SignInLimits();
    fail(limits, 4, '192.0.2.1');
    limits.begin({ address: '192.0.2.1' }, 'admin');
    limits.succeeded({ address: '192.0.2.1' }, 'admin');
    fail(limits, 5, '192.0.2.1');
    expect(waitOf(limits, '192.0.2.1')).toBe(1);
  });

  it.each([
    ['one network of IPv6', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9'],
    ['an address and its form in IPv6', '192.0.2.1', '::ffff:192.0.2.1'],
  ])('take %s for one', (_what, one, other) => {
    const limits = new SignInLimits();
    fail(limits, 5, one);
    expect(waitOf(limits, other)).toBe(1);
  });

  it('tell neighbouring networks of IPv6 apart', () => {
    const limits = new SignInLimits();
    fail(limits, 5, '2001:db8:1:2::1');
    expect(waitOf(limits, '2001:db8:1:3::1')).toBe(0);
    expect(waitOf(limits, '::1')).toBe(0);
  });

  it('slow a name that is tried from everywhere, and never refuse it', () => {
    const limits = new SignInLimits();
    for (let at = 0; at < 200; at += 1) limits.begin({ address: `192.0.2.${at}` }, 'admin');
    expect(limits.begin({ address: '198.51.100.1' }, 'admin')).toBe(2000);
    expect(limits.begin({ address: '198.51.100.2' }, 'somebody')).toBe(0);
  });

  it('count a known browser apart from others behind its address, and do not slow it', () => {
    const limits = new SignInLimits();
    const owner = { address: '192.0.2.1', browser: 'owner' };
    fail(limits, 20, '192.0.2.1');
    expect(waitOf(limits, '192.0.2.1')).toBeGreaterThan(0);
    for (let time = 0; time < 5; time += 1) expect(limits.begin(owner, 'admin')).toBe(0);
    expect(limits.waitOf(owner)).toBe(1);
    expect(limits.waitOf({ address: '192.0.2.1', browser: 'another' })).toBe(0);
  });

  it('remember a bounded number of addresses and names, however many and long they are', () => {
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
        limits.begin(
          { address: `2001:db8:${(at >> 16).toString(16)}:${(at & 65_535).toString(16)}::1` },
          `${at}-`.padEnd(1024, 'x'),
        );
      }
    };
    tryMany(10_000);
    // The oldest made room.
    expect(waitOf(limits, '192.0.2.1')).toBe(0);
    const full = heap();
    tryMany(20_000);
    expect(heap() - full).toBeLessThan(2_000_000);
  });
});
