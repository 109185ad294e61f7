import { describe, expect, it } from '@jest/globals';
import { identityOf } from '../../support/logs/log-store.js';
import { MirroredStore, type LogStoreUnderTest } from '../support/mirrored-store.js';
import { describeDeletion } from './log-store/deletion.js';
import { describeLines } from './log-store/lines.js';
import { describeMatching } from './log-store/matching.js';
import { describePages } from './log-store/pages.js';
import { describeQueries } from './log-store/queries.js';
import { describeRandomUse } from './log-store/random-use.js';
import { describeRetention } from './log-store/retention.js';
import { describeSearch } from './log-store/search.js';

export type { LogStoreUnderTest } from '../support/mirrored-store.js';

/** The contract of LogStore. */
export function describeLogStore(name: string, subject: LogStoreUnderTest): void {
  describe(`${name} log store`, () => {
    it('declares how it differs from others, and its state', async () => {
      const mirror = await MirroredStore.open(subject);
      try {
        const { store } = mirror;
        expect(store.capabilities).toEqual(subject.capabilities);
        expect(store.notice).toBeNull();
        expect(store.sources()).toEqual([]);
        await store.room();
        await store.flush();
        expect(store.status()).toMatchObject({ state: 'ok', reason: null, discardedLines: 0 });
        expect(store.status().pendingBytes).toBeGreaterThanOrEqual(0);
      } finally {
        await mirror.remove();
      }
    });

    it('ignores unknown sources, except where it must not', async () => {
      const mirror = await MirroredStore.open(subject);
      try {
        const { store } = mirror;
        const unknown = mirror.source(identityOf('known')) + 1000;
        expect(() => store.append(unknown, [])).toThrow();
        await expect(store.lines(unknown, 1, 10)).rejects.toThrow();
        expect(store.extent(unknown)).toBeUndefined();
        store.leave(unknown);
        await mirror.search({ sources: [unknown] });
        await mirror.histogram({ sources: [...mirror.ids, unknown] }, 3);
        await mirror.expectPage([...mirror.ids, unknown], 1);
        expect((await store.page([], 1, { before: 5, after: 5 })).lines).toEqual([]);
      } finally {
        await mirror.remove();
      }
    });

    describeLines(subject);
    describePages(subject);
    describeSearch(subject);
    describeMatching(subject);
    describeQueries(subject);
    describeDeletion(subject);
    describeRetention(subject);
    describeRandomUse(subject);
  });
}
