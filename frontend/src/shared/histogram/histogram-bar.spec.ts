import { beforeEach, describe, expect, it } from '@jest/globals';
import { signal, type WritableSignal } from '@angular/core';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import type { HistogramDto } from '../api/api-types';
import { formatClock, formatFull } from '../format/format';
import { Clock } from '../browser/clock';
import { ViewOptions } from '../lines/view-options';
import { provideApi } from '../testing/fake-api';
import { EMPTY_QUERY } from '../search/log-query';
import { HistogramBar } from './histogram-bar';

/** Ten buckets of one minute; the n-th has n lines with one warning; the last one also has two errors. */
function histogram(more: Partial<HistogramDto> = {}): HistogramDto {
  const buckets = Array.from({ length: 10 }, (_, index) => ({
    time: time(index),
    total: index * 1000,
    levels: { ...(index > 0 && { warn: 1 }), ...(index === 9 && { error: 1, fatal: 1 }) },
  }));
  return { from: time(0), to: time(10), bucket_seconds: 60, buckets, reason: 'complete', ...more };
}

function time(minute: number): string {
  return new Date(Date.UTC(2026, 10, 22, 8, minute)).toISOString();
}

describe('HistogramBar', () => {
  let now: WritableSignal<number>;
  let asked: { q?: string }[];
  let answer: () => Promise<HistogramDto>;
  let fixture: ComponentFixture<HistogramBar>;
  let periods: { from: string; to: string }[];

  beforeEach(() => {
    asked = [];
    periods = [];
    answer = () => Promise.resolve(histogram());
    const api = provideApi({
      'GET /api/histogram': (params) => {
        asked.push(params);
        return answer();
      },
    });
    now = signal(Date.parse(time(20)));
    TestBed.configureTestingModule({
      providers: [api, { provide: Clock, useValue: { now } }],
    });
    fixture = TestBed.createComponent(HistogramBar);
    fixture.componentRef.setInput('query', EMPTY_QUERY);
    fixture.componentRef.setInput('sources', [1, 2]);
    fixture.componentInstance.period.subscribe((period) => periods.push(period));
  });

  async function settle(): Promise<void> {
    // Does not wait for stability: a pending request prevents it.
    for (let round = 0; round < 3; round += 1) {
      await new Promise((resolve) => setTimeout(resolve));
      fixture.detectChanges();
    }
  }

  const page = (): HTMLElement => fixture.nativeElement as HTMLElement;
  const slider = (): HTMLElement | null => page().querySelector('[role=slider]');
  const words = (): string | null | undefined => slider()?.getAttribute('aria-valuetext');
  const readout = (): string | undefined => page().querySelector('.readout')?.textContent.trim();
  const text = (): string => page().textContent.replace(/\s+/g, ' ').trim();

  async function press(key: string, shiftKey = false): Promise<KeyboardEvent> {
    const event = new KeyboardEvent('keydown', { key, shiftKey, cancelable: true });
    slider()?.dispatchEvent(event);
    await settle();
    return event;
  }

  it('draws a bar for each bucket relative to the highest, and shows the sums', async () => {
    await settle();
    expect(asked).toEqual([{ sources: '1,2', buckets: 90 }]);
    const bars = [...page().querySelectorAll('.cols i')];
    expect(bars).toHaveLength(10);
    const heights = (bar: Element | undefined): number[] =>
      [...(bar?.querySelectorAll('u') ?? [])].map(({ style }) => Math.round(parseFloat(style.height)));
    // A small count is still visible.
    expect([heights(bars[0]), heights(bars[9])]).toEqual([
      [0, 0, 0],
      [100, 3, 3],
    ]);
    expect([...page().querySelectorAll('.values span')].map(({ textContent }) => textContent)).toEqual([
      '9,000',
      '0',
    ]);
    expect(text()).toMatch(/44,989 other lines ?9 warn ?2 error$/);
    expect(words()).toBe(`${formatClock(time(0))} to ${formatClock(time(10))}`);
  });

  it('shows the date of bars that are not of today, and on the axis if there are several dates', async () => {
    now.set(Date.parse(time(20)) + 86_400_000 * 3);
    await settle();
    expect(words()).toBe(`${formatFull(time(0))} to ${formatClock(time(10))}`);
    await press('ArrowLeft');
    expect(words()).toMatch(`${formatFull(time(8))}, 8,000 lines`);
    expect(readout()).toMatch(`${formatFull(time(8))}, 8,000 lines`);
    const marks = (): (string | null)[] =>
      [...page().querySelectorAll('.axis span')].map(({ textContent }) => textContent);
    const size = (): string | null | undefined => page().querySelector('.axis')?.getAttribute('data-size');
    expect([marks()[0], marks().at(-1), size()]).toEqual([
      formatClock(time(0)).slice(0, 5),
      formatClock(time(9)).slice(0, 5),
      null,
    ]);
    TestBed.inject(ViewOptions).time.set('utc');
    const buckets = [0, 1, 2].map((day) => ({ time: time(day * 1440), total: 1, levels: {} }));
    answer = () => Promise.resolve(histogram({ bucket_seconds: 86_400, buckets }));
    fixture.componentRef.setInput('version', 1);
    await settle();
    expect([marks(), size()]).toEqual([['22 Nov 08:00', '23 Nov 08:00', '24 Nov 08:00'], 'long']);
  });

  it('loads nothing without sources', async () => {
    fixture.componentRef.setInput('sources', []);
    await settle();
    expect([asked, slider()]).toEqual([[], null]);
  });

  it('reloads for another query or version, and keeps the previous bars meanwhile', async () => {
    await settle();
    const waiting = Promise.withResolvers<HistogramDto>();
    answer = () => waiting.promise;
    fixture.componentRef.setInput('query', { ...EMPTY_QUERY, text: 'timeout' });
    await settle();
    expect(asked[1]?.q).toBe('timeout');
    expect(text()).toContain('44,989 other lines');
    waiting.resolve(histogram({ buckets: [{ time: time(0), total: 1, levels: {} }], reason: 'timeout' }));
    await settle();
    expect(text()).toMatch(/:001 other line ?0 warn ?0 error/);
    expect(text()).toContain('Partial count: the search timed out');
    fixture.componentRef.setInput('version', 1);
    await settle();
    expect(asked).toHaveLength(3);
  });

  it('is empty if the lines could not be counted', async () => {
    answer = () => Promise.reject(new Error('no answer'));
    await settle();
    expect([asked.length, slider()]).toEqual([1, null]);
  });

  it('moves between bars with keys, starting at the newest', async () => {
    await settle();
    expect((await press('ArrowLeft')).defaultPrevented).toBe(true);
    expect(words()).toBe(`${formatClock(time(8))}, 8,000 lines, 1 warn`);
    await press('PageUp');
    expect(words()).toBe(`${formatClock(time(0))}, 0 lines`);
    await press('End');
    await press('ArrowRight');
    expect(words()).toContain(formatClock(time(9)));
    await press('Home');
    expect(words()).toContain(formatClock(time(0)));
    expect((await press('x')).defaultPrevented).toBe(false);
    expect(periods).toEqual([]);
  });

  it('selects a range with Shift and Enter in both directions', async () => {
    await settle();
    await press('Home');
    for (let count = 0; count < 4; count += 1) await press('ArrowRight');
    await press('ArrowLeft', true);
    await press('ArrowLeft', true);
    expect(page().querySelector('.brush')?.textContent.trim()).toMatch(/^3 ?m/);
    await press('Enter');
    expect(periods).toEqual([{ from: time(2), to: time(5) }]);
    expect(page().querySelector('.brush')).toBeNull();
    // A range of one bar.
    await press('Home');
    await press('Enter');
    expect(periods[1]).toEqual({ from: time(0), to: time(1) });
  });

  it('clears the selection on Escape, and leaves the next Escape to the page', async () => {
    await settle();
    await press('Home');
    expect((await press('Escape')).defaultPrevented).toBe(true);
    await press('Enter');
    expect(periods).toEqual([]);
    expect((await press('Escape')).defaultPrevented).toBe(false);
  });

  it('selects a range by dragging with the primary button, also beyond its ends', async () => {
    await settle();
    const area = slider();
    if (!area) throw new Error('there is no histogram');
    // jsdom has no layout and no pointer capture.
    area.getBoundingClientRect = () => ({ left: 100, width: 200 }) as DOMRect;
    const captured: number[] = [];
    area.setPointerCapture = (id) => captured.push(id);
    const pointer = (type: string, clientX: number, button = 0): void => {
      const event = new MouseEvent(type, { clientX, button });
      area.dispatchEvent(Object.assign(event, { pointerId: 4 }));
    };
    pointer('pointerdown', 150, 2);
    pointer('pointerup', 250, 2);
    expect([captured, periods]).toEqual([[], []]);
    pointer('pointerdown', 170);
    pointer('pointermove', 500);
    await settle();
    expect(page().querySelector<HTMLElement>('.brush')?.style.left).toBe('30%');
    pointer('pointermove', 119);
    pointer('pointerup', 119);
    expect([captured, periods]).toEqual([[4], [{ from: time(0), to: time(4) }]]);
    pointer('pointermove', 299);
    await settle();
    expect(readout()).toBe(`${formatClock(time(9))}, 9,000 lines, 1 warn, 2 error`);
    pointer('pointerleave', 320);
    await settle();
    expect(readout()).toBeUndefined();
    pointer('pointerdown', 170);
    pointer('pointercancel', 170);
    pointer('pointerup', 190);
    await settle();
    expect([periods.length, page().querySelector('.brush')]).toEqual([1, null]);
  });
});
