import { afterEach, describe, expect, it } from '@jest/globals';
import type { LogStore, RetentionLimits } from '../../../../backend/src/drivers/log-store/index.js';
import { bytesIn } from '../../../support/folder-bytes.js';
import {
  findIn,
  newLine,
  NO_LIMITS,
  NUMBERED_BYTES,
  numberedText,
  START,
  writeLines,
} from '../../../support/logs/log-store.js';
import { waitFor } from '../../../support/wait-for.js';
import { MirroredStore, type LogStoreUnderTest } from '../../support/mirrored-store.js';

const MB = 1_000_000;
const DAY = 24 * 60 * 60 * 1_000_000;

export function describeRetention(subject: LogStoreUnderTest): void {
  if (subject.capabilities.retention !== 'store') {
    it('ignores the limits, because the database enforces its own', async () => {
      const limits = { totalBytes: 1, bytesPerSource: 1, maxAgeDays: 0 };
      const mirror = await MirroredStore.open(subject, limits);
      try {
        mirror.append(mirror.source('old'), [newLine('kept', START - 10_000 * DAY)]);
        await mirror.store.enforceRetention();
        await mirror.expectSame();
      } finally {
        await mirror.remove();
      }
    });
    return;
  }

  describe('retention', () => {
    let mirror: MirroredStore | undefined;

    afterEach(async () => {
      await mirror?.remove();
      mirror = undefined;
    });

    const open = async (limits: Partial<RetentionLimits>): Promise<MirroredStore> => {
      mirror = await MirroredStore.open(subject, { ...NO_LIMITS, ...limits });
      return mirror;
    };

    /** The remaining lines are the newest ones, unchanged. @returns their number. */
    async function expectNewest(store: LogStore, id: number, last: number): Promise<number> {
      const { firstSeq = 0, nextSeq = 0 } = store.extent(id) ?? {};
      expect(nextSeq - 1).toBe(last);
      const lines = await store.lines(id, 1, last);
      expect(lines.map(({ seq }) => seq)).toEqual(
        Array.from({ length: last - firstSeq + 1 }, (_, index) => firstSeq + index),
      );
      expect(lines.every(({ seq, text }) => text === numberedText(seq))).toBe(true);
      return lines.length;
    }

    it('deletes the oldest lines of all sources that exceed the total size', async () => {
      const limit = 8 * MB;
      const { store, folder } = await open({ totalBytes: limit });
      const [one = 0, other = 0] = ['one', 'other'].map((name) => mirror?.source(name));
      await writeLines(store, one, 8000, START);
      await writeLines(store, other, 6000, START + 1_000_000);
      await waitFor(async () => {
        await store.enforceRetention();
        const bytes = store.status().bytesOnDisk ?? 0;
        return bytes <= limit && bytesIn(folder) <= limit * 1.25;
      }, 'the total limit');
      const left = await expectNewest(store, one, 8000);
      // Older lines of the one are deleted before any of the other.
      const kept = await expectNewest(store, other, 6000);
      expect(left === 0 || kept === 6000).toBe(true);
      // At least half of the allowed size stays.
      expect((left + kept) * NUMBERED_BYTES).toBeGreaterThan(limit / 2);
      expect((await findIn(store, { characters: 1 })).matches).toHaveLength(left + kept);
      expect((await store.page([one, other], 1, { before: 0, after: 1 })).first).toBe(
        14_000 - left - kept + 1,
      );
    });

    it('deletes the oldest lines of one source that exceed its size', async () => {
      const limit = 2 * MB;
      const { store } = await open({ bytesPerSource: limit });
      const [loud = 0, quiet = 0] = ['loud', 'quiet'].map((name) => mirror?.source(name));
      await writeLines(store, quiet, 100, START);
      await writeLines(store, loud, 6000, START);
      await waitFor(async () => {
        await store.enforceRetention();
        return (store.extent(loud)?.bytes ?? 0) <= limit * 1.5;
      }, 'the limit of a source');
      const left = await expectNewest(store, loud, 6000);
      expect(left * NUMBERED_BYTES).toBeGreaterThan(limit / 2);
      expect(await expectNewest(store, quiet, 100)).toBe(100);
      await mirror?.reopen({ ...NO_LIMITS, bytesPerSource: limit });
      const reopened = mirror?.store;
      // More may have been deleted since.
      const later = reopened ? await expectNewest(reopened, loud, 6000) : 0;
      expect(later).toBeLessThanOrEqual(left);
      expect(later * NUMBERED_BYTES).toBeGreaterThan(limit / 2);
    });

    it('deletes lines of a greater age, and forgets a source that left with its last line', async () => {
      const { store } = await open({ maxAgeDays: 1 });
      const now = Date.now() * 1000;
      const [old = 0, gone = 0, mixed = 0] = ['old', 'gone', 'mixed'].map((name) => mirror?.source(name));
      await writeLines(store, old, 100, now - 2 * DAY);
      await writeLines(store, gone, 100, now - 3 * DAY);
      await writeLines(store, mixed, 3000, now - 2 * DAY);
      await writeLines(store, mixed, 500, now - DAY / 2);
      store.leave(gone);
      await waitFor(async () => {
        await store.enforceRetention();
        return store.sources().length === 2 && (store.extent(old)?.firstTime ?? null) === null;
      }, 'old lines to be deleted');
      expect(store.extent(old)).toMatchObject({ firstSeq: 101, nextSeq: 101, bytes: 0 });
      // A block with lines of both ages may stay.
      const left = await expectNewest(store, mixed, 3500);
      expect(left).toBeGreaterThanOrEqual(500);
      expect(left).toBeLessThan(2000);
      expect(store.append(old, [newLine('new', now)])).toBe(101);
    });
  });
}
