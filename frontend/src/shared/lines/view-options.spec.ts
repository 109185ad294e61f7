import { describe, expect, it, jest } from '@jest/globals';
import { TestBed } from '@angular/core/testing';
import { storedOptions, ViewOptions } from './view-options';

const KEY = 'slipway.logs';
const FIRST = {
  wrap: false,
  raw: false,
  time: 'local',
  times: true,
  size: 'medium',
  columns: false,
  histogram: true,
  gone: true,
  tree: 268,
};

describe('ViewOptions', () => {
  it('has defaults', () => {
    expect(storedOptions()).toEqual(FIRST);
  });

  it('is stored in the browser', () => {
    const options = TestBed.inject(ViewOptions);
    options.wrap.set(true);
    options.raw.set(true);
    options.tree.set(320);
    options.time.set('utc');
    options.times.set(false);
    options.size.set('large');
    options.columns.set(true);
    options.histogram.set(false);
    options.gone.set(false);
    TestBed.tick();
    const chosen = {
      wrap: true,
      raw: true,
      time: 'utc',
      times: false,
      size: 'large',
      columns: true,
      histogram: false,
      gone: false,
      tree: 320,
    };
    expect(JSON.parse(localStorage.getItem(KEY) ?? '')).toEqual(chosen);
    expect(storedOptions()).toEqual(chosen);
    TestBed.resetTestingModule();
    const next = TestBed.inject(ViewOptions);
    expect([
      next.wrap(),
      next.raw(),
      next.time(),
      next.times(),
      next.size(),
      next.columns(),
      next.histogram(),
      next.gone(),
      next.tree(),
    ]).toEqual(Object.values(chosen));
  });

  it.each(['', 'no JSON', 'null', '[]', '7', '{"time":"mars","size":3,"wrap":"yes","histogram":0}'])(
    'is the first again where %j is kept',
    (kept) => {
      localStorage.setItem(KEY, kept);
      expect(storedOptions()).toEqual(FIRST);
    },
  );

  it('lasts until reload if storage is blocked', () => {
    const full = jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('the quota was exceeded');
    });
    try {
      const options = TestBed.inject(ViewOptions);
      options.wrap.set(true);
      TestBed.tick();
      expect([full.mock.calls.length > 0, options.wrap()]).toEqual([true, true]);
    } finally {
      full.mockRestore();
    }
  });
});
