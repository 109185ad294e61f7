import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { ViewOptions } from '../lines/view-options';
import { type Period, PeriodForm } from './period-form';

describe('PeriodForm', () => {
  let fixture: ComponentFixture<PeriodForm>;
  let changes: Period[];
  let closed: number;

  beforeEach(async () => {
    changes = [];
    closed = 0;
    fixture = TestBed.createComponent(PeriodForm);
    fixture.componentInstance.changed.subscribe((period) => changes.push(period));
    fixture.componentInstance.closed.subscribe(() => (closed += 1));
    document.body.append(page());
    await given({ from: null, to: null });
  });

  const page = (): HTMLElement => fixture.nativeElement as HTMLElement;
  const options = (): ViewOptions => TestBed.inject(ViewOptions);

  async function given({ from, to }: Period): Promise<void> {
    fixture.componentRef.setInput('from', from);
    fixture.componentRef.setInput('to', to);
    await fixture.whenStable();
  }

  function field(label: 'From' | 'To'): HTMLInputElement {
    const labels = [...page().querySelectorAll('label')];
    const found = labels.find(({ textContent }) => textContent.trim().startsWith(label))?.control;
    if (!(found instanceof HTMLInputElement)) throw new Error(`there is no field ${label}`);
    return found;
  }

  function type(label: 'From' | 'To', text: string): void {
    const into = field(label);
    into.value = text;
    into.dispatchEvent(new Event('input'));
  }

  async function press(name: string): Promise<void> {
    const button = [...page().querySelectorAll('button')].find(
      ({ textContent }) => textContent.trim() === name,
    );
    if (!button) throw new Error(`there is no button ${name}`);
    button.click();
    await fixture.whenStable();
  }

  const values = (): string[] => [field('From').value, field('To').value];
  /** The error of an input, from its description. */
  function errorOf(label: 'From' | 'To'): string {
    const hint = document.getElementById(field(label).getAttribute('aria-describedby') ?? '');
    expect(field(label).getAttribute('aria-invalid')).toBe(hint ? 'true' : null);
    return hint?.textContent.trim() ?? '';
  }

  it('focuses its first input, and is empty without a period', () => {
    expect(document.activeElement).toBe(field('From'));
    expect(values()).toEqual(['', '']);
    expect(page().textContent).toContain('local time');
  });

  it('reads the input as local time', async () => {
    type('From', '2026-11-21T09:00:05');
    type('To', '2026-11-21T10:30');
    await press('Apply');
    expect(changes).toEqual([
      {
        from: new Date(2026, 10, 21, 9, 0, 5).toISOString(),
        to: new Date(2026, 10, 21, 10, 30).toISOString(),
      },
    ]);
    expect(closed).toBe(1);
  });

  it('reads the input as UTC if the rows are in UTC, and accepts a single end', async () => {
    options().time.set('utc');
    await fixture.whenStable();
    expect(page().textContent).toContain('UTC');
    type('To', '2026-11-21T10:30:59');
    await press('Apply');
    type('From', '2026-11-21T09:00:05');
    type('To', '');
    await press('Apply');
    expect(changes).toEqual([
      { from: null, to: '2026-11-21T10:30:59.000Z' },
      { from: '2026-11-21T09:00:05.000Z', to: null },
    ]);
  });

  it('shows the given period, and keeps the precision of unchanged ends', async () => {
    options().time.set('utc');
    const period = { from: '2026-11-21T09:00:05.123Z', to: '2026-11-21T11:00:00+01:00' };
    await given(period);
    expect(values().map((value) => value.slice(0, 16))).toEqual(['2026-11-21T09:00', '2026-11-21T10:00']);
    await press('Apply');
    type('To', '2026-11-21T10:00:01');
    await press('Apply');
    expect(changes).toEqual([period, { ...period, to: '2026-11-21T10:00:01.000Z' }]);
  });

  it('shows a relative period as an absolute time', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000 - 900_000;
    await given({ from: '15m', to: null });
    await press('Apply');
    const began = Date.parse(changes[0]?.from ?? '');
    expect(began).toBeGreaterThanOrEqual(before - 1000);
    expect(began).toBeLessThanOrEqual(Date.now() - 900_000);
    expect([began % 1000, changes[0]?.to]).toEqual([0, null]);
    expect(values()[1]).toBe('');
  });

  it('converts both ends when the time zone changes, including unsaved input', async () => {
    await given({ from: '2026-07-01T22:30:00.000Z', to: null });
    type('To', '2026-07-03T08:15:00');
    const moment = new Date(2026, 6, 3, 8, 15);
    options().time.set('utc');
    await fixture.whenStable();
    expect(Date.parse(`${field('From').value}Z`)).toBe(Date.UTC(2026, 6, 1, 22, 30));
    expect(Date.parse(`${field('To').value}Z`)).toBe(moment.getTime());
    options().time.set('relative');
    await fixture.whenStable();
    expect(Date.parse(field('To').value)).toBe(moment.getTime());
    await press('Apply');
    expect(changes).toEqual([{ from: '2026-07-01T22:30:00.000Z', to: moment.toISOString() }]);
  });

  it.each(['2026-11-21T09:00:05', '2026-11-21T08:00:00'])(
    'tells at its field that %s is not after the other, and keeps both',
    async (to) => {
      type('From', '2026-11-21T09:00:05');
      type('To', to);
      const typed = values();
      await press('Apply');
      expect([errorOf('From'), errorOf('To')]).toEqual(['', 'Must be after From.']);
      expect([changes, closed, values()]).toEqual([[], 0, typed]);
      expect(document.activeElement).toBe(field('To'));
      type('From', '2026-11-21T07:00:00');
      await fixture.whenStable();
      expect(errorOf('To')).toBe('');
      await press('Apply');
      expect(changes).toHaveLength(1);
    },
  );

  it('shows an error at incomplete or out-of-range input', async () => {
    // In browsers, incomplete input has an empty value.
    Object.defineProperty(field('From'), 'validity', { value: { badInput: true }, configurable: true });
    type('To', '1969-12-30T00:00:00');
    await press('Apply');
    expect([errorOf('From'), errorOf('To')]).toEqual([
      'Enter a date with hours, minutes and seconds.',
      'Enter a year from 1970 to 9999.',
    ]);
    expect(document.activeElement).toBe(field('From'));
    expect([changes, closed, field('To').value.slice(0, 10)]).toEqual([[], 0, '1969-12-30']);
  });

  it('clears without closing, and emits only if there was a period', async () => {
    type('From', '2026-11-21T09:00:05');
    type('To', '2026-11-21T08:00:00');
    await press('Apply');
    await press('Clear');
    expect([values(), errorOf('To'), changes, closed]).toEqual([['', ''], '', [], 0]);
    expect(document.activeElement).toBe(field('From'));
    await given({ from: '15m', to: null });
    await press('Clear');
    expect([values(), changes, closed]).toEqual([['', ''], [{ from: null, to: null }], 0]);
  });

  it('closes by its button and by Escape, which does not reach the page', async () => {
    let heard = 0;
    const hear = (): void => void (heard += 1);
    document.addEventListener('keydown', hear);
    field('To').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    document.removeEventListener('keydown', hear);
    await press('Close');
    expect([closed, heard, changes]).toEqual([2, 0, []]);
  });
});
