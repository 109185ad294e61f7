import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { newLine, START } from '../../../../test/support/logs/lines.js';
import type { NewLogLine } from '../../drivers/log-store/index.js';
import { type LineBatch, withBoundedBacklog } from './bounded-backlog.js';

const NOW = START + 1_000_000;
/** A line of a thousand bytes. */
const line = (number: number, time = START + number): NewLogLine =>
  newLine(String(number).padStart(1000, '.'), time);
const lines = (from: number, to: number): NewLogLine[] =>
  Array.from({ length: to - from + 1 }, (_, index) => line(from + index));

/** Yields batches; a number is a pause in milliseconds. */
async function* script(
  steps: readonly (NewLogLine[] | number | Error)[],
  ended?: () => void,
): AsyncGenerator<NewLogLine[]> {
  try {
    for (const step of steps) {
      if (step instanceof Error) throw step;
      if (typeof step === 'number') await delay(step);
      else yield step;
    }
  } finally {
    ended?.();
  }
}

async function readAll(log: AsyncIterable<LineBatch>): Promise<[omitted: number, ...numbers: number[]][]> {
  const batches: [number, ...number[]][] = [];
  for await (const { omitted, lines: some } of log) {
    batches.push([omitted, ...some.map(({ text }) => Number(text.replaceAll('.', '')))]);
  }
  return batches;
}

describe('withBoundedBacklog', () => {
  it('returns the whole backlog if it fits', async () => {
    const log = withBoundedBacklog(script([lines(1, 2), lines(3, 4)]), { tail: 10, bytes: 4000, now: NOW });
    expect(await readAll(log)).toEqual([[0, 1, 2, 3, 4]]);
    expect(await readAll(withBoundedBacklog(script([]), { tail: 10, bytes: 1, now: NOW }))).toEqual([]);
  });

  it('returns the newest lines that fit and counts the omitted ones', async () => {
    const steps = [lines(1, 40), lines(41, 80), lines(81, 100)];
    const log = withBoundedBacklog(script(steps), { tail: 100, bytes: 5500, now: NOW });
    expect(await readAll(log)).toEqual([[95, 96, 97, 98, 99, 100]]);
    const one = withBoundedBacklog(script([lines(1, 3)]), { tail: 100, bytes: 10, now: NOW });
    expect(await readAll(one)).toEqual([[2, 3]]);
  });

  it.each<[string, number, (NewLogLine[] | number)[]]>([
    ['the requested number of lines', 10, [lines(1, 10)]],
    ['a new line', 1000, [[...lines(1, 9), line(10, NOW)]]],
    ['an idle stream', 1000, [lines(1, 10), 500]],
  ])('ends the backlog with %s and passes on the following lines', async (_, tail, steps) => {
    const log = withBoundedBacklog(script([...steps, lines(11, 15), lines(16, 20)]), {
      tail,
      bytes: 3000,
      now: NOW,
    });
    expect(await readAll(log)).toEqual([
      [7, 8, 9, 10],
      [0, 11, 12, 13, 14, 15],
      [0, 16, 17, 18, 19, 20],
    ]);
  });

  it('returns the backlog after a second if the log is never idle', async () => {
    const steps = Array.from({ length: 40 }, (_, index) => [lines(index + 1, index + 1), 50]).flat();
    const batches = await readAll(
      withBoundedBacklog(script(steps), { tail: 1000, bytes: 100_000, now: NOW }),
    );
    expect(batches.length).toBeGreaterThan(5);
    expect(batches.flatMap(([, ...numbers]) => numbers)).toEqual(lines(1, 40).map((_, index) => index + 1));
  });

  it('passes on errors, and closes the log when its consumer leaves', async () => {
    const failing = withBoundedBacklog(script([lines(1, 2), new Error('broke off')]), {
      tail: 10,
      bytes: 100_000,
      now: NOW,
    });
    expect((await failing.next()).value).toMatchObject({ lines: lines(1, 2) });
    await expect(failing.next()).rejects.toThrow('broke off');
    let ended = 0;
    const steps = [lines(1, 2), lines(3, 4), lines(5, 6)];
    const left = withBoundedBacklog(
      script(steps, () => (ended += 1)),
      { tail: 2, bytes: 100_000, now: NOW },
    );
    await left.next();
    await left.return(undefined);
    await delay(0);
    expect(ended).toBe(1);
  });
});
