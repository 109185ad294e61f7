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
import type { Level } from '../../../drivers/log-store/index.js';
import { LogHistory, type SearchEvent } from './index.js';

const LEVELS: (Level | null)[] = ['info', 'warn', 'error', null];

interface Kept {
  source: number;
  seq: number;
  time: number;
  effective: number;
  level: Level | null;
  text: string;
}

let folder: string;
let history: LogHistory;
const ids: number[] = [];
/** Everything in the order of a merge. */
const kept: Kept[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'search-'));
  history = await LogHistory.open(folder, NO_LIMITS, { ...SMALL, patienceMs: 700 });
  ids.push(...['a', 'b', 'c'].map((name) => history.source(identityOf(name))));
  const latest = new Map<number, number>();
  for (let round = 0; round < 150; round += 1) {
    for (const id of ids) {
      if (id === 2 && round % 10 !== 0) continue;
      const first = history.extent(id)?.nextSeq ?? 1;
      const lines = Array.from({ length: 20 }, (_, index) => {
        // Times go back now and then, and are the same in several sources.
        const time = START + round * 1000 + Math.floor(index / 3) * 10 - (index % 7 === 0 ? 5000 : 0);
        const text = `round ${round} of ${id}: status=${index % 5 === 0 ? 503 : 200} n=${index}${round === 77 && index === 3 ? ' Needle' : ''}`;
        return newLine(text, time, { level: LEVELS[(round + index) % 4] ?? null });
      });
      lines.forEach(({ time, level, text }, index) => {
        const effective = Math.max(latest.get(id) ?? 0, time);
        latest.set(id, effective);
        kept.push({ source: id, seq: first + index, time, effective, level, text });
      });
      history.append(id, lines);
    }
    if (round % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 110));
  }
  kept.sort(
    (one, other) => one.effective - other.effective || one.source - other.source || one.seq - other.seq,
  );
});

afterAll(async () => {
  await history.close();
  rmSync(folder, { recursive: true, force: true });
});

function place({ source, seq }: Kept): [number, number] {
  return [source, seq];
}

async function placesOf(query: Parameters<typeof findIn>[1]): Promise<[number, number][]> {
  return (await findIn(history, query)).matches.map(({ source, line }) => [source, line.seq]);
}

describe('a search', () => {
  it('tells everything that matches, the newest first', async () => {
    const expected = kept
      .filter(({ text }) => text.includes('status=503'))
      .map(place)
      .reverse();
    expect(await placesOf({ text: 'STATUS=503' })).toEqual(expected);
    expect(await placesOf({ text: 'status=5[0-9]{2}', regex: true })).toEqual(expected);
    expect(await placesOf({})).toEqual(kept.map(place).reverse());
    expect((await findIn(history, { text: 'needle' })).end).toEqual({
      type: 'end',
      searched: kept.length,
      matched: 2,
      reason: 'complete',
    });
  });

  it('looks at sources, levels and times as they were asked for', async () => {
    const from = START + 40_000;
    const to = START + 90_020;
    const expected = kept
      .filter(
        ({ source, effective, level }) =>
          source !== 1 && effective >= from && effective < to && level === 'warn',
      )
      .map(place)
      .reverse();
    expect(expected.length).toBeGreaterThan(100);
    expect(await placesOf({ sources: [2, 3], levels: ['warn'], from, to })).toEqual(expected);
  });

  it('stops at its limit, and goes on from any line', async () => {
    const all = kept
      .filter(({ text }) => text.includes('n=7'))
      .map(place)
      .reverse();
    const told: [number, number][] = [];
    let before: { time: number; source: number; seq: number } | null = null;
    for (;;) {
      const { matches, end } = await findIn(history, { text: 'n=7', limit: 37, before });
      told.push(...matches.map(({ source, line }): [number, number] => [source, line.seq]));
      if (end?.reason === 'complete') break;
      expect(end).toMatchObject({ matched: 37, reason: 'limit' });
      const last = matches.at(-1);
      if (!last) throw new Error('no match');
      // The time that the line itself names, though it may not be the one that it is ordered by.
      before = { time: last.line.time, source: last.source, seq: last.line.seq };
    }
    expect(told).toEqual(all);
  });

  it('ends expressions that explode, however many, and lets others search meanwhile', async () => {
    const id = history.source(identityOf('evil'));
    history.append(id, [newLine(`${'a'.repeat(60)}!`, START - 1)]);
    const evils = Array.from({ length: 12 }, (_, index) =>
      index % 2 === 0
        ? findIn(history, { text: '^(a+)+$', regex: true })
        : history.histogram(queryOf({ text: '^(a|a)*$', regex: true }), 10, new AbortController().signal),
    );
    const expression = findIn(history, { text: 'n[e]edle', regex: true });
    const began = performance.now();
    expect((await findIn(history, { text: 'needle' })).end).toMatchObject({ matched: 2, reason: 'complete' });
    const text = performance.now() - began;
    expect((await expression).end).toMatchObject({ matched: 2, reason: 'complete' });
    for (const told of await Promise.all(evils)) {
      expect('end' in told ? told.end : told).toMatchObject({ reason: 'timeout' });
    }
    // It waits for a thread to be made, and for no expression to end.
    expect(text).toBeLessThan((performance.now() - began) / 2);
    expect((await findIn(history, { text: 'needle' })).end).toMatchObject({ reason: 'complete' });
    await history.delete(id);
  });

  it('ends without a word when nobody waits for it any more', async () => {
    const ending = new AbortController();
    const events: SearchEvent[] = [];
    for await (const event of history.search(queryOf({ text: 'round' }), ending.signal)) {
      events.push(event);
      if (events.length === 5) ending.abort();
    }
    expect(events.at(-1)?.type).not.toBe('end');
    expect(() => history.search(queryOf({ text: '(', regex: true }), ending.signal)).toThrow(
      expect.objectContaining({ code: 'search_invalid' }),
    );
  });

  it('loses none but the lines on which an expression explodes', async () => {
    const evil = history.source(identityOf('evil'));
    const beside = history.source(identityOf('beside'));
    const late = START + 400_000;
    const calm = (name: string): ReturnType<typeof newLine>[] =>
      Array.from({ length: 40 }, (_, index) => newLine(`${name} calm ${index}`, late + index));
    // All of it is in the newest piece: the bad lines are older than what is beside them.
    const bad = newLine(`${'a'.repeat(60)}!`, START - 1);
    history.append(evil, [...calm('before'), bad, bad, ...calm('after')]);
    history.append(beside, calm('beside'));
    const { texts, end } = await findIn(history, {
      text: '^(a|a|aa)+b$|[a-z]+ calm \\d+|n[e]edle',
      regex: true,
    });
    expect(texts.filter((text) => text.includes('calm'))).toHaveLength(120);
    expect(texts.slice(-2)).toEqual(
      kept
        .map(({ text }) => text)
        .filter((text) => text.includes('Needle'))
        .reverse(),
    );
    expect(end).toEqual({
      type: 'end',
      searched: kept.length + 120,
      matched: 122,
      reason: 'timeout',
    });
    await history.delete(evil);
    await history.delete(beside);
  });

  it('tells what it found beside a piece of which too many lines explode, and is over soon', async () => {
    const expected = kept
      .filter(({ text }) => text.includes('n=7'))
      .map(place)
      .reverse();
    const evil = history.source(identityOf('evil'));
    const bad = Array.from({ length: 200 }, (_, index) =>
      newLine(`${'a'.repeat(60)}!`, START + 400_000 + index),
    );
    // What is written before is in pieces of its own.
    history.append(evil, bad);
    const began = performance.now();
    const { matches, end } = await findIn(history, { text: '^(a|a|aa)+b$|n=[7]', regex: true });
    // The time of two and a half pieces that explode, and that of threads which begin anew.
    expect(performance.now() - began).toBeLessThan(7000);
    expect(matches.map(({ source, line }) => [source, line.seq])).toEqual(expected);
    expect(end).toMatchObject({ matched: expected.length, reason: 'timeout' });
    await history.delete(evil);
  });
});

describe('a histogram', () => {
  it('counts each level in each stretch of time', async () => {
    const { from, to, width, buckets, reason } = await history.histogram(
      queryOf({ sources: ids }),
      7,
      new AbortController().signal,
    );
    expect(reason).toBe('complete');
    expect([from, to]).toEqual([kept[0]?.effective, (kept.at(-1)?.effective ?? 0) + 1]);
    buckets.forEach((bucket, index) => {
      const within = kept.filter(
        ({ effective }) => effective >= from + index * width && effective < from + (index + 1) * width,
      );
      expect(bucket).toMatchObject({ time: from + index * width, total: within.length });
      for (const level of LEVELS) {
        const count = within.filter((line) => line.level === level).length;
        expect(bucket.levels[level ?? 'none'] ?? 0).toBe(count);
      }
    });
    const errors = await history.histogram(
      queryOf({ text: 'status=503', levels: ['error'] }),
      3,
      new AbortController().signal,
    );
    const expected = kept.filter(
      ({ level, text }) => level === 'error' && text.includes('status=503'),
    ).length;
    expect(errors.buckets.reduce((sum, { total }) => sum + total, 0)).toBe(expected);
  });
});

describe('a merge of sources', () => {
  it('has each line at its position, from wherever it is read', async () => {
    for (const chosen of [ids, [1], [3, 2], [2]]) {
      const lines = kept.filter(({ source }) => chosen.includes(source));
      const whole = await history.merged(chosen, 0, 10_000);
      expect(whole.lines.map(({ source, line }) => [source, line.seq])).toEqual(lines.map(place));
      expect([whole.position, whole.first, whole.end]).toEqual([1, 1, lines.length + 1]);
      for (let from = 0; from < lines.length; from += 97) {
        const page = await history.merged(chosen, from + 1, 25);
        expect(page.position).toBe(from + 1);
        expect(page.lines.map(({ source, line }) => [source, line.seq])).toEqual(
          lines.slice(from, from + 25).map(place),
        );
        const line = lines[from] as Kept;
        expect(await history.positionOf(chosen, line.source, line.seq)).toBe(from + 1);
        const at = lines.findIndex(({ effective }) => effective >= line.effective);
        expect(await history.positionAt(chosen, line.effective)).toBe(at + 1);
      }
    }
    expect((await history.merged(ids, 1e9, 5)).lines).toEqual([]);
    expect(await history.merged([], 1, 5)).toMatchObject({ lines: [] });
    expect(await history.sequenceAt(1, 0)).toBe(1);
    expect(await history.sequenceAt(1, START * 2)).toBe(3001);
  });
});
