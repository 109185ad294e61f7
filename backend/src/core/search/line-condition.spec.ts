import { describe, expect, it } from '@jest/globals';
import { fieldsOf } from '../lines/index.js';
import { compileCondition } from './line-condition.js';

const LIMIT = 500;

const PIECES = [
  ...[
    'status',
    'Status',
    '=',
    ':',
    '="',
    '":"',
    '{"',
    ' ',
    ',',
    '}',
    '[',
    ']',
    "'",
    '\\',
    '503',
    '200',
    '5e2',
    'a',
    '.',
  ],
];

/** Whether a line meets `status>=500`. */
const isMet = (text: string): boolean =>
  compileCondition(
    { type: 'compare', name: 'status', operator: '>=', pattern: [String(LIMIT)] },
    false,
    () => () => false,
  )(1, { text, level: null, stream: null });

describe('a comparison', () => {
  it.each([
    ['status=503 method=GET', true],
    ['"status"="503"', true],
    ['{"status": 503, "user":"a"}', true],
    ['{"status":"200","Status":503}', true],
    ['{"old":{"status":200},"status":503}', true],
    ['{"msg":"status=200","status":503}', true],
    ['[GET path=/?status=200 status=503]', true],
    ['10.0.0.1 - - [1/Nov/2026:10:00:00 +0000] "GET /?status=200 HTTP/1.1" 503 12', true],
    ['{"status":503', false],
    ['status=200 statuses=503', false],
    ['status="500 ms"', false],
    ['status=200, then it was 503', false],
    ['{"status":5e2}', true],
    ['status=+600', true],
  ])('reads the number of %s', (text, expected) => {
    expect(isMet(text)).toBe(expected);
  });

  it('finds what the fields of a line say, whatever is around them', () => {
    // Always the same sequence.
    let state = 7;
    const next = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    for (let count = 0; count < 20_000; count += 1) {
      const text = Array.from({ length: 1 + next(14) }, () => PIECES[next(PIECES.length)]).join('');
      const values = fieldsOf(text).pairs.filter(({ name }) => name.toLowerCase() === 'status');
      // Only a number without a unit can be compared with one.
      const isOne = ({ value }: { value: string }): boolean => /^\s*\+?\d[\d.]*(?:e\d+)?%?\s*$/.test(value);
      const expected = values.some((pair) => isOne(pair) && parseFloat(pair.value) >= LIMIT);
      expect([text, isMet(text)]).toEqual([text, expected]);
    }
  });
});
