import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEmbeddedLogStore } from '../../backend/src/drivers/log-store/embedded/index.js';
import { findIn, identityOf, newLine, NO_LIMITS, searchOf, START } from '../support/logs/log-store.js';

const EVIL_REGEX = '^(a+)+$';
/** The regex takes twice as long for each further letter. */
const EVIL_LINE = `${'a'.repeat(60)}!`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-search-faults-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a regex with catastrophic backtracking', () => {
  it('ends at the deadline with reason timeout, while other searches and appends go on', async () => {
    const deadline = 1000;
    const store = await openEmbeddedLogStore(folder, NO_LIMITS, {
      uncompressedBytes: 64 * 1024,
      searchDeadlineMs: deadline,
    });
    try {
      const [evil, calm] = [store.source(identityOf('evil')), store.source(identityOf('calm'))];
      store.append(evil, [newLine(EVIL_LINE, START)]);
      // Too many to be searched together with the older line.
      for (let batch = 0; batch < 40; batch += 1) {
        const texts = Array.from(
          { length: 500 },
          (_, index) => `calm ${batch * 500 + index} ${'.'.repeat(500)}`,
        );
        store.append(
          calm,
          texts.map((text, index) => newLine(text, START + 1 + batch * 500 + index)),
        );
        await store.room();
      }
      await store.flush();
      let slowest = 0;
      let last = performance.now();
      const pulse = setInterval(() => {
        slowest = Math.max(slowest, performance.now() - last);
        last = performance.now();
      }, 10);

      const began = performance.now();
      const evils = Array.from({ length: 6 }, () => findIn(store, { text: EVIL_REGEX, regex: true }));
      const counting = store.histogram(
        searchOf({ text: EVIL_REGEX, regex: true }),
        10,
        new AbortController().signal,
      );
      const state = { isOver: false };
      const ended = Promise.all(evils).finally(() => (state.isOver = true));
      let appended = 0;
      let slowestSearch = 0;
      while (!state.isOver) {
        appended += 1;
        const seq = store.append(calm, [newLine(`calm and live ${appended}`, START + 1e6 + appended)]);
        expect((await store.lines(calm, seq, 1))[0]?.text).toBe(`calm and live ${appended}`);
        const asked = performance.now();
        const { texts, end } = await findIn(store, { text: `CALM AND LIVE ${appended}`, limit: 1 });
        expect([texts, end?.reason === 'timeout']).toEqual([[`calm and live ${appended}`], false]);
        slowestSearch = Math.max(slowestSearch, performance.now() - asked);
        await delay(20);
      }
      for (const { end, matches } of await ended) {
        expect(end).toMatchObject({ type: 'end', reason: 'timeout', matched: 0 });
        expect(matches).toEqual([]);
      }
      expect(await counting).toMatchObject({ reason: 'timeout' });
      const took = performance.now() - began;
      clearInterval(pulse);
      expect(took).toBeGreaterThanOrEqual(deadline * 0.9);
      // Each has the deadline to itself; threads may be fewer than searches.
      expect(took).toBeLessThan(deadline * 7 + 3000);
      // A text does not wait for all regexes that were there before it.
      expect(slowestSearch).toBeLessThan(deadline * 1.5);
      expect(slowest).toBeLessThan(500);
      expect((await findIn(store, { text: 'calm 77 ' })).end).toMatchObject({
        matched: 1,
        reason: 'complete',
      });
      await store.flush();
      expect(store.status()).toMatchObject({ state: 'ok' });

      // What is newer than the line at which it stops is found, and the result says how far it got.
      const found = await findIn(store, { text: `${EVIL_REGEX}|^calm 19999`, regex: true });
      expect(found.texts.map((text) => text.slice(0, 10))).toEqual(['calm 19999']);
      expect(found.end).toMatchObject({ matched: 1, reason: 'timeout' });
      expect(found.end?.time).toBeGreaterThanOrEqual(START);
      expect(found.end?.time).toBeLessThanOrEqual(START + 20_000);
      expect(found.end?.searched).toBeGreaterThan(0);
    } finally {
      await store.close();
    }
  });
});
