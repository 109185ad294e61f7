import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Level, SearchEvent } from '../../../../backend/src/drivers/log-store/index.js';
import { findIn, newLine, searchOf, START } from '../../../support/logs/log-store.js';
import { MirroredStore, type LogStoreUnderTest } from '../../support/mirrored-store.js';

const LEVELS: (Level | null)[] = ['info', 'warn', 'error', null];
const ROUNDS = 60;
const ORDERS = ['newest', 'oldest'] as const;

export function describeSearch(subject: LogStoreUnderTest): void {
  describe('search', () => {
    let mirror: MirroredStore;
    let ids: number[];
    let total = 0;

    beforeAll(async () => {
      mirror = await MirroredStore.open(subject);
      ids = ['a', 'b', 'c'].map((name) => mirror.source(name));
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [place, id] of ids.entries()) {
          if (place === 1 && round % 10 !== 0) continue;
          const lines = Array.from({ length: 20 }, (_, index) => {
            // Times go back now and then, and are equal within and between sources.
            const time = START + round * 1000 + Math.floor(index / 3) * 10 - (index % 7 === 0 ? 5000 : 0);
            const needle = round === 37 && index === 3 ? ' Needle' : '';
            const text = `round ${round} of ${place}: status=${index % 5 === 0 ? 503 : 200} n=${index}${needle}`;
            return newLine(text, time, {
              level: LEVELS[(round + index) % 4] ?? null,
              stream: index % 2 === 0 ? 'stdout' : 'stderr',
            });
          });
          mirror.append(id, lines);
          total += lines.length;
        }
        if (round % 20 === 10) await mirror.store.flush();
      }
    });

    afterAll(() => mirror.remove());

    it.each(ORDERS)('finds every matching line, %s first', async (order) => {
      const found = await mirror.search({ text: 'STATUS=503', order });
      expect(found.matches).toHaveLength(total / 5);
      expect((await mirror.search({ text: 'status=5[0-9]{2}', regex: true, order })).matches).toEqual(
        found.matches,
      );
      expect((await mirror.search({ order })).matches).toHaveLength(total);
      expect((await mirror.search({ text: '', order })).matches).toHaveLength(total);
      const { end } = await mirror.search({ text: 'needle', order });
      expect(end).toEqual({ type: 'end', searched: total, matched: 2, reason: 'complete', time: null });
    });

    it('finds lines of sources, levels, streams and times', async () => {
      const [a = 0, b = 0, c = 0] = ids;
      for (const order of ORDERS) {
        const search = { order, from: START + 20_000, to: START + 40_020 };
        expect((await mirror.search(search)).matches.length).toBeGreaterThan(100);
        await mirror.search({ ...search, sources: [b, c], levels: ['warn'] });
        await mirror.search({ ...search, sources: [b, b, 12_345], streams: ['stderr'] });
        await mirror.search({ ...search, sources: [a], text: 'n=1', without: ['N=11', 'n=12'] });
        await mirror.search({ ...search, from: null });
        await mirror.search({ ...search, to: null });
        await mirror.search({ ...search, from: START + 20_010, to: START + 20_011 });
        expect((await mirror.search({ ...search, to: search.from })).matches).toEqual([]);
        expect((await mirror.search({ sources: [] })).matches).toEqual([]);
      }
    });

    it.each(ORDERS)('stops at its limit and resumes behind any line, %s first', async (order) => {
      const all = await mirror.search({ text: 'n=7', order });
      expect(await mirror.searchInParts({ text: 'n=7', order, limit: 7 })).toEqual(all.matches);
      // Equal times within and between sources.
      const search = { order, from: START + 30_000, to: START + 32_000 };
      const every = await mirror.search(search);
      for (const limit of [1, 13]) {
        expect(await mirror.searchInParts({ ...search, limit })).toEqual(every.matches);
      }
      const { end } = await mirror.search({ text: 'n=7', order, limit: 7 });
      expect(end).toMatchObject({ matched: 7, reason: 'limit' });
    });

    it.each(ORDERS)('stops at its maximum bytes and resumes, %s first', async (order) => {
      const all = await mirror.search({ text: 'n=7', order });
      expect(await mirror.searchInParts({ text: 'n=7', order, bytes: 300 })).toEqual(all.matches);
      expect((await mirror.search({ text: 'n=7', order, bytes: 1 })).matches).toHaveLength(1);
      const { matches } = await mirror.search({ text: 'n=7', order, bytes: 100, characters: 10 });
      expect(matches).toHaveLength(10);
      for (const { line } of matches) expect([line.text.length, line.shortened]).toEqual([10, true]);
    });

    it('resumes behind a line that is not stored, by its time', async () => {
      const [a = 0] = ids;
      for (const order of ORDERS) {
        const cursor = { time: START + 30_005, source: a, seq: 1_000_000 };
        await mirror.search({ order, cursor, limit: 50 });
        await mirror.search({ order, cursor: { ...cursor, source: 12_345 }, limit: 50 });
      }
    });

    it('finds the same after flushing and reopening', async () => {
      await mirror.inEachState(async () => {
        await mirror.search({ text: 'n=7' });
        await mirror.search({ text: 'n=7', order: 'oldest', limit: 10 });
        await mirror.histogram({ text: 'status=503', levels: ['error', 'none'] }, 7);
      });
    });

    it('counts nothing before the first line', async () => {
      const first = Math.min(...mirror.ids.map((id) => mirror.store.extent(id)?.firstTime ?? Infinity));
      expect((await mirror.histogram({ to: first }, 2)).buckets.map(({ total }) => total)).toEqual([0, 0]);
      expect((await mirror.histogram({ to: first + 1 }, 1)).buckets[0]?.total).toBeGreaterThan(0);
    });

    it('ends without an end event when its signal aborts', async () => {
      const abort = new AbortController();
      const events: SearchEvent[] = [];
      for await (const event of mirror.store.search(searchOf({ text: 'round' }), abort.signal)) {
        events.push(event);
        if (events.length === 5) abort.abort();
      }
      expect(events.at(-1)?.type).not.toBe('end');
      expect(events.length).toBeLessThan(total);
      const { end } = await findIn(mirror.store, { text: 'round' }, AbortSignal.abort());
      expect(end).toBeUndefined();
    });

    it('may be left by its reader', async () => {
      for await (const event of mirror.store.search(searchOf({}), new AbortController().signal)) {
        expect(event.type).toBe('match');
        break;
      }
      await mirror.search({ text: 'needle' });
    });

    it('finds the same while others search', async () => {
      const texts = ['needle', 'n=7', 'status=503', 'round 1', 'of 1', 'nothing'];
      await Promise.all(texts.map((text) => mirror.search({ text })));
    });

    it('rejects an invalid regex with search_invalid, before the first event', async () => {
      const invalid = { code: 'search_invalid', message: expect.stringMatching(/\S/) as unknown };
      for (const text of ['(', 'a(b', '[z-a]', '*a', 'a{2,1}']) {
        const search = async (): Promise<unknown> => findIn(mirror.store, { text, regex: true });
        await expect(search()).rejects.toMatchObject(invalid);
        const count = async (): Promise<unknown> =>
          mirror.store.histogram(searchOf({ text, regex: true }), 3, new AbortController().signal);
        await expect(count()).rejects.toMatchObject(invalid);
        // As plain text it is valid.
        await mirror.search({ text });
      }
    });
  });

  describe('histogram', () => {
    let mirror: MirroredStore;

    beforeAll(async () => {
      mirror = await MirroredStore.open(subject);
      for (const [place, id] of ['a', 'b'].map((name) => mirror.source(name)).entries()) {
        const lines = Array.from({ length: 500 }, (_, index) =>
          newLine(`line ${index} status=${index % 7 === 0 ? 503 : 200}`, START + index * 1000 + place * 7, {
            level: LEVELS[index % 4] ?? null,
          }),
        );
        mirror.append(id, lines);
      }
    });

    afterAll(() => mirror.remove());

    it('counts matching lines per level in buckets of equal length', async () => {
      await mirror.inEachState(async () => {
        for (const buckets of [1, 2, 7, 60]) {
          const { buckets: counted, width, from } = await mirror.histogram({}, buckets);
          expect(counted.map(({ time }) => time)).toEqual(counted.map((_, index) => from + index * width));
          expect(counted.reduce((sum, { total }) => sum + total, 0)).toBe(1000);
          await mirror.histogram({ text: 'STATUS=503' }, buckets);
          await mirror.histogram({ text: 'status=5[0-9]+', regex: true, levels: ['error'] }, buckets);
          await mirror.histogram({ from: START + 100_500, to: START + 200_500 }, buckets);
          await mirror.histogram({ from: START + 499_000 }, buckets);
          await mirror.histogram({ from: START - 1e9, to: START + 1e9, levels: ['none'] }, buckets);
          await mirror.histogram({ sources: mirror.ids.slice(1), without: ['status=200'] }, buckets);
          await mirror.histogram({ text: 'nothing' }, buckets);
        }
      });
    });

    it('has its buckets where there is nothing to count', async () => {
      const empty = await MirroredStore.open(subject);
      try {
        await empty.histogram({ from: START, to: START + 100 }, 3);
        empty.source('empty');
        await empty.histogram({ from: START, to: START + 100 }, 3);
        expect((await empty.histogram({}, 1)).buckets).toHaveLength(1);
      } finally {
        await empty.remove();
      }
    });
  });
}
