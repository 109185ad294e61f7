import { describe, expect, it } from '@jest/globals';
import type { LogLine } from '../log-line.js';
import { entryOf, rowOf, timeOf, type Row } from './line-format.js';

const TIME = 1_795_000_000_123_456;

function entry(text: string, more: Partial<LogLine> = {}): Parameters<typeof rowOf>[2] {
  const line = { seq: 7, time: TIME, stream: null, level: null, text, cut: 0, continues: false, ...more };
  return { source: 3, effective: TIME, line };
}

describe('rows of VictoriaLogs', () => {
  it.each([
    [entry('plain')],
    [entry('')],
    [entry(' \t ')],
    [entry('(empty line)')],
    [entry('6.0')],
    [entry('-1_000')],
    [entry('x', { time: TIME - 5, stream: 'stderr', level: 'warn', cut: 12, continues: true })],
    [entry('\u0001'.repeat(65_536))],
    [entry('漢'.repeat(65_536))],
  ])('return the line that they were made of (case %#)', (one) => {
    const row = rowOf('store', 9, one);
    expect(Buffer.byteLength(row)).toBeLessThan(256 * 1024);
    expect(entryOf(JSON.parse(row) as Row)).toEqual(one);
  });

  it('have a message that is not empty, and no line break', () => {
    const row = rowOf('store', 9, entry(''));
    expect(JSON.parse(row)).toMatchObject({ _msg: '(empty line)', empty_line: 1 });
    expect(rowOf('store', 9, entry('a\nb'))).not.toContain('\n');
  });

  it.each([
    {},
    { source: '1', seq: '1', _time: 'yesterday', _msg: 'x' },
    { source: '1', seq: 'many', _time: '2026-11-21T00:00:00Z', _msg: 'x' },
    { source: '1', seq: '1', _time: '2026-11-21T00:00:00Z', _msg: 'x'.repeat(70_000) },
    { source: '1', seq: '1', _time: '2026-11-21T00:00:00Z', packed_text: 'not deflated' },
  ])('are rejected if this store did not write them: %j', (row) => {
    expect(() => entryOf(row)).toThrow();
  });

  // Case L20: newer versions add fields to rows, such as hidden ones.
  it('may have fields that no query names', () => {
    const one = entry('plain', { level: 'warn' });
    const row = JSON.parse(rowOf('store', 9, one)) as Row;
    expect(entryOf({ ...row, _stream: '{store="x"}', 'trace.hidden': '1', '-level.hidden': 'x' })).toEqual(
      one,
    );
  });

  it('have times of up to nine digits', () => {
    expect(timeOf('2026-11-18T11:06:40.1234567Z')).toBe(1_795_000_000_123_456);
    expect(timeOf('2026-11-18T11:06:40Z')).toBe(1_795_000_000_000_000);
  });
});
