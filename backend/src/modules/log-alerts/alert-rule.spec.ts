import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { LogLine } from '../../drivers/log-store/index.js';
import type { Alert } from './alert.store.js';
import { AlertRule } from './alert-rule.js';

const NOW = Date.parse('2026-11-22T08:00:00Z');

function rule(change: Partial<Alert> = {}): AlertRule {
  return new AlertRule({
    id: 1,
    name: 'Timeouts',
    enabled: true,
    query: {
      query: '',
      text: null,
      regex: false,
      case: false,
      without: [],
      level: [],
      field: [],
      without_field: [],
    },
    sources: {},
    threshold: 3,
    window_seconds: 60,
    quiet_seconds: 120,
    browser: true,
    webhook: false,
    problem: null,
    last_fired_at: null,
    created_at: '2026-11-22T07:00:00.000Z',
    ...change,
  });
}

/** @param ago seconds before the clock's time */
function line(ago = 0): LogLine {
  const time = (Date.now() - ago * 1000) * 1000;
  return { seq: 1, time, stream: 'stdout', level: null, text: 'x', cut: 0, continues: false };
}

describe('AlertRule', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: NOW });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('fires with the line that reaches the threshold within the window', () => {
    const one = rule();
    expect([one.count(line()), one.count(line()), one.count(line())]).toEqual([false, false, true]);
    expect(one.counted).toBe(3);
  });

  it('does not fire on lines that are further apart than the window', () => {
    const one = rule();
    for (let index = 0; index < 20; index += 1) {
      expect(one.count(line())).toBe(false);
      jest.setSystemTime(Date.now() + 31_000);
    }
  });

  it('stays quiet for quiet_seconds, then fires again with all lines in the window', () => {
    const one = rule();
    const fired: number[] = [];
    for (let second = 0; second < 300; second += 1) {
      jest.setSystemTime(NOW + second * 1000);
      if (one.count(line())) fired.push(second);
    }
    expect(fired).toEqual([2, 122, 242]);
    expect(one.counted).toBe(60);
  });

  it('fires again at once if the clock was set back by an hour, and forgets the lines of before', () => {
    const one = rule();
    const three = (): boolean[] => [one.count(line()), one.count(line()), one.count(line())];
    expect(three()).toEqual([false, false, true]);
    jest.setSystemTime(NOW - 3_600_000);
    expect(one.isFiring()).toBe(false);
    expect(three()).toEqual([false, false, true]);
  });

  it('stays quiet across a restart', () => {
    const one = rule({ threshold: 1, last_fired_at: new Date(NOW - 60_000).toISOString() });
    expect(one.count(line())).toBe(false);
    jest.setSystemTime(NOW + 60_000);
    expect(one.count(line())).toBe(true);
  });

  it('counts zero once the window has passed', () => {
    const one = rule();
    for (let index = 0; index < 5; index += 1) one.count(line());
    expect(one.countNow()).toBe(5);
    jest.setSystemTime(NOW + 61_000);
    expect(one.countNow()).toBe(0);
  });

  it('ignores lines from before Slipway was reading', () => {
    const one = rule({ threshold: 1 });
    expect(one.count(line(3600))).toBe(false);
    expect(one.count(line(100))).toBe(true);
  });

  it('tolerates a line from a clock that is ahead', () => {
    const one = rule({ threshold: 2 });
    one.count(line(-86_400));
    expect(one.count(line())).toBe(true);
  });
});
