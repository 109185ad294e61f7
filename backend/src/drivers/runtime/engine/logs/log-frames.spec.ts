import { describe, expect, it } from '@jest/globals';
import type { LogPiece } from '../../container-logs.js';
import { BrokenFrame, LogFrames } from './log-frames.js';
import { TimedLines } from './timed-lines.js';

const TIME = '2026-11-22T13:35:05.123456789Z ';
const MICROS = Date.parse('2026-11-22T13:35:05.123Z') * 1000 + 456;

function frame(kind: number, text: string | Buffer): Buffer {
  const payload = Buffer.from(text);
  const header = Buffer.from([kind, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, payload]);
}

function pushAll(lines: LogFrames | TimedLines, chunks: readonly Buffer[]): LogPiece[] {
  const pieces: LogPiece[] = [];
  for (const chunk of chunks) lines.push(chunk, pieces);
  return pieces;
}

function texts(pieces: readonly LogPiece[]): string[] {
  return pieces.map(({ data }) => data.toString('utf8'));
}

describe('LogFrames', () => {
  it('takes many frames of one chunk apart, with their streams and times', () => {
    const chunk = Buffer.concat([
      frame(1, `${TIME}one\n`),
      frame(2, '2026-11-22T13:35:06Z two\n'),
      frame(1, '2026-11-22T14:35:07.5+01:00 three\n'),
      frame(1, `${TIME}\n`),
    ]);
    expect(pushAll(new LogFrames(), [chunk])).toEqual([
      { stream: 'stdout', time: MICROS, nanos: 789, data: Buffer.from('one\n') },
      {
        stream: 'stderr',
        time: Date.parse('2026-11-22T13:35:06Z') * 1000,
        nanos: 0,
        data: Buffer.from('two\n'),
      },
      {
        stream: 'stdout',
        time: Date.parse('2026-11-22T13:35:07.5Z') * 1000,
        nanos: 0,
        data: Buffer.from('three\n'),
      },
      { stream: 'stdout', time: MICROS, nanos: 789, data: Buffer.from('\n') },
    ]);
  });

  it('says the same wherever the chunks were cut', () => {
    const whole = Buffer.concat([frame(1, `${TIME}é\n`), frame(2, `${TIME}€\n`), frame(1, `${TIME}end\n`)]);
    for (let cut = 1; cut < whole.length; cut += 1) {
      const pieces = pushAll(new LogFrames(), [whole.subarray(0, cut), whole.subarray(cut)]);
      expect(texts(pieces)).toEqual(['é\n', '€\n', 'end\n']);
    }
  });

  it('gives each piece of a long line without the time that is repeated', () => {
    const chunks = ['x'.repeat(16_384), 'x'.repeat(16_384), 'x'.repeat(7232) + '\n'].map((text) =>
      frame(1, TIME + text),
    );
    const pieces = pushAll(new LogFrames(), [Buffer.concat(chunks)]);
    expect(pieces.map(({ data }) => data.length)).toEqual([16_384, 16_384, 7233]);
    expect(texts(pieces).join('')).toBe(`${'x'.repeat(40_000)}\n`);
  });

  it('hands on the beginning of a frame that is large, and holds little of it', () => {
    const line = `${'y'.repeat(1_000_000)}\n`;
    const whole = Buffer.concat([frame(1, TIME + line), frame(1, `${TIME}after\n`)]);
    const chunks: Buffer[] = [];
    for (let at = 0; at < whole.length; at += 10_000) chunks.push(whole.subarray(at, at + 10_000));
    const frames = new LogFrames();
    const pieces = pushAll(frames, chunks);
    expect(pieces.length).toBeGreaterThan(50);
    expect(texts(pieces).join('')).toBe(`${line}after\n`);
    frames.end();
  });

  it('refuses what is no header, without waiting for what it promises', () => {
    const broken = [
      Buffer.from('GET / HTTP/1.1'),
      Buffer.from([1, 0, 1, 0, 0, 0, 0, 4]),
      Buffer.from([9, 0, 0, 0, 0, 0, 0, 4]),
    ];
    for (const bytes of [...broken, Buffer.from([1, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff])]) {
      expect(() => pushAll(new LogFrames(), [bytes])).toThrow(BrokenFrame);
    }
    expect(() => pushAll(new LogFrames(), [frame(3, 'the disk is full')])).toThrow('the disk is full');
  });

  it('says that the log ended within a frame', () => {
    const frames = new LogFrames();
    pushAll(frames, [frame(1, `${TIME}one\n`).subarray(0, 12)]);
    expect(() => frames.end()).toThrow('ended in the middle of a line');
  });

  it('keeps the text of a frame without a time', () => {
    const [piece] = pushAll(new LogFrames(), [frame(1, 'no time at all\n')]);
    expect(piece?.data.toString()).toBe('no time at all\n');
    expect(Math.abs((piece?.time ?? 0) / 1000 - Date.now())).toBeLessThan(60_000);
  });
});

describe('TimedLines', () => {
  it('takes lines apart, wherever the chunks were cut', () => {
    const whole = Buffer.from(`${TIME}one\r\n${TIME}\n${TIME}${TIME}says a time\n`);
    for (let cut = 1; cut < whole.length; cut += 1) {
      const pieces = pushAll(new TimedLines(), [whole.subarray(0, cut), whole.subarray(cut)]);
      expect(texts(pieces).join('')).toBe(`one\r\n\n${TIME}says a time\n`);
      expect(pieces.every(({ time, stream }) => time === MICROS && stream === null)).toBe(true);
    }
  });

  it('hands a line on that has not ended, and drops the time before its next part', () => {
    const pieces = pushAll(new TimedLines(), [
      Buffer.from(`${TIME}password: `),
      Buffer.from('2026-11-22T13:35:06Z typed\r\n'),
      Buffer.from(`${TIME}next\n`),
    ]);
    expect(texts(pieces)).toEqual(['password: ', 'typed\r\n', 'next\n']);
    expect(pieces[1]?.time).toBe(Date.parse('2026-11-22T13:35:06Z') * 1000);
  });

  it('drops the time before the next part of a line also where that time was cut', () => {
    const next = Buffer.from('2026-11-22T13:35:06.5+01:00 rest\n');
    for (let cut = 1; cut < next.length; cut += 1) {
      const parts = [Buffer.from(`${TIME}long`), next.subarray(0, cut), next.subarray(cut)];
      expect(texts(pushAll(new TimedLines(), parts)).join('')).toBe('longrest\n');
    }
    const digits = [Buffer.from(`${TIME}count: `), Buffer.from('2026-'), Buffer.from('12\n')];
    expect(texts(pushAll(new TimedLines(), digits)).join('')).toBe('count: 2026-12\n');
  });

  it('gives what it held back at the end', () => {
    const lines = new TimedLines();
    const pieces = pushAll(lines, [Buffer.from('2026-11-')]);
    expect(pieces).toEqual([]);
    lines.end(pieces);
    expect(texts(pieces)).toEqual(['2026-11-']);
  });
});
