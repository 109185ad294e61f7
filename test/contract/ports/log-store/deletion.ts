import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { identityOf, newLine, START } from '../../../support/logs/log-store.js';
import { waitFor } from '../../../support/wait-for.js';
import { MirroredStore, type LogStoreUnderTest } from '../../support/mirrored-store.js';

export function describeDeletion(subject: LogStoreUnderTest): void {
  describe('deletion of lines', () => {
    let mirror: MirroredStore;
    let kept: number;
    let deleted: number;

    beforeEach(async () => {
      mirror = await MirroredStore.open(subject);
      kept = mirror.source('kept');
      deleted = mirror.source('deleted');
      for (let round = 0; round < 3; round += 1) {
        for (const id of [kept, deleted]) {
          const lines = Array.from({ length: 300 }, (_, index) =>
            newLine(
              `${id === deleted ? 'confidential' : 'public'} ${round}.${index}`,
              START + round * 1000 + index,
            ),
          );
          mirror.append(id, lines);
        }
        await mirror.store.flush();
      }
      mirror.append(deleted, [newLine('confidential: not flushed', START + 5000)]);
    });

    afterEach(() => mirror.remove());

    const expectGone = async (): Promise<void> => {
      await mirror.expectSame();
      await mirror.expectPage([deleted], 1);
      await mirror.expectTime([kept, deleted], START + 1500);
      expect(mirror.store.extent(deleted)).toMatchObject({ bytes: 0, firstTime: null, lastTime: null });
      expect((await mirror.search({ sources: [deleted] })).matches).toEqual([]);
      expect((await mirror.search({ text: 'CONFIDENTIAL' })).matches).toEqual([]);
      expect((await mirror.histogram({ text: 'confidential' }, 1)).buckets[0]?.total).toBe(0);
      await expect(mirror.store.positionOf([kept, deleted], deleted, 5)).rejects.toMatchObject({
        code: 'line_not_found',
      });
    };

    it('removes them from every result, also after reopening', async () => {
      await mirror.delete(deleted);
      await mirror.inEachState(expectGone);
      // There is nothing to delete any more.
      await mirror.delete(deleted);
    });

    it('lets the numbers continue, also after reopening', async () => {
      await mirror.delete(deleted);
      expect(mirror.append(deleted, [newLine('after', START)])).toBe(902);
      await mirror.inEachState(() => mirror.expectSame());
      await mirror.delete(deleted);
      await mirror.reopen();
      mirror.source('kept');
      mirror.source('deleted');
      await expectGone();
      expect(mirror.append(deleted, [newLine('again', START + 9000), newLine('late', START)])).toBe(903);
      await mirror.inEachState(() => mirror.expectSame());
    });

    if (subject.capabilities.deletion === 'erase') {
      it('removes them from the disk', async () => {
        const isOnDisk = (text: string): boolean =>
          readdirSync(mirror.folder, { recursive: true, withFileTypes: true }).some(
            (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text),
          );
        await mirror.store.flush();
        // Stores in memory and compressed ones do not have it there.
        const canBeSeen = isOnDisk('public 0.5');
        expect(isOnDisk('confidential 0.5')).toBe(canBeSeen);
        await mirror.delete(deleted);
        const isGone = async (): Promise<boolean> => {
          await mirror.store.enforceRetention();
          return !isOnDisk('confidential');
        };
        await waitFor(isGone, 'the deleted text to leave the files', 10_000);
        expect(isOnDisk('public 0.5')).toBe(canBeSeen);
        await expectGone();
      });
    }

    it('forgets a source that left, when it has no lines', async () => {
      const forgotten = async (): Promise<boolean> => {
        await mirror.store.enforceRetention();
        return !mirror.store.sources().some(({ id }) => id === deleted);
      };
      await mirror.delete(deleted);
      expect(await forgotten()).toBe(false);
      mirror.store.leave(kept);
      mirror.store.leave(deleted);
      await waitFor(forgotten, 'the source to be forgotten');
      expect(mirror.store.extent(deleted)).toBeUndefined();
      // One that left and has lines stays.
      expect(mirror.store.sources().map(({ id }) => id)).toEqual([kept]);
      await mirror.reopen();
      expect(mirror.store.sources().map(({ id }) => id)).toEqual([kept]);
      // Its id is not given to another source.
      expect(mirror.store.source(identityOf('new'))).not.toBe(deleted);
    });
  });
}
