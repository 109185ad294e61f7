import { TestBed } from '@angular/core/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { makeLine } from '../../../shared/lines/testing/make-line';
import { HighlightRules } from './highlight-rules';

const KEY = 'slipway.log-highlights';

describe('HighlightRules', () => {
  afterEach(() => localStorage.clear());

  it('colors lines by the first matching rule, and keeps the rules in the browser', () => {
    const highlights = TestBed.inject(HighlightRules);
    highlights.rules.set([
      { text: 'Time.out', regex: false, color: 2 },
      { text: 'out', regex: false, color: 5 },
    ]);
    TestBed.tick();
    const color = (text: string): number | null => highlights.colorOf(makeLine(1, { text }), text);
    expect(['a time.out', 'timeout', 'in'].map(color)).toEqual([2, 5, null]);
    expect(JSON.parse(localStorage.getItem(KEY) ?? '')).toHaveLength(2);
  });

  it('ignores invalid stored rules', () => {
    const invalid = [null, 7, { text: '', regex: false, color: 1 }, { text: 'a', regex: false, color: 99 }];
    localStorage.setItem(KEY, JSON.stringify([...invalid, { text: 'b', regex: false, color: 1 }]));
    expect(TestBed.inject(HighlightRules).rules()).toEqual([{ text: 'b', regex: false, color: 1 }]);
  });
});
