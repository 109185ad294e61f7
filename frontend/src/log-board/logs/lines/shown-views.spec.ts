import { describe, expect, it } from '@jest/globals';
import { signal } from '@angular/core';
import type { LogView } from './log-view';
import { ShownViews } from './shown-views';

describe('ShownViews', () => {
  it('counts received lines of all views', () => {
    const counts = [signal(0), signal(0)];
    const views = new ShownViews(signal(counts.map((arrived) => ({ arrived }) as unknown as LogView)));
    expect(views.arrived()).toBe(0);
    counts[1]?.set(3);
    expect(views.arrived()).toBe(3);
    counts[0]?.set(2);
    expect(views.arrived()).toBe(5);
  });
});
