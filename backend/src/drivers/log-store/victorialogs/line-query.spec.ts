import { describe, expect, it } from '@jest/globals';
import { newLine, searchOf, START } from '../../../../../test/support/logs/lines.js';
import { LineQuery } from './line-query.js';

const regexOr = (source: string): LineQuery =>
  new LineQuery(
    searchOf({
      condition: {
        type: 'or',
        parts: [
          { type: 'regex', source },
          { type: 'text', pattern: ['b'] },
        ],
      },
    }),
  );

describe('LineQuery', () => {
  it('rejects an invalid regex that only this process runs', () => {
    expect(() => regexOr('(')).toThrow('The regex is invalid');
    expect(() => regexOr('(?=a)')).toThrow('lookahead');
  });

  it('tells that a regex of a condition took too long', () => {
    const query = regexOr('(a+)+$');
    expect(query.isOverdue).toBe(false);
    const line = { ...newLine(`${'a'.repeat(40)}!`, START), seq: 1 };
    expect(query.isExact({ source: 1, effective: START, line })).toBe(false);
    expect(query.isOverdue).toBe(true);
  });
});
