import { describe, expect, it } from '@jest/globals';
import { waitFor } from '../../../../test/support/wait-for.js';
import type { LogPiece } from '../../drivers/runtime/index.js';
import { withoutStall, type DoubtedLog } from './stalled-log.js';

const TIMES = { firstMs: 20, lastMs: 40, onItsWayMs: 20 };
const piece = (time: number): LogPiece => ({ stream: null, time, data: Buffer.from(`${time}\n`) });

/** A log of which a test says what its stream tells, and what is in it. */
class DoubtfulLog implements DoubtedLog {
  since: number | null = null;
  written: number | null = null;
  asked = 0;
  ended = false;
  private readonly waiting: LogPiece[][] = [];
  private wake: () => void = () => undefined;
  private over = false;

  tell(...times: number[]): void {
    this.written = times.at(-1) ?? null;
    this.waiting.push(times.map(piece));
    this.wake();
  }

  end(): void {
    this.over = true;
    this.wake();
  }

  open = (signal: AbortSignal): AsyncIterable<LogPiece[]> => this.read(signal);

  newest = (): Promise<number | null> => {
    this.asked += 1;
    return Promise.resolve(this.written);
  };

  private async *read(signal: AbortSignal): AsyncGenerator<LogPiece[]> {
    try {
      for (;;) {
        const batch = this.waiting.shift();
        if (batch) yield batch;
        else if (this.over || signal.aborted) return;
        else {
          await new Promise<void>((resolve) => {
            this.wake = resolve;
            signal.addEventListener('abort', () => resolve(), { once: true });
          });
        }
      }
    } finally {
      this.ended = true;
    }
  }
}

describe('a log that is followed and doubted', () => {
  const stop = new AbortController();

  function follow(log: DoubtfulLog, signal = stop.signal): { times: number[]; end: Promise<unknown> } {
    const times: number[] = [];
    const reading = async (): Promise<string> => {
      for await (const pieces of withoutStall(log, signal, TIMES)) {
        times.push(...pieces.map(({ time }) => time));
      }
      return 'ended';
    };
    return { times, end: reading().catch((error: unknown) => error) };
  }

  it('is told as it comes, and asked again and again while it is quiet', async () => {
    const log = new DoubtfulLog();
    const { times, end } = follow(log);
    log.tell(1, 2);
    await waitFor(() => log.asked >= 3, 'three doubts');
    log.tell(3);
    log.end();
    expect([await end, times]).toEqual(['ended', [1, 2, 3]]);
  });

  it('breaks where it has newer lines than its stream tells, and lets go of the stream', async () => {
    const log = new DoubtfulLog();
    const { times, end } = follow(log);
    log.tell(1, 2);
    await waitFor(() => times.length === 2, 'its lines');
    log.written = 3;
    expect(await end).toMatchObject({ message: expect.stringContaining('stood still') as unknown });
    await waitFor(() => log.ended, 'the end of the stream');
  });

  it('breaks where its stream never begins, and not for what was not asked for', async () => {
    const log = new DoubtfulLog();
    log.since = 10;
    log.written = 9;
    const { end } = follow(log);
    await waitFor(() => log.asked >= 2, 'two doubts');
    log.written = 10;
    expect(await end).toBeInstanceOf(Error);
  });

  it('goes on where the line was on its way, or nobody can say', async () => {
    const log = new DoubtfulLog();
    const { times, end } = follow(log);
    log.tell(1);
    await waitFor(() => log.asked >= 1, 'a doubt');
    let asked = 0;
    log.newest = () => {
      asked += 1;
      if (asked < 3) return Promise.reject(new Error('busy'));
      // It comes between the question and the last look.
      if (asked === 3) queueMicrotask(() => log.tell(2));
      return Promise.resolve(2);
    };
    await waitFor(() => times.length === 2, 'the line');
    log.end();
    expect([await end, times]).toEqual(['ended', [1, 2]]);
  });

  it('ends with who reads it', async () => {
    const log = new DoubtfulLog();
    const own = new AbortController();
    const { end } = follow(log, own.signal);
    log.tell(1);
    own.abort();
    expect(await end).toBe('ended');
    expect(log.ended).toBe(true);
  });
});
