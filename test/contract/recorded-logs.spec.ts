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
/** Of a header and a time, what may be cut. */
const NEAR_BYTES = 46;

interface Read {
  texts: Texts;
  /** How it ended: whole, with an error's code, or not at all. */
  end: string;
}

/** The same for the same seed. */
function* random(seed: number, below: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield (state >>> 8) % below;
  }
}

/** The chunks up to this byte of all. */
function upTo(chunks: readonly Buffer[], offset: number): Buffer[] {
  let left = offset;
  return chunks.flatMap((chunk) => {
    const part = chunk.subarray(0, Math.max(left, 0));
    left -= chunk.length;
    return part.length > 0 ? [part] : [];
  });
}

/** All of the chunks, the one with this byte in two. */
function inTwoAt(chunks: readonly Buffer[], offset: number): Buffer[] {
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

/** The first of these are told, and nothing of them otherwise. */
function expectBeginning(told: Texts, of: Texts): void {
  for (const [stream, text] of Object.entries(told)) {
    expect(of[stream as keyof Texts]?.slice(0, text.length)).toBe(text);
  }
}

function textOf(frames: readonly { stream: keyof Texts; text: string }[]): Texts {
  const texts: Texts = {};
  for (const { stream, text } of frames) texts[stream] = (texts[stream] ?? '') + text;
  return texts;
}

describe.each(ENGINE_NAMES)('logs that %s was recorded to send', (engine) => {
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

  /** What the driver tells of a log that comes in these chunks. */
  const read = async (raw: readonly Buffer[], { tty = false, breaks = false } = {}): Promise<Read> => {
    const container = scripted.add('recorded', { raw, tty, breaks, apart: true });
    // One question for one answer; that Podman 4 is asked twice is no matter of frames.
    const format = { tty, unreadable: null, wholeSecondTimes: false };
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const parts: Partial<Record<keyof Texts, Buffer[]>> = {};
    let end = 'whole';
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

  it.each(Object.keys(LOG_SITUATIONS) as LogSituationName[])(
    'tell what was written: %s',
    async (situation) => {
      const log = recorded(situation);
      const { writes, terminal } = LOG_SITUATIONS[situation];
      const { texts, end } = await read(chunksOf(log), { tty: terminal });
      expect(end).toBe('whole');
      expect(texts).toEqual(textsOf(log));
      if (situation !== 'rotated') expect(texts).toEqual(writes);
      else {
        const { stdout = '' } = texts;
        expect(LOG_SITUATIONS.rotated.writes.stdout.endsWith(`\n${stdout}`)).toBe(true);
        expect(stdout).toContain('line 60\n');
      }
    },
  );

  it.each(['plain', 'stderr', 'terminal'] as const)(
    'say the same wherever a chunk is cut: %s',
    async (situation) => {
      const chunks = chunksOf(recorded(situation));
      const { writes, terminal: tty } = LOG_SITUATIONS[situation];
      for (let offset = 1; offset < Buffer.concat(chunks).length; offset += 1) {
        const told = await read(inTwoAt(chunks, offset), { tty });
        expect({ offset, ...told }).toEqual({ offset, texts: writes, end: 'whole' });
      }
    },
  );

  it.each(['long', 'long-terminal'] as const)(
    'say the same where a long line is cut: %s',
    async (situation) => {
      const chunks = chunksOf(recorded(situation));
      const { writes, terminal: tty } = LOG_SITUATIONS[situation];
      let at = 0;
      for (const { length } of chunks) {
        for (let offset = at + 1; offset < at + Math.min(length, NEAR_BYTES); offset += 1) {
          const { texts, end } = await read(inTwoAt(chunks, offset), { tty });
          expect(end).toBe('whole');
          expect([offset, JSON.stringify(texts) === JSON.stringify(writes)]).toEqual([offset, true]);
        }
        at += length;
      }
    },
  );

  it.each(['plain', 'stderr', 'long', 'rotated'] as const)(
    'are told as far as they came whole where the rest is missing: %s',
    async (situation) => {
      const bytes = Buffer.concat(chunksOf(recorded(situation)));
      const frames = framesOf(bytes);
      const offsets = frames.flatMap(({ from, to }) =>
        Array.from({ length: Math.min(to - from, NEAR_BYTES) }, (_, index) => to - index),
      );
      // Of many frames that look the same the last do.
      for (const offset of offsets.slice(-100)) {
        const whole = frames.filter(({ to }) => to <= offset);
        const end = whole.at(-1)?.to === offset ? 'whole' : 'log_unreadable';
        const told = await read([bytes.subarray(0, offset)]);
        expect([offset, told.end]).toEqual([offset, end]);
        expect(told.texts).toEqual(textOf(whole));
        const broken = await read([bytes.subarray(0, offset)], { breaks: true });
        expect(broken.end).toBe('runtime_unavailable');
        expectBeginning(broken.texts, textOf(whole));
      }
    },
  );

  it.each(['terminal', 'long-terminal'] as const)(
    'of a terminal are told as far as they came: %s',
    async (situation) => {
      const chunks = chunksOf(recorded(situation));
      const { writes } = LOG_SITUATIONS[situation];
      let at = 0;
      for (const { length } of chunks) {
        for (let offset = at + 1; offset <= at + Math.min(length, NEAR_BYTES); offset += 1) {
          const { texts, end } = await read(upTo(chunks, offset), { tty: true, breaks: true });
          expect([offset, end]).toEqual([offset, 'runtime_unavailable']);
          expectBeginning(texts, writes);
        }
        at += length;
      }
    },
  );

  it.each(['plain', 'stderr', 'long', 'rotated'] as const)(
    'are told up to a header that is wrong: %s',
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
          const told = await read([changed(bytes, from, put)]);
          expect([from, put, told.end]).toEqual([from, put, 'log_unreadable']);
          expect(told.texts).toEqual(before);
        }
        const lengths = [0, length - 1, length + 1, length * 256];
        for (const wrong of lengths) {
          const copy = Buffer.from(bytes);
          copy.writeUInt32BE(wrong, from + 4);
          const told = await read([copy]);
          expect([from, wrong, told.end]).toEqual([from, wrong, 'log_unreadable']);
          // What such a header promises is read as a part of its line; what was before it is whole.
          for (const [stream, text] of Object.entries(before)) {
            expect(told.texts[stream as keyof Texts]?.startsWith(text)).toBe(true);
          }
        }
      }
    },
  );

  it.each(['plain', 'stderr', 'terminal', 'rotated'] as const)(
    'hurt nobody, and are told up to there, whatever byte of them is another: %s',
    async (situation) => {
      const bytes = Buffer.concat(chunksOf(recorded(situation)));
      const tty = LOG_SITUATIONS[situation].terminal;
      const numbers = random(7, bytes.length * 256);
      for (let times = 0; times < 80; times += 1) {
        const number = numbers.next().value as number;
        const at = number >>> 8;
        const told = await read([changed(bytes, at, [number & 255])], { tty });
        expect([at, ['whole', ...(tty ? [] : ['log_unreadable'])].includes(told.end)]).toEqual([at, true]);
        if (tty) continue;
        for (const [stream, text] of Object.entries(textOf(framesOf(bytes).filter(({ to }) => to <= at)))) {
          expect(told.texts[stream as keyof Texts]?.startsWith(text)).toBe(true);
        }
      }
    },
  );
});
