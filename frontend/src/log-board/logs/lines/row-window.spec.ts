import { signal } from '@angular/core';
import { describe, expect, it } from '@jest/globals';
import type { RowSource } from '../../../shared/lines/row-source';
import { RowWindow } from './row-window';

const rows: Required<RowSource> = {
  version: signal(5),
  first: 1,
  end: 100,
  arrived: 7,
  row: () => undefined,
  want: () => undefined,
  onShift: () => () => undefined,
};

describe('RowWindow', () => {
  it('slides its start without becoming another list', () => {
    const window = new RowWindow(rows, 20, null);
    expect([window.first, window.end, window.arrived]).toEqual([20, 100, 7]);
    const version = window.version();
    expect(window.slideTo(new RowWindow(rows, 30, null))).toBe(true);
    expect([window.first, window.version() > version]).toEqual([30, true]);
    const moved = window.version();
    expect(window.slideTo(new RowWindow(rows, 30, null))).toBe(true);
    expect(window.version()).toBe(moved);
    // The window is now empty.
    window.slideTo(new RowWindow(rows, 200, null));
    expect([window.first, window.end]).toEqual([100, 100]);
  });

  it('does not slide with a fixed end', () => {
    const window = new RowWindow(rows, 20, 40);
    expect([window.first, window.end, window.arrived]).toEqual([20, 40, 0]);
    expect(window.slideTo(new RowWindow(rows, 30, null))).toBe(false);
    expect(new RowWindow(rows, 20, null).slideTo(new RowWindow(rows, 30, 40))).toBe(false);
  });

  it('is another list for other rows', () => {
    expect(new RowWindow(rows, 20, null).slideTo(new RowWindow({ ...rows }, 30, null))).toBe(false);
  });
});
