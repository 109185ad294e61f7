import { describe, expect, it } from '@jest/globals';
import { searchParams, searchWords } from './search-words';

describe('a saved search', () => {
  it('says what it looks for, and not how that is shown', () => {
    expect(searchWords('q=time%20out&level=error&wrap=true')).toBe('text time out, level error');
    expect(searchWords('')).toBe('Everything');
    expect(searchWords('from=15m&without_field=status:200')).toBe('last 15m, without field status:200');
    expect(searchWords('from=2026-11-21T09:00:00Z')).toBe('from 2026-11-21T09:00:00Z');
  });

  it('is opened as it was saved', () => {
    expect(searchParams('q=a%26b&field=x:1&field=y:2')).toEqual({ q: 'a&b', field: ['x:1', 'y:2'] });
    // A period that counts from now stays one.
    expect(searchParams('from=15m')).toEqual({ from: '15m' });
    expect(searchParams('')).toEqual({});
  });
});
