import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  findIn,
  identityOf,
  newLine,
  NO_LIMITS,
  queryOf,
  SMALL,
  START,
} from '../../../../../test/support/logs/history.js';
import { LogHistory, type MergedPage } from './index.js';

const ROOM = 3000;

let folder: string;
let history: LogHistory;
const ids: number[] = [];
/** Everything in the order of a merge. */
let kept: { source: number; seq: number; text: string }[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bounded-'));
  history = await LogHistory.open(folder, NO_LIMITS, SMALL);
  ids.push(...['a', 'b', 'c'].map((name) => history.source(identityOf(name))));
  const lines: { source: number; seq: number; time: number; text: string }[] = [];
  for (let round = 0; round < 30; round += 1) {
    for (const source of ids) {
      const first = history.extent(source)?.nextSeq ?? 1;
      const texts = Array.from({ length: source === 3 ? 2 : 12 }, (_, index) => {
        const letter = index % 3 === 0 ? '€' : index % 3 === 1 ? '😀' : 'x';
        return `${round}.${index} ${letter.repeat((round * 37 + index * 101) % 700)}`;
      });
      const times = texts.map((_, index) => START + round * 1000 + Math.floor(index / 4));
      history.append(
        source,
        texts.map((text, index) => newLine(text, times[index] ?? 0)),
      );
      texts.forEach((text, index) => {
        lines.push({ source, seq: first + index, time: times[index] ?? 0, text });
      });
    }
    if (round % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 110));
  }
  lines.sort((one, other) => one.time - other.time || one.source - other.source || one.seq - other.seq);
  kept = lines;
});

afterAll(async () => {
  await history.close();
  rmSync(folder, { recursive: true, force: true });
});

const bytesOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

function textsOf({ lines }: MergedPage): string[] {
  return lines.map(({ line }) => line.text);
}

describe('a page that may have so many bytes', () => {
  it('holds the lines from a position on that fit, and says that it ended', async () => {
    const told: string[] = [];
    for (let position = 1; position <= kept.length;) {
      const page = await history.merged(ids, position, 100, { bytes: ROOM });
      const texts = textsOf(page);
      expect(page.position).toBe(position);
      expect(texts).toEqual(kept.slice(position - 1, position - 1 + texts.length).map(({ text }) => text));
      expect(texts.length).toBeGreaterThan(0);
      expect(bytesOf(texts) <= ROOM || texts.length === 1).toBe(true);
      const next = kept[position - 1 + texts.length];
      expect(page.endedEarly).toBe(next !== undefined && texts.length < 100);
      if (next && page.endedEarly) expect(bytesOf([...texts, next.text])).toBeGreaterThan(ROOM);
      told.push(...texts);
      position += texts.length;
    }
    expect(told).toEqual(kept.map(({ text }) => text));
  });

  it('holds the lines before a position that are next to it', async () => {
    let told: string[] = [];
    for (let position = Infinity; position > 1;) {
      const page = await history.around(ids, position, { before: 100, after: 0, bytes: ROOM });
      const texts = textsOf(page);
      const end = Math.min(position, kept.length + 1);
      expect(page.position).toBe(end - texts.length);
      expect(bytesOf(texts) <= ROOM || texts.length === 1).toBe(true);
      expect(page.endedEarly).toBe(page.position > 1 && texts.length < 100);
      told = [...texts, ...told];
      position = page.position;
    }
    expect(told).toEqual(kept.map(({ text }) => text));
    expect(await history.around(ids, 1, { before: 5, after: 0, bytes: ROOM })).toMatchObject({
      lines: [],
      position: 1,
      endedEarly: false,
    });
  });

  it('holds the line in its middle, whatever is around it', async () => {
    for (const chosen of [ids, [2]]) {
      const lines = kept.filter(({ source }) => chosen.includes(source));
      for (let position = 1; position <= lines.length; position += 23) {
        const wanted = { before: 20, after: 20, bytes: ROOM };
        const page = await history.around(chosen, position, wanted);
        const texts = textsOf(page);
        expect(texts).toEqual(
          lines.slice(page.position - 1, page.position - 1 + texts.length).map(({ text }) => text),
        );
        expect(texts[position - page.position]).toBe(lines[position - 1]?.text);
        const largest = Math.max(...texts.map((text) => Buffer.byteLength(text)));
        expect(bytesOf(texts)).toBeLessThanOrEqual(ROOM + largest);
      }
    }
  });

  it('holds as many as were asked for where there is room, the missing ones of its begin behind it', async () => {
    const page = await history.around(ids, 4, { before: 10, after: 10 });
    expect([page.position, page.endedEarly]).toEqual([1, false]);
    expect(textsOf(page)).toEqual(kept.slice(0, 20).map(({ text }) => text));
    const last = await history.around(ids, kept.length, { before: 10, after: 10 });
    expect(textsOf(last)).toEqual(kept.slice(-11).map(({ text }) => text));
  });

  it('shortens texts where that is asked for, and counts what is left', async () => {
    const { lines, endedEarly } = await history.merged(ids, 1, 100, { bytes: 6000, characters: 20 });
    expect([lines.length, endedEarly]).toEqual([100, false]);
    lines.forEach(({ line }, index) => {
      const whole = kept[index]?.text ?? '';
      expect(whole.startsWith(line.text)).toBe(true);
      expect(line.shortened).toBe(whole.length > 20 ? true : undefined);
      // Half of a pair is no character.
      expect([19, 20, whole.length]).toContain(line.text.length);
      expect(line.text.isWellFormed()).toBe(true);
    });
  });

  it('ends for one source as well', async () => {
    const source = ids[0] ?? 0;
    const lines = kept.filter((line) => line.source === source);
    const told: string[] = [];
    while (told.length < lines.length) {
      const page = await history.page(source, told.length + 1, 100, ROOM);
      expect(page[0]?.seq).toBe(told.length + 1);
      expect(bytesOf(page.slice(0, -1).map(({ text }) => text))).toBeLessThan(ROOM);
      told.push(...page.map(({ text }) => text));
    }
    expect(told).toEqual(lines.map(({ text }) => text));
  });
});

describe('a search that may tell so many bytes', () => {
  it('ends as one does that found as many as were asked for', async () => {
    const told: string[] = [];
    let before: { time: number; source: number; seq: number } | null = null;
    for (;;) {
      const { matches, texts, end } = await findIn(history, { before, bounds: { bytes: ROOM } });
      told.push(...texts);
      expect(bytesOf(texts) <= ROOM || texts.length === 1).toBe(true);
      if (end?.reason === 'complete') break;
      expect(end).toMatchObject({ reason: 'limit', matched: texts.length });
      const last = matches.at(-1);
      if (!last) throw new Error('nothing was told');
      before = { time: last.line.time, source: last.source, seq: last.line.seq };
    }
    expect(told).toEqual(kept.map(({ text }) => text).reverse());
  });

  it('shortens texts', async () => {
    const { matches } = await findIn(history, { sources: [3], bounds: { characters: 5 } });
    for (const { line } of matches) expect(line.text.length).toBeLessThanOrEqual(5);
    expect(matches.some(({ line }) => line.shortened)).toBe(true);
  });
});

it('counts bytes over time', async () => {
  const { buckets } = await history.histogram(queryOf({ sources: ids }), 5, new AbortController().signal);
  expect(buckets.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(bytesOf(kept.map(({ text }) => text)));
  for (const { bytes } of buckets) expect(bytes).toBeGreaterThan(0);
});
