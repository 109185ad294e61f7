import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ContainerLogs, LogPiece, LogStart } from '../../../backend/src/drivers/runtime/index.js';
import { waitFor } from '../../support/wait-for.js';

/** A container that writes at least three lines soon after its start. */
interface TalkingContainer {
  id: string;
  end: () => Promise<unknown>;
  remove: () => Promise<unknown>;
}

export interface ContainerLogsUnderTest {
  logs: ContainerLogs;
  /** Starts a container with this name after a client follows changes. */
  start: (name: string) => Promise<TalkingContainer>;
  /** A program that writes such a line repeatedly, or waits. */
  program: { command: string[]; says: RegExp; isRunning: (id: string) => Promise<boolean> };
  stop: () => Promise<unknown>;
}

const ALL: LogStart = { since: null, tail: 1000 };

/** The contract of container logs of all runtimes. */
export function containerLogsContract(
  start: () => Promise<ContainerLogsUnderTest>,
  deadlineMs = 20_000,
): void {
  const name = 'contract-logs-worker';
  let subject: ContainerLogsUnderTest;
  let logs: ContainerLogs;
  let container: TalkingContainer;
  let changes = 0;
  const following = new AbortController();
  let followed: Promise<unknown>;

  beforeAll(async () => {
    subject = await start();
    ({ logs } = subject);
    followed = logs
      .followChanges(() => {
        changes += 1;
      }, following.signal)
      .then(
        () => 'resolved',
        (error: unknown) => error,
      );
    container = await subject.start(name);
  }, deadlineMs);

  afterAll(async () => {
    following.abort();
    await subject.stop();
  }, deadlineMs);

  const check = (what: string, run: () => Promise<void>): void => it(what, run, deadlineMs);

  check('reports and lists a new container', async () => {
    await waitFor(() => changes > 0, 'the change');
    const found = (await logs.list()).find(({ id }) => id === container.id);
    expect(found).toMatchObject({
      name,
      state: 'running',
      labels: expect.any(Object),
    });
    expect(Math.abs(Date.now() - Date.parse(found?.createdAt ?? ''))).toBeLessThan(10 * 60_000);
  });

  check('follows a container line by line, and ends without an error when its reader leaves', async () => {
    const format = await logs.format(container.id);
    expect(format).toMatchObject({ tty: false, unreadable: null });
    const leaving = new AbortController();
    const pieces: LogPiece[] = [];
    for await (const batch of logs.open(container.id, format, ALL, leaving.signal)) {
      expect(batch.length).toBeGreaterThan(0);
      pieces.push(...batch);
      if (pieces.length >= 3) leaving.abort();
    }
    for (const { stream, time, data } of pieces) {
      expect(['stdout', 'stderr']).toContain(stream);
      expect(Math.abs(Date.now() * 1000 - time)).toBeLessThan(600e6);
      expect(data.toString()).toMatch(/^[^\n]*\n$/);
      // The time before it is from the engine.
      expect(data.toString()).not.toMatch(/^\d{4}-\d\d-\d\dT/);
    }
  });

  check('runs a program until its reader leaves', async () => {
    const { command, says, isRunning } = subject.program;
    const leaving = new AbortController();
    const lines: string[] = [];
    for await (const batch of logs.run(container.id, command, leaving.signal)) {
      lines.push(...batch);
      expect(await isRunning(container.id)).toBe(true);
      leaving.abort();
    }
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(says);
    await waitFor(async () => !(await isRunning(container.id)), 'the end of the program', deadlineMs / 2);
    for await (const batch of logs.run(container.id, command, new AbortController().signal)) {
      expect(batch.length).toBeGreaterThan(0);
      break;
    }
    await waitFor(async () => !(await isRunning(container.id)), 'the end of the program', deadlineMs / 2);
  });

  check('ends when its container ends, and keeps the lines', async () => {
    const format = await logs.format(container.id);
    const live = readAll(logs, container.id, ALL);
    await container.end();
    expect((await live).length).toBeGreaterThanOrEqual(3);
    const kept = await readAll(logs, container.id, ALL);
    expect(kept.length).toBeGreaterThanOrEqual(3);
    const two = await readAll(logs, container.id, { since: null, tail: 2 });
    expect(two.map(text)).toEqual(kept.slice(-2).map(text));
    const last = kept.at(-1)?.time ?? 0;
    const since = await readAll(logs, container.id, { since: last, tail: 1000 });
    expect(since.map(text)).toContain(text(kept.at(-1)));
    for (const { time } of since) expect(time).toBeGreaterThanOrEqual(Math.floor(last / 1e6) * 1e6);
    expect(format.wholeSecondTimes).toBe(kept.every(({ time }) => time % 1e6 === 0));
  });

  check('cannot run a program in an ended container', async () => {
    const run = async (): Promise<void> => {
      for await (const lines of logs.run(container.id, subject.program.command, following.signal)) {
        expect(lines).toEqual([]);
      }
    };
    await expect(run()).rejects.toMatchObject({ code: 'log_unreadable' });
  });

  check('reports a removed container', async () => {
    const format = await logs.format(container.id);
    const before = changes;
    await container.remove();
    await waitFor(() => changes > before, 'the change');
    const gone = {
      code: 'log_unreadable',
      message: expect.stringMatching(/does not exist|no longer exists/) as unknown,
    };
    await expect(logs.format(container.id)).rejects.toMatchObject(gone);
    const read = async (): Promise<void> => {
      for await (const pieces of logs.open(container.id, format, ALL, following.signal)) {
        expect(pieces).toEqual([]);
      }
    };
    await expect(read()).rejects.toMatchObject(gone);
    expect((await logs.list()).map(({ id }) => id)).not.toContain(container.id);
  });

  check('ends a followed log with an error when the engine stops', async () => {
    following.abort();
    expect(await followed).not.toBe('resolved');
  });
}

/** Creates ended containers with this output. @returns their ids. */
export interface WrittenContainers {
  logs: ContainerLogs;
  /** A line of 40,000 x, and then `after`. */
  long: string;
  /** `out é€` to stdout, then `err` to stderr. */
  mixed: string;
  /** The lines `one` and `two` to a terminal. */
  terminal: string;
  /** A line of 40,000 x to a terminal, and then `after`. */
  longTerminal: string;
  /** Something, with the logging driver `none`. */
  none: string;
  stop: () => Promise<unknown>;
}

/** The additional contract of container engines. */
export function engineLogsContract(start: () => Promise<WrittenContainers>, deadlineMs = 20_000): void {
  describe('of ended containers', () => {
    let subject: WrittenContainers;

    beforeAll(async () => {
      subject = await start();
    }, deadlineMs);

    afterAll(async () => {
      await subject.stop();
    }, deadlineMs);

    it('returns a long line in pieces without their timestamps', async () => {
      const pieces = await readAll(subject.logs, subject.long, ALL);
      expect(pieces.map(text).join('')).toBe(`${'x'.repeat(40_000)}\nafter\n`);
      expect(pieces.every(({ stream }) => stream === 'stdout')).toBe(true);
    });

    it('distinguishes stdout from stderr', async () => {
      const pieces = await readAll(subject.logs, subject.mixed, ALL);
      expect(pieces.map((piece) => [piece.stream, text(piece)]).sort()).toEqual([
        ['stderr', 'err\n'],
        ['stdout', 'out é€\n'],
      ]);
    });

    it('detects a terminal by inspecting the container', async () => {
      expect(await subject.logs.format(subject.terminal)).toMatchObject({ tty: true, unreadable: null });
      const pieces = await readAll(subject.logs, subject.terminal, ALL);
      expect(pieces.every(({ stream }) => stream === null)).toBe(true);
      expect(pieces.map(text).join('')).toBe('one\r\ntwo\r\n');
    });

    it('returns a long terminal line without the timestamps of its parts', async () => {
      const pieces = await readAll(subject.logs, subject.longTerminal, ALL);
      expect(pieces.map(text).join('')).toBe(`${'x'.repeat(40_000)}\r\nafter\r\n`);
    });

    it('reports why it cannot read a log with the driver none', async () => {
      const { unreadable } = await subject.logs.format(subject.none);
      expect(unreadable).toContain('logging driver none');
      await expect(readAll(subject.logs, subject.none, ALL)).rejects.toMatchObject({
        code: 'log_unreadable',
        message: expect.stringMatching(/Could not read the log .*: .*(driver)[^(]*\.$/) as unknown,
      });
    });
  });
}

/** Reads a log until it ends. */
async function readAll(logs: ContainerLogs, id: string, start: LogStart): Promise<LogPiece[]> {
  const format = await logs.format(id);
  const pieces: LogPiece[] = [];
  for await (const batch of logs.open(id, format, start, AbortSignal.timeout(30_000))) pieces.push(...batch);
  return pieces;
}

function text(piece: LogPiece | undefined): string {
  return piece?.data.toString('utf8') ?? '';
}
