import { describe, expect, it } from '@jest/globals';
import { waitFor } from '../../../../test/support/wait-for.js';
import type { LogPiece } from '../../drivers/runtime/index.js';
import { withoutStall, type CheckedLog } from './stalled-log.js';

const TIMES = { firstMs: 20, lastMs: 40, graceMs: 20 };
const piece = (time: number): LogPiece => ({ stream: null, time, data: Buffer.from(`${time}\n`) });

/** A log with a scripted stream and content. */
class ScriptedLog implements CheckedLog {
  since: number | null = null;
  written: number | null = null;
  checks = 0;
  ended = false;
  private readonly waiting: LogPiece[][] = [];
  private wake: () => void = () => undefined;
  private over = false;

  send(...times: number[]): void {
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
    this.checks += 1;
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

describe('withoutStall', () => {
  const stop = new AbortController();

  function follow(log: ScriptedLog, signal = stop.signal): { times: number[]; end: Promise<unknown> } {
    const times: number[] = [];
    const reading = async (): Promise<string> => {
      for await (const pieces of withoutStall(log, signal, TIMES)) {
        times.push(...pieces.map(({ time }) => time));
      }
      return 'ended';
    };
    return { times, end: reading().catch((error: unknown) => error) };
  }

  it('passes lines on and keeps checking while the stream is idle', async () => {
    const log = new ScriptedLog();
    const { times, end } = follow(log);
    log.send(1, 2);
    await waitFor(() => log.checks >= 3, 'three checks');
    log.send(3);
    log.end();
    expect([await end, times]).toEqual(['ended', [1, 2, 3]]);
  });

  it('fails and closes the stream if the log has newer lines', async () => {
    const log = new ScriptedLog();
    const { times, end } = follow(log);
    log.send(1, 2);
    await waitFor(() => times.length === 2, 'its lines');
    log.written = 3;
    expect(await end).toMatchObject({ message: expect.stringContaining('stalled') as unknown });
    await waitFor(() => log.ended, 'the end of the stream');
  });

  it('fails if the stream never starts, and ignores lines before `since`', async () => {
    const log = new ScriptedLog();
    log.since = 10;
    log.written = 9;
    const { end } = follow(log);
    await waitFor(() => log.checks >= 2, 'two checks');
    log.written = 10;
    expect(await end).toBeInstanceOf(Error);
  });

  it('continues if the line arrives late, or the check fails', async () => {
    const log = new ScriptedLog();
    const { times, end } = follow(log);
    log.send(1);
    await waitFor(() => log.checks >= 1, 'a check');
    let checks = 0;
    log.newest = () => {
      checks += 1;
      if (checks < 3) return Promise.reject(new Error('busy'));
      // The line arrives after the check.
      if (checks === 3) queueMicrotask(() => log.send(2));
      return Promise.resolve(2);
    };
    await waitFor(() => times.length === 2, 'the line');
    log.end();
    expect([await end, times]).toEqual(['ended', [1, 2]]);
  });

  it('ends when its consumer aborts', async () => {
    const log = new ScriptedLog();
    const own = new AbortController();
    const { end } = follow(log, own.signal);
    log.send(1);
    own.abort();
    expect(await end).toBe('ended');
    expect(log.ended).toBe(true);
  });
});
