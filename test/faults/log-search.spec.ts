import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEmbeddedLogStore } from '../../backend/src/drivers/log-store/embedded/embedded-log-store.js';
import type { LogStore } from '../../backend/src/drivers/log-store/index.js';
import { findIn, identityOf, newLine, NO_LIMITS, searchOf, START } from '../support/logs/log-store.js';

const EVIL_REGEX = '^(a+)+$';
/** The regex takes twice as long for each further letter. */
const EVIL_LINE = `${'a'.repeat(60)}!`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-search-faults-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Opens a store in which the regex takes forever on the oldest line. */
async function openStore(searchDeadlineMs: number): Promise<{ store: LogStore; calm: number }> {
  const store = await openEmbeddedLogStore(folder, NO_LIMITS, {
    uncompressedBytes: 64 * 1024,
    searchDeadlineMs,
  });
  const [evil, calm] = [store.source(identityOf('evil')), store.source(identityOf('calm'))];
  store.append(evil, [newLine(EVIL_LINE, START)]);
  // Too many to be searched together with the older line.
  for (let batch = 0; batch < 40; batch += 1) {
    const lines = Array.from({ length: 500 }, (_, index) => {
      const number = batch * 500 + index;
      return newLine(`calm ${number} ${'.'.repeat(500)}`, START + 1 + number);
    });
    store.append(calm, lines);
    await store.room();
  }
  await store.flush();
  return { store, calm };
}

describe('a regex with catastrophic backtracking', () => {
  it('does not delay appends and searches for text', async () => {
    // No regex reaches this deadline, however busy the machine is.
    const { store, calm } = await openStore(60_000);
    const stop = new AbortController();
    try {
      const evils = Array.from({ length: 6 }, () =>
        findIn(store, { text: EVIL_REGEX, regex: true }, stop.signal),
      );
      const counting = store.histogram(searchOf({ text: EVIL_REGEX, regex: true }), 10, stop.signal);
      let ended = 0;
      for (const evil of [...evils, counting]) void evil.catch(() => undefined).then(() => (ended += 1));
      for (let number = 1; number <= 5; number += 1) {
        const text = `calm and live ${number}`;
        const seq = store.append(calm, [newLine(text, START + 1e6 + number)]);
        expect((await store.lines(calm, seq, 1))[0]?.text).toBe(text);
        expect((await findIn(store, { text: text.toUpperCase(), limit: 1 })).texts).toEqual([text]);
      }
      expect(ended).toBe(0);
      stop.abort();
      await Promise.allSettled([...evils, counting]);
      expect((await findIn(store, { text: 'calm 77 ' })).end).toMatchObject({
        matched: 1,
        reason: 'complete',
      });
      await store.flush();
      expect(store.status()).toMatchObject({ state: 'ok' });
    } finally {
      stop.abort();
      await store.close();
    }
  });

  it('ends at the deadline with reason timeout, and reports how far it got', async () => {
    const { store } = await openStore(2500);
    try {
      // The start of threads would count.
      await Promise.all(['calm 77 ', 'calm 78 '].map((text) => findIn(store, { text })));
      const counting = store.histogram(
        searchOf({ text: EVIL_REGEX, regex: true }),
        10,
        new AbortController().signal,
      );
      const found = await findIn(store, { text: `${EVIL_REGEX}|^calm 19999`, regex: true });
      expect(await counting).toMatchObject({ reason: 'timeout' });
      // Lines newer than the one at which it stops are found.
      expect(found.texts.map((text) => text.slice(0, 10))).toEqual(['calm 19999']);
      expect(found.end).toMatchObject({ type: 'end', matched: 1, reason: 'timeout' });
      expect(found.end?.time).toBeGreaterThanOrEqual(START);
      expect(found.end?.time).toBeLessThanOrEqual(START + 20_000);
      expect(found.end?.searched).toBeGreaterThan(0);
    } finally {
      await store.close();
    }
  });
});
