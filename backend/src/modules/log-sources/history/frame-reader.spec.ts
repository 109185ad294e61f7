import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { entryOf, type Entry } from './entry.js';
import { FrameBuilder } from './frame-builder.js';
import { FrameReader } from './frame-reader.js';
import { readHeader, type Frame } from './frame.js';

const FILE = '0000000001-1.log';
/** Each of 1 MB: more than a few are not kept at hand. */
const TEXT = 'x'.repeat(1024 * 1024);

let folder: string;
let entries: Entry[];
let reader: FrameReader;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-frames-'));
  entries = [];
  const frames: Buffer[] = [];
  let at = 0;
  for (let seq = 1; seq <= 20; seq += 1) {
    const builder = new FrameBuilder(7, seq, 0);
    const text = `${seq} ${TEXT}`;
    builder.add({ time: seq, stream: null, level: null, text, cut: 0, continues: false });
    const frame = builder.frame(false);
    const header = readHeader(frame, 0);
    if (!header) throw new Error('the frame has no header');
    entries.push(entryOf(header, { kind: 'segment', file: FILE, at, length: frame.length }));
    frames.push(frame);
    at += frame.length;
  }
  writeFileSync(join(folder, FILE), Buffer.concat(frames));
  reader = new FrameReader(folder, () => {
    throw new Error('there is no database');
  });
});

afterEach(() => {
  reader.close();
  rmSync(folder, { recursive: true });
});

const read = async (entry: Entry | undefined): Promise<Frame> => {
  const frame = entry && (await reader.read(entry));
  if (!frame) throw new Error('the frame could not be read');
  return frame;
};
const numberIn = (frame: Frame): number => Number.parseInt(frame.textOf(0), 10);

describe('frames that are read', () => {
  it('stay as they are for who works with them, and are given back as soon as nobody does', async () => {
    const other = Promise.withResolvers<undefined>();
    const beside = reader.during(() => other.promise);
    const frames = await reader.during(async () => {
      const found: Frame[] = [];
      for (const entry of entries) found.push(await read(entry));
      return found;
    });
    // Somebody else works still, and might have had any of them.
    expect(frames.map(numberIn)).toEqual(entries.map(({ firstSeq }) => firstSeq));
    other.resolve(undefined);
    await beside;
    const kept = frames.filter(({ text }) => text.length > 0);
    expect(kept.map(numberIn)).toEqual([16, 17, 18, 19, 20]);
    expect(await reader.during(async () => await read(entries[18]))).toBe(frames[18]);
    expect(numberIn(await reader.during(async () => await read(entries[0])))).toBe(1);
  });

  it('are at hand as before after two have read the same at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      await reader.during(async () => {
        await Promise.all([read(entries[round]), read(entries[round]), read(entries[round])]);
      });
    }
    const last = await reader.during(async () => await read(entries[9]));
    await reader.during(async () => {
      for (const entry of entries.slice(10, 14)) await read(entry);
    });
    expect(await reader.during(async () => await read(entries[9]))).toBe(last);
    expect(numberIn(last)).toBe(10);
  });

  it('are given back also where the work failed', async () => {
    const frames: Frame[] = [];
    const failing = reader.during(async () => {
      for (const entry of entries) frames.push(await read(entry));
      throw new Error('it failed');
    });
    await expect(failing).rejects.toThrow('it failed');
    expect(frames[0]?.text).toHaveLength(0);
  });
});
