import { describe, expect, it } from '@jest/globals';
import { JOB_LOG_LIMITS, JobLog } from './job-log.js';
import type { JobLogLine } from './job.js';

const TIME = '2026-11-21T09:00:00.000Z';

/** Stores changes in memory. */
class MemoryStore {
  private readonly lines = new Map<number, JobLogLine>();

  take(log: JobLog): void {
    const change = log.drain();
    for (const line of change?.added ?? []) this.lines.set(line.sequence, line);
    if (!change?.cut) return;
    const { mark, through } = change.cut;
    this.lines.set(mark.sequence, mark);
    for (const sequence of this.lines.keys()) {
      if (sequence > mark.sequence && sequence <= through) this.lines.delete(sequence);
    }
  }

  get all(): JobLogLine[] {
    return [...this.lines.values()].sort((one, other) => one.sequence - other.sequence);
  }

  get size(): number {
    return this.all.reduce((sum, { text }) => sum + text.length, 0);
  }
}

describe('JobLog', () => {
  it.each([1, 7, 1000, 100_000])(
    'keeps the first and last lines within the limit, drained every %i lines',
    (every) => {
      const log = new JobLog(0, { lines: 100, size: 1_000_000 });
      const kept = new MemoryStore();
      for (let number = 1; number <= 5000; number += 1) {
        log.append(`line ${number}`, 'output', TIME);
        if (number % every === 0) kept.take(log);
      }
      kept.take(log);
      const texts = kept.all.map(({ text }) => text);
      expect(texts).toHaveLength(101);
      expect(texts.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, index) => `line ${index + 1}`));
      expect(texts.slice(51)).toEqual(Array.from({ length: 50 }, (_, index) => `line ${index + 4951}`));
      expect(kept.all[50]).toMatchObject({ kind: 'cut', text: '4900 lines were left out here' });
    },
  );

  it('keeps within the size limit', () => {
    const log = new JobLog(0, { lines: 10_000, size: 10_000 });
    const kept = new MemoryStore();
    for (let number = 1; number <= 1000; number += 1) log.append('x'.repeat(100), 'output', TIME);
    kept.take(log);
    expect(kept.size).toBeLessThanOrEqual(10_000 + 100);
    expect(kept.all.filter(({ kind }) => kind === 'cut')).toHaveLength(1);
  });

  it('has the limits that the API documents', () => {
    expect(JOB_LOG_LIMITS).toEqual({ lines: 10_000, size: 2_000_000 });
    const log = new JobLog();
    const kept = new MemoryStore();
    for (let number = 0; number < 30_000; number += 1) {
      log.append('y'.repeat(150), 'output', TIME);
      if (number % 500 === 0) kept.take(log);
    }
    kept.take(log);
    expect(kept.all.length).toBeLessThanOrEqual(10_001);
    expect(kept.size).toBeLessThanOrEqual(2_000_000 + 100);
  });

  it('removes nothing from a log within its limits', () => {
    const log = new JobLog(0, { lines: 100, size: 10_000 });
    const kept = new MemoryStore();
    for (let number = 1; number <= 100; number += 1) log.append('x', 'output', TIME);
    kept.take(log);
    expect(kept.all).toHaveLength(100);
    expect(log.drain()).toBeUndefined();
  });

  it('continues increasing sequences after a restart', () => {
    const log = new JobLog(41, { lines: 4, size: 1000 });
    const sequences = Array.from({ length: 20 }, () => log.append('x', 'note', TIME).sequence);
    expect(sequences[0]).toBe(42);
    expect(sequences).toEqual([...new Set(sequences)].sort((one, other) => one - other));
  });

  it('masks secrets, strips terminal control sequences, and truncates long lines', () => {
    const log = new JobLog();
    const masked = log.append(
      '\u001b[31mclient-key-data: c2VjcmV0c2VjcmV0\u001b[0m\r\nforged',
      'output',
      TIME,
    );
    expect(masked.text).toBe('client-key-data: [removed] forged');
    expect(log.append('z'.repeat(100_000), 'output', TIME).text).toHaveLength(4000);
  });
});
