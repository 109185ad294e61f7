import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withQuery } from '../../../../backend/src/core/search/index.js';
import { findIn, identityOf, newLine, searchOf, START } from '../../../support/logs/log-store.js';
import { EXACT, LINES, QUERIES, SOURCES } from '../../../support/logs/query-corpus.js';
import { MirroredStore, type LogStoreUnderTest } from '../../support/mirrored-store.js';

export function describeQueries(subject: LogStoreUnderTest): void {
  describe('queries', () => {
    let mirror: MirroredStore;
    const letters = Object.keys(LINES);

    beforeAll(async () => {
      mirror = await MirroredStore.open(subject);
      const ids = Object.fromEntries(
        Object.entries(SOURCES).map(([name, source]) => [
          name,
          mirror.source({ ...identityOf(name), ...source }),
        ]),
      );
      // The same lines twice: in one that is flushed, and in one that is not.
      for (let copy = 0; copy < 2; copy += 1) {
        letters.forEach((letter, index) => {
          const [source, level, stream, text] = LINES[letter] as (typeof LINES)[string];
          mirror.append(ids[source] as number, [
            newLine(text, START + copy * 1000 + index, { level, stream }),
          ]);
        });
        if (copy === 0) await mirror.store.flush();
      }
    });

    afterAll(() => mirror.remove());

    const found = async (query: string, matchCase = false): Promise<string> => {
      const search = {
        ...withQuery(searchOf({ matchCase }), query, mirror.store.sources()),
        order: 'oldest' as const,
      };
      const { matches } = await findIn(mirror.store, search);
      const all = matches.map(({ line }) => letters[(line.time - START) % 1000] as string);
      const half = all.slice(0, all.length / 2);
      expect(all).toEqual([...half, ...half]);
      return half.join(' ');
    };

    it.each(QUERIES)('finds with %s the lines %s', async (query, expected) => {
      expect(await found(query)).toBe(expected.split(' ').sort().join(' '));
    });

    it.each(EXACT)('finds with %s, with case, the lines %s', async (query, expected) => {
      expect(await found(query, true)).toBe(expected);
    });

    it('counts the lines that it finds', async () => {
      for (const query of [
        'timeout -healthz',
        '(timeout OR status>=500) level>=warn',
        'pod:mailer OR lock',
      ]) {
        const { condition, ...search } = withQuery(searchOf({}), query, mirror.store.sources());
        const counted = await mirror.store.histogram(
          { ...search, condition },
          1,
          new AbortController().signal,
        );
        expect([query, counted.buckets[0]?.total]).toEqual([
          query,
          2 * (await found(query)).split(' ').length,
        ]);
      }
    });
  });
}
