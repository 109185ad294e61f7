import type { LogLine } from '../log-line';

/** 2026-11-22 08:00:00 UTC, in microseconds. */
export const EIGHT = Date.UTC(2026, 10, 22, 8) * 1000;

/** A line for specs: of source 1, a millisecond after the one before it. */
export function makeLine(seq: number, more: Partial<LogLine> = {}): LogLine {
  const time = EIGHT + seq * 1000;
  return {
    kind: 'line',
    source: 1,
    seq,
    time,
    rank: time,
    stream: 'stdout',
    level: null,
    text: `line ${seq}`,
    continues: false,
    isCut: false,
    ...more,
  };
}
