import { describe, expect, it } from '@jest/globals';
import { searchParams, searchWords } from './search-words';

describe('a saved search', () => {
  it('says what it looks for, and not how that is shown', () => {
    expect(searchWords('q=time%20out&level=error&wrap=true')).toBe('text time out, level error');
    expect(searchWords('')).toBe('Everything');
  });

  it('is opened as it was saved', () => {
    expect(searchParams('q=a%26b&field=x:1&field=y:2')).toEqual({ q: 'a&b', field: ['x:1', 'y:2'] });
    expect(searchParams('')).toEqual({});
  });
});
