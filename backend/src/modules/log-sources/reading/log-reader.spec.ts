import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { LogPiece, LogStart } from '../../../drivers/runtime/index.js';
import type { NewLogLine } from '../../../drivers/log-store/index.js';
import type { LineSink } from './line-sink.js';
import { LogReader, type FollowedLog } from './log-reader.js';
import type { KnownLine } from './resumption.js';

const SECOND = 1_000_000;
const NOW = 1_795_000_000 * SECOND;

/** Stores lines in memory. */
class StoredLines implements LineSink {
  readonly lines: NewLogLine[] = [];
  deleted: number | null = null;

  append(source: number, lines: readonly NewLogLine[]): void {
    expect(source).toBe(7);
    this.lines.push(...lines);
  }

  room(): Promise<void> {
    return Promise.resolve();
  }

  lastTime(): number | null {
    return this.lines.length === 0 ? this.deleted : Math.max(...this.lines.map(({ time }) => time));
  }

  deletedAt(): number | null {
    return this.deleted;
  }

  between(_source: number, time: number): Promise<KnownLine[]> {
    // All lines after the first one of this time, in order: some may be older.
    const first = this.lines.findIndex((line) => line.time >= time);
    return Promise.resolve(first < 0 ? [] : this.lines.slice(first));
  }

  get texts(): string[] {
    return this.lines.map(({ text }) => text);
  }
}

/** A log that supports `since` and `tail`, and can break. */
class ScriptedLog implements FollowedLog {
  readonly firstTail = 1_000_000;
  readonly starts: LogStart[] = [];
  breakAfter = Infinity;

  constructor(
    readonly written: { time: number; text: string }[],
    readonly wholeSecondTimes = false,
  ) {}

  open = (start: LogStart): AsyncIterable<LogPiece[]> => {
    this.starts.push(start);
    return this.read(start);
  };

  private async *read({ since, tail }: LogStart): AsyncGenerator<LogPiece[]> {
    const lines = this.written
      .map(({ time, text }) => ({
        time: this.wholeSecondTimes ? Math.floor(time / SECOND) * SECOND : time,
        text,
      }))
      .slice(-tail)
      .filter(({ time }) => since === null || time >= since);
    for (const [index, { time, text }] of lines.entries()) {
      if (index === this.breakAfter) throw new Error('the stream broke');
      yield [{ stream: 'stdout', time, data: Buffer.from(`${text}\n`) }];
      await Promise.resolve();
    }
  }
}

function written(count: number, from = 0): { time: number; text: string }[] {
  // Every third line repeats the previous text, and every second one has the same time.
  return Array.from({ length: count }, (_, index) => ({
    time: NOW - 3600 * SECOND + Math.floor((from + index) / 2) * 1000,
    text: `line ${Math.floor(((from + index) * 2) / 3)}`,
  }));
}

/** A log with the given stream. */
function logOf(open: FollowedLog['open']): FollowedLog {
  return { wholeSecondTimes: false, firstTail: 10, open };
}

const signal = new AbortController().signal;

describe('LogReader', () => {
  it('stores each line once, however often the log is read and wherever it breaks', async () => {
    const log = new ScriptedLog(written(300));
    const sink = new StoredLines();
    for (const breakAfter of [0, 1, 57, 58, 100]) {
      log.breakAfter = breakAfter;
      const reader = new LogReader(sink, () => NOW / 1000);
      await expect(reader.read(7, log, signal)).rejects.toThrow('the stream broke');
    }
    log.breakAfter = Infinity;
    await new LogReader(sink, () => NOW / 1000).read(7, log, signal);
    await new LogReader(sink, () => NOW / 1000).read(7, log, signal);
    expect(sink.texts).toEqual(log.written.map(({ text }) => text));
  });

  it('stores no line twice if the engine rounds `since` down to a second', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => ({
      time: NOW - 3600 * SECOND + index * 45_000,
      text: `line ${index}`,
    }));
    let end = 40;
    const log = logOf(async function* ({ since }) {
      const from = since === null ? 0 : Math.floor(since / SECOND) * SECOND;
      await Promise.resolve();
      for (const { time, text } of lines.slice(0, end)) {
        if (time >= from) yield [{ stream: null, time, data: Buffer.from(`${text}\n`) }];
      }
    });
    log.firstTail = 100;
    const sink = new StoredLines();
    for (end of [10, 40, 41, 60]) await new LogReader(sink, () => NOW / 1000).read(7, log, signal);
    expect(sink.texts).toEqual(lines.map(({ text }) => text));
  });

  it('increases the tail until it reaches back to the stored lines', async () => {
    const log = new ScriptedLog(written(100));
    const sink = new StoredLines();
    const reader = new LogReader(sink, () => NOW / 1000);
    await reader.read(7, log, signal);
    log.written.push(...written(30_000, 100));
    log.starts.splice(0);
    await reader.read(7, log, signal);
    expect(sink.texts).toEqual(log.written.map(({ text }) => text));
    expect(log.starts.map(({ tail }) => tail)).toEqual([1000, 20_000, 1_000_000]);
  });

  it('stores the available lines if the log has lost some', async () => {
    const log = new ScriptedLog(written(100));
    const sink = new StoredLines();
    const reader = new LogReader(sink, () => NOW / 1000);
    await reader.read(7, log, signal);
    log.written.splice(0, 100, ...written(10, 5000));
    await reader.read(7, log, signal);
    expect(sink.texts.slice(100)).toEqual(log.written.map(({ text }) => text));
  });

  it.each(['before the first read', 'between two reads'])(
    'continues after the clock was set back %s',
    async (when) => {
      const log = new ScriptedLog([
        { time: NOW - 10, text: 'before' },
        { time: NOW, text: 'last' },
      ]);
      const sink = new StoredLines();
      const hour = 3600 * SECOND;
      const reader = new LogReader(sink, () => (NOW - hour + 20 * SECOND) / 1000);
      const after = (second: number): { time: number; text: string } => ({
        time: NOW - hour + second * SECOND,
        text: `after ${second}`,
      });
      if (when === 'between two reads') await reader.read(7, log, signal);
      log.written.push(after(1), after(2));
      await reader.read(7, log, signal);
      log.written.push(after(2), after(3));
      await reader.read(7, log, signal);
      await reader.read(7, log, signal);
      expect(sink.texts).toEqual(['before', 'last', 'after 1', 'after 2', 'after 2', 'after 3']);
    },
  );

  it('does not store deleted lines again', async () => {
    const log = new ScriptedLog(written(100));
    const sink = new StoredLines();
    await new LogReader(sink, () => NOW / 1000).read(7, log, signal);
    const last = log.written.at(-1)?.time ?? 0;
    sink.lines.splice(0);
    // Deleted a moment after the last one was written.
    sink.deleted = last + 10;
    await new LogReader(sink, () => NOW / 1000).read(7, log, signal);
    expect(sink.texts).toEqual([]);
    log.written.push({ time: last + 11, text: 'new' });
    await new LogReader(sink, () => NOW / 1000).read(7, log, signal);
    await new LogReader(sink, () => NOW / 1000).read(7, log, signal);
    expect(sink.texts).toEqual(['new']);
  });

  it('skips lines older than a deletion during the read', async () => {
    const sink = new StoredLines();
    const line = (time: number, text: string): LogPiece[] => [
      { stream: null, time, data: Buffer.from(`${text}\n`) },
    ];
    const log = logOf(async function* () {
      yield line(NOW, 'one');
      sink.lines.splice(0);
      sink.deleted = NOW + 100;
      yield line(NOW + 50, 'two');
      yield line(NOW + 101, 'three');
      await Promise.resolve();
    });
    await new LogReader(sink).read(7, log, signal);
    expect(sink.texts).toEqual(['three']);
  });

  describe('with whole seconds', () => {
    it('skips lines from the second of a deletion, except live ones', async () => {
      const sink = new StoredLines();
      let now = NOW + 700_000;
      const log = new ScriptedLog([{ time: NOW, text: 'before' }], true);
      const reader = (): LogReader => new LogReader(sink, () => now / 1000);
      const live = logOf(async function* () {
        yield [{ stream: null, time: NOW, data: Buffer.from('before\n') }];
        sink.lines.splice(0);
        sink.deleted = NOW + 700_000;
        now = NOW + 800_000;
        yield [{ stream: null, time: NOW, data: Buffer.from('after\n') }];
        await Promise.resolve();
      });
      await reader().read(7, { ...live, wholeSecondTimes: true }, signal);
      expect(sink.texts).toEqual(['after']);
      log.written.push({ time: NOW + 800_000, text: 'after' });
      await reader().read(7, log, signal);
      now = NOW + 10 * SECOND;
      await reader().read(7, log, signal);
      expect(sink.texts).toEqual(['after']);
    });

    it('gives live lines the time of reading within their second', async () => {
      const log = new ScriptedLog([{ time: NOW + 1, text: 'now' }], true);
      for (const [now, time] of [
        [NOW + 250_000, NOW + 250_000],
        [NOW + 1_100_000, NOW + 999_999],
        [NOW - 5, NOW],
        [NOW + 3_000_001, NOW],
      ] as const) {
        const sink = new StoredLines();
        await new LogReader(sink, () => now / 1000).read(7, log, signal);
        expect(sink.lines.map((line) => line.time)).toEqual([time]);
      }
    });

    it('stores each line once', async () => {
      const log = new ScriptedLog([], true);
      const sink = new StoredLines();
      for (let round = 0; round < 20; round += 1) {
        const now = NOW + round * 300_000;
        log.written.push({ time: now, text: 'tick' }, { time: now + 5, text: 'tick' });
        await new LogReader(sink, () => (now + 100_000) / 1000).read(7, log, signal);
      }
      expect(sink.texts).toHaveLength(40);
      const times = sink.lines.map(({ time }) => time);
      expect(times).toEqual([...times].sort((one, other) => one - other));
    });
  });

  it('stores a line without an end after a second', async () => {
    const stop = new AbortController();
    const sink = new StoredLines();
    const log = logOf(async function* () {
      yield [{ stream: null, time: NOW, data: Buffer.from('password: ') }];
      await delay(1600);
      expect(sink.texts).toEqual(['password: ']);
      yield [{ stream: null, time: NOW, data: Buffer.from('again: ') }];
      await delay(1600);
      stop.abort(new Error('enough'));
    });
    await expect(new LogReader(sink).read(7, log, stop.signal)).rejects.toThrow('enough');
    expect(sink.lines.map(({ text, continues }) => [text, continues])).toEqual([
      ['password: ', false],
      ['again: ', true],
    ]);
  });

  it('ends when the signal aborts', async () => {
    const stop = new AbortController();
    const sink = new StoredLines();
    const log = logOf(async function* () {
      yield [{ stream: null, time: NOW, data: Buffer.from('half') }];
      stop.abort(new Error('enough'));
    });
    await expect(new LogReader(sink).read(7, log, stop.signal)).rejects.toThrow('enough');
    // The line will be read again from its start.
    expect(sink.texts).toEqual([]);
  });
});
