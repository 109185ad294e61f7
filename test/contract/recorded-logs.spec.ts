import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RuntimeDriver } from '../../backend/src/drivers/runtime/index.js';
import type { ScriptedLogs } from '../support/engine/scripted-logs.js';
import { ScriptedMachine } from '../support/scripted-machine.js';
import {
  chunksOf,
  framesOf,
  HEADER_BYTES,
  LOG_SITUATIONS,
  readLogTranscript,
  textsOf,
  type LogSituationName,
  type RecordedLog,
  type Texts,
} from '../transcripts/recorded-logs.js';
import { ENGINE_NAMES } from '../transcripts/transcript.js';
import { driverOf } from './support/drivers.js';

const DEADLINE_MS = 5000;
/** Length of a header and a timestamp, within which chunks are split. */
const SPLIT_BYTES = 46;

interface Read {
  texts: Texts;
  /** How it ended: `complete`, an error code, or `never`. */
  end: string;
}

/** Deterministic for a seed. */
function* random(seed: number, below: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield (state >>> 8) % below;
  }
}

/** The chunks up to a byte offset. */
function upTo(chunks: readonly Buffer[], offset: number): Buffer[] {
  let left = offset;
  return chunks.flatMap((chunk) => {
    const part = chunk.subarray(0, Math.max(left, 0));
    left -= chunk.length;
    return part.length > 0 ? [part] : [];
  });
}

/** All chunks, with the one at this offset split in two. */
function splitAt(chunks: readonly Buffer[], offset: number): Buffer[] {
  let at = 0;
  return chunks.flatMap((chunk) => {
    const within = offset - at;
    at += chunk.length;
    return within > 0 && within < chunk.length
      ? [chunk.subarray(0, within), chunk.subarray(within)]
      : [chunk];
  });
}

function changed(bytes: Buffer, at: number, put: readonly number[]): Buffer {
  const copy = Buffer.from(bytes);
  copy.set(put, at);
  return copy;
}

/** Expects a prefix of each text. */
function expectPrefix(actual: Texts, of: Texts): void {
  for (const [stream, text] of Object.entries(actual)) {
    expect(of[stream as keyof Texts]?.slice(0, text.length)).toBe(text);
  }
}

function textOf(frames: readonly { stream: keyof Texts; text: string }[]): Texts {
  const texts: Texts = {};
  for (const { stream, text } of frames) texts[stream] = (texts[stream] ?? '') + text;
  return texts;
}

describe.each(ENGINE_NAMES)('recorded logs of %s', (engine) => {
  const { logs } = readLogTranscript(engine);
  let machine: ScriptedMachine;
  let driver: RuntimeDriver;
  let scripted: ScriptedLogs;

  beforeAll(async () => {
    machine = await ScriptedMachine.start({ engines: [engine] });
    driver = await driverOf(machine, engine);
    await driver.probe();
    scripted = machine.engine(engine).logs;
  });

  afterAll(async () => {
    await machine.close();
  });

  const recorded = (situation: LogSituationName): RecordedLog => {
    const found = logs.find((log) => log.situation === situation);
    if (!found) throw new Error(`${situation} was not recorded of ${engine}`);
    return found;
  };

  /** Reads a log that arrives in these chunks. */
  const read = async (raw: readonly Buffer[], { tty = false, breaks = false } = {}): Promise<Read> => {
    const container = scripted.add('recorded', { raw, tty, breaks, apart: true });
    // One request per log. The second request of Podman 4 does not matter here.
    const format = { tty, unreadable: null, wholeSecondTimes: false };
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const parts: Partial<Record<keyof Texts, Buffer[]>> = {};
    let end = 'complete';
    try {
      for await (const batch of driver.logs.open(container.id, format, { since: null, tail: 1000 }, signal)) {
        for (const { stream, data } of batch) (parts[stream ?? 'terminal'] ??= []).push(data);
      }
    } catch (error) {
      end = (error as { code?: string }).code ?? String(error);
    }
    scripted.containers.splice(scripted.containers.indexOf(container), 1);
    const texts = Object.fromEntries(
      Object.entries(parts).map(([stream, all]) => [stream, Buffer.concat(all).toString('utf8')]),
    );
    return { texts, end: signal.aborted ? 'never' : end };
  };

  it.each(Object.keys(LOG_SITUATIONS) as LogSituationName[])('are read completely: %s', async (situation) => {
    const log = recorded(situation);
    const { writes, terminal } = LOG_SITUATIONS[situation];
    const { texts, end } = await read(chunksOf(log), { tty: terminal });
    expect(end).toBe('complete');
    expect(texts).toEqual(textsOf(log));
    if (situation !== 'rotated') expect(texts).toEqual(writes);
    else {
      const { stdout = '' } = texts;
      expect(LOG_SITUATIONS.rotated.writes.stdout.endsWith(`\n${stdout}`)).toBe(true);
      expect(stdout).toContain('line 60\n');
    }
  });

  it.each(['plain', 'stderr', 'terminal'] as const)(
    'are read the same wherever a chunk is split: %s',
    async (situation) => {
      const chunks = chunksOf(recorded(situation));
      const { writes, terminal: tty } = LOG_SITUATIONS[situation];
      for (let offset = 1; offset < Buffer.concat(chunks).length; offset += 1) {
        const result = await read(splitAt(chunks, offset), { tty });
        expect({ offset, ...result }).toEqual({ offset, texts: writes, end: 'complete' });
      }
    },
  );

  it.each(['long', 'long-terminal'] as const)(
    'are read the same wherever a long line is split: %s',
    async (situation) => {
      const chunks = chunksOf(recorded(situation));
      const { writes, terminal: tty } = LOG_SITUATIONS[situation];
      let at = 0;
      for (const { length } of chunks) {
        for (let offset = at + 1; offset < at + Math.min(length, SPLIT_BYTES); offset += 1) {
          const { texts, end } = await read(splitAt(chunks, offset), { tty });
          expect(end).toBe('complete');
          expect([offset, JSON.stringify(texts) === JSON.stringify(writes)]).toEqual([offset, true]);
        }
        at += length;
      }
    },
  );

  it.each(['plain', 'stderr', 'long', 'rotated'] as const)(
    'return the complete frames of a truncated log: %s',
    async (situation) => {
      const bytes = Buffer.concat(chunksOf(recorded(situation)));
      const frames = framesOf(bytes);
      const offsets = frames.flatMap(({ from, to }) =>
        Array.from({ length: Math.min(to - from, SPLIT_BYTES) }, (_, index) => to - index),
      );
      // Many frames look the same, so the last ones suffice.
      for (const offset of offsets.slice(-100)) {
        const whole = frames.filter(({ to }) => to <= offset);
        const end = whole.at(-1)?.to === offset ? 'complete' : 'log_unreadable';
        const result = await read([bytes.subarray(0, offset)]);
        expect([offset, result.end]).toEqual([offset, end]);
        expect(result.texts).toEqual(textOf(whole));
        const broken = await read([bytes.subarray(0, offset)], { breaks: true });
        expect(broken.end).toBe('runtime_unavailable');
        expectPrefix(broken.texts, textOf(whole));
      }
    },
  );

  it.each(['terminal', 'long-terminal'] as const)(
    'return the received part of a truncated terminal log: %s',
    async (situation) => {
      const chunks = chunksOf(recorded(situation));
      const { writes } = LOG_SITUATIONS[situation];
      let at = 0;
      for (const { length } of chunks) {
        for (let offset = at + 1; offset <= at + Math.min(length, SPLIT_BYTES); offset += 1) {
          const { texts, end } = await read(upTo(chunks, offset), { tty: true, breaks: true });
          expect([offset, end]).toEqual([offset, 'runtime_unavailable']);
          expectPrefix(texts, writes);
        }
        at += length;
      }
    },
  );

  it.each(['plain', 'stderr', 'long', 'rotated'] as const)(
    'return the frames before an invalid header: %s',
    async (situation) => {
      const bytes = Buffer.concat(chunksOf(recorded(situation)));
      const frames = framesOf(bytes);
      for (const [index, { from, to }] of frames.entries()) {
        const length = to - from - HEADER_BYTES;
        const before = textOf(frames.slice(0, index));
        const garbage = [
          [9],
          [1, 0, 0, 7],
          [0x48, 0x54, 0x54, 0x50],
          [3],
          [1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff],
        ];
        for (const put of garbage) {
          const result = await read([changed(bytes, from, put)]);
          expect([from, put, result.end]).toEqual([from, put, 'log_unreadable']);
          expect(result.texts).toEqual(before);
        }
        const lengths = [0, length - 1, length + 1, length * 256];
        for (const wrong of lengths) {
          const copy = Buffer.from(bytes);
          copy.writeUInt32BE(wrong, from + 4);
          const result = await read([copy]);
          expect([from, wrong, result.end]).toEqual([from, wrong, 'log_unreadable']);
          // Bytes after such a header become part of its line; the frames before it are complete.
          for (const [stream, text] of Object.entries(before)) {
            expect(result.texts[stream as keyof Texts]?.startsWith(text)).toBe(true);
          }
        }
      }
    },
  );

  it.each(['plain', 'stderr', 'terminal', 'rotated'] as const)(
    'return the frames before any changed byte: %s',
    async (situation) => {
      const bytes = Buffer.concat(chunksOf(recorded(situation)));
      const tty = LOG_SITUATIONS[situation].terminal;
      const numbers = random(7, bytes.length * 256);
      for (let times = 0; times < 80; times += 1) {
        const number = numbers.next().value as number;
        const at = number >>> 8;
        const result = await read([changed(bytes, at, [number & 255])], { tty });
        expect([at, ['complete', ...(tty ? [] : ['log_unreadable'])].includes(result.end)]).toEqual([
          at,
          true,
        ]);
        if (tty) continue;
        for (const [stream, text] of Object.entries(textOf(framesOf(bytes).filter(({ to }) => to <= at)))) {
          expect(result.texts[stream as keyof Texts]?.startsWith(text)).toBe(true);
        }
      }
    },
  );
});
