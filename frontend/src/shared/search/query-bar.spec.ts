import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { ViewOptions } from '../lines/view-options';
import { EMPTY_QUERY, type LogQuery } from './log-query';
import { QueryBar } from './query-bar';

describe('QueryBar period', () => {
  let fixture: ComponentFixture<QueryBar>;
  let changes: LogQuery[];

  beforeEach(async () => {
    // Noon, so that nearby time zones have the same date.
    jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 10, 22, 12));
    changes = [];
    fixture = TestBed.createComponent(QueryBar);
    fixture.componentInstance.changed.subscribe((query) => {
      changes.push(query);
      fixture.componentRef.setInput('query', query);
    });
    document.body.append(page());
    await given({});
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const page = (): HTMLElement => fixture.nativeElement as HTMLElement;
  const button = (): HTMLElement | null => page().querySelector('[title="Time range"]');
  const range = (): string | undefined => button()?.textContent.replace(/\s+/g, ' ').trim();

  async function given(query: Partial<LogQuery>): Promise<void> {
    fixture.componentRef.setInput('query', { ...EMPTY_QUERY, ...query });
    await fixture.whenStable();
  }

  it('shows the period in the time zone of the rows, with the date unless it is today', async () => {
    TestBed.inject(ViewOptions).time.set('utc');
    await given({ from: '2026-11-22T09:00:05.250Z', to: '2026-11-22T11:00:00+01:00' });
    expect(range()).toBe('09:00:05 to 10:00:00');
    await given({ from: '2026-11-21T09:00:05Z', to: '2026-11-21T10:00:00Z' });
    expect(range()).toBe('2026-11-21 09:00:05 to 10:00:00');
    await given({ from: '2026-11-21T23:00:00Z', to: '2026-11-22T01:00:00Z' });
    expect(range()).toBe('2026-11-21 23:00:00 to 2026-11-22 01:00:00');
    await given({ from: '2026-11-21T23:00:00Z' });
    expect(range()).toBe('since 2026-11-21 23:00:00');
    await given({ to: '2026-99-99T23:00:00Z' });
    expect(range()).toBe('until –');
    TestBed.inject(ViewOptions).time.set('local');
    await given({ to: new Date(2026, 10, 22, 9, 30).toISOString() });
    expect(range()).toBe('until 09:30:00');
  });

  it('shows a regex between slashes, and reads what is typed over it as a query', async () => {
    const field = page().querySelector<HTMLInputElement>('[type=search]');
    const toggle = page().querySelector<HTMLElement>('[aria-label="Regular expression"]');
    if (!field || !toggle) throw new Error('there is no field');
    const enter = async (typed: string): Promise<unknown[]> => {
      field.value = typed;
      field.dispatchEvent(new Event('input'));
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
      await fixture.whenStable();
      return [field.value, toggle.ariaPressed, changes.at(-1)?.text, changes.at(-1)?.regex];
    };
    expect(await enter('/time.*out/')).toEqual(['/time.*out/', 'true', 'time.*out', true]);
    expect(await enter('[error]')).toEqual(['[error]', 'false', '[error]', false]);
    toggle.click();
    await fixture.whenStable();
    expect([field.value, changes.at(-1)?.text, changes.at(-1)?.regex]).toEqual([
      '/[error]/',
      '[error]',
      true,
    ]);
    toggle.click();
    await fixture.whenStable();
    expect([field.value, toggle.ariaPressed]).toEqual(['[error]', 'false']);
    // Switched on before it is typed.
    await given({ regex: true });
    expect(toggle.ariaPressed).toBe('true');
    expect(await enter('a b')).toEqual(['/a b/', 'true', 'a b', true]);
  });

  it('opens the form from its button, and keeps the rest of the query', async () => {
    TestBed.inject(ViewOptions).time.set('utc');
    await given({ text: 'timeout', from: '15m' });
    expect(range()).toBe('Last 15 minutes');
    button()?.click();
    await fixture.whenStable();
    const choices = [...document.querySelectorAll<HTMLElement>('[role=menu] button')];
    expect(choices.find((choice) => choice.ariaChecked === 'true')?.textContent).toContain('Last 15 minutes');
    choices.at(-1)?.click();
    await fixture.whenStable();
    const [from, to] = page().querySelectorAll<HTMLInputElement>('[type=datetime-local]');
    if (!from || !to) throw new Error('there are no fields');
    // A relative period is shown as an absolute time.
    expect(from.value.slice(0, 16)).toBe('2026-11-22T11:45');
    from.value = '2026-11-22T09:00:00';
    to.value = '2026-11-22T09:30:00';
    page()
      .querySelector('form')
      ?.dispatchEvent(new Event('submit', { cancelable: true }));
    await fixture.whenStable();
    const typed = { from: '2026-11-22T09:00:00.000Z', to: '2026-11-22T09:30:00.000Z' };
    expect(changes).toEqual([{ ...EMPTY_QUERY, text: 'timeout', ...typed }]);
    expect(range()).toBe('09:00:00 to 09:30:00');
    expect(page().querySelector('form')).toBeNull();
    expect(document.activeElement).toBe(button());
  });
});
