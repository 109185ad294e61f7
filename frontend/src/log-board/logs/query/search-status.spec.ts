import { signal, type WritableSignal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SearchStatus } from './search-status';
import type { SearchRun } from './search-run';

describe('SearchStatus', () => {
  let searchedTo: WritableSignal<string | null>;

  beforeEach(() => {
    jest.useFakeTimers({ now: new Date(2026, 10, 21, 18, 0, 0) });
    searchedTo = signal(null);
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  function textOfTimedOut(): string {
    const run: Partial<SearchRun> = {
      problem: signal(null),
      held: signal(3),
      total: signal(null),
      searched: signal(100),
      isRunning: signal(false),
      reason: signal('timeout' as const),
      searchedTo,
    };
    const fixture = TestBed.createComponent(SearchStatus);
    fixture.componentRef.setInput('run', run);
    fixture.detectChanges();
    return (fixture.nativeElement as HTMLElement).querySelector('[role=status]')?.textContent ?? '';
  }

  it('shows a timeout', () => {
    expect(textOfTimedOut()).toBe('3 matches. The search timed out.');
  });

  it('shows the time back to which a search that timed out is complete', () => {
    searchedTo.set(new Date(2026, 10, 21, 14, 2, 11).toISOString());
    expect(textOfTimedOut()).toBe('3 matches. The search timed out. Searched back to 14:02:11.');
  });

  it('names the date of another day', () => {
    searchedTo.set(new Date(2026, 10, 20, 9, 5, 0).toISOString());
    expect(textOfTimedOut()).toBe('3 matches. The search timed out. Searched back to 2026-11-20 09:05:00.');
  });
});
