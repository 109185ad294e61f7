import { describe, expect, it } from '@jest/globals';
import { SlidingWindow } from './sliding-window.js';

const BEGIN = Date.parse('2026-11-22T08:00:00Z');

describe('SlidingWindow', () => {
  it('counts events in the window, and drops those before it one by one', () => {
    const window = new SlidingWindow(10);
    for (let second = 0; second < 10; second += 1) window.add(BEGIN + second * 1000);
    expect(window.count).toBe(10);
    expect(window.countAt(BEGIN + 9990)).toBe(10);
    expect(window.countAt(BEGIN + 10_000)).toBe(9);
    expect(window.countAt(BEGIN + 14_500)).toBe(5);
    expect(window.countAt(BEGIN + 19_000)).toBe(0);
  });

  it('accepts times in any order, and ignores those before the window', () => {
    const window = new SlidingWindow(10);
    window.add(BEGIN + 20_000);
    window.add(BEGIN + 12_000);
    window.add(BEGIN + 9000);
    expect(window.count).toBe(2);
    expect(window.countAt(BEGIN + 22_010)).toBe(1);
  });

  it('is empty after a pause of any length', () => {
    const window = new SlidingWindow(1);
    for (let index = 0; index < 5000; index += 1) window.add(BEGIN);
    expect(window.count).toBe(5000);
    expect(window.countAt(BEGIN + 365 * 86_400_000)).toBe(0);
    window.add(BEGIN + 365 * 86_400_000);
    expect(window.count).toBe(1);
  });

  it('starts again if the clock was set back by more than the window', () => {
    const window = new SlidingWindow(10);
    window.add(BEGIN);
    expect(window.countAt(BEGIN - 5000)).toBe(1);
    expect(window.countAt(BEGIN - 3_600_000)).toBe(0);
    window.add(BEGIN - 3_600_000);
    expect(window.countAt(BEGIN - 3_600_000)).toBe(1);
  });

  it('is exact to 1/1000 of the window', () => {
    const window = new SlidingWindow(60);
    const times: number[] = [];
    let time = BEGIN;
    for (let index = 0; index < 20_000; index += 1) {
      time += (index * 7919) % 97;
      times.push(time);
      window.add(time);
      if (index % 500 !== 0) continue;
      const inside = (length: number): number => times.filter((one) => one > time - length).length;
      expect(window.count).toBeGreaterThanOrEqual(inside(60_000 - 60));
      expect(window.count).toBeLessThanOrEqual(inside(60_000 + 60));
    }
  });
});
