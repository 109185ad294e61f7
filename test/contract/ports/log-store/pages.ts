import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newLine, Random, START } from '../../../support/logs/log-store.js';
import type { LogPage } from '../../../../backend/src/drivers/log-store/index.js';
import { MirroredStore, type LogStoreUnderTest } from '../../support/mirrored-store.js';

const MAX_BYTES = 3000;

const textsOf = ({ lines }: LogPage): string[] => lines.map(({ line }) => line.text);
const bytesOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

export function describePages(subject: LogStoreUnderTest): void {
  describe('pages', () => {
    describe('of several sources', () => {
      let mirror: MirroredStore;
      let ids: number[];
      let selections: number[][];

      beforeAll(async () => {
        mirror = await MirroredStore.open(subject);
        ids = ['a', 'b', 'c'].map((name) => mirror.source(name));
        selections = [ids, [...ids].reverse(), ids.slice(0, 1), ids.slice(1), [ids[1] as number]];
        const random = new Random(11);
        // Few different times, so that many are equal; some go back.
        for (let round = 0; round < 60; round += 1) {
          const id = random.of(ids);
          const lines = Array.from({ length: random.between(1, 12) }, (_, index) => {
            const back = random.next() < 0.1 ? random.between(0, 40) : 0;
            return newLine(`${round}.${index}`, START + round + random.between(0, 3) - back);
          });
          mirror.append(id, lines);
          if (round % 15 === 7) await mirror.store.flush();
        }
        // A source that is silent for long, and one whose first line comes late.
        mirror.append(ids[0] as number, [newLine('late by far', START - 1e9)]);
        mirror.append(ids[2] as number, [newLine('much newer', START + 1e9)]);
      });

      afterAll(() => mirror.remove());

      it('have the order of effective time, source and number, at every position', async () => {
        const whole = await mirror.expectPage(ids, 1);
        for (let position = 1; position <= whole.end + 1; position += 1) {
          await mirror.expectPage(ids, position, { before: 3, after: 4 });
        }
        for (const selection of selections) {
          const { first, end } = await mirror.expectPage(selection, 1);
          for (let position = first; position <= end; position += 17) {
            await mirror.expectPage(selection, position, { before: 10, after: 0 });
            await mirror.expectPage(selection, position, { before: 0, after: 10 });
            await mirror.expectPage(selection, position, { before: 7, after: 5 });
          }
        }
      });

      it('begin or end at the oldest and the newest line, wherever the position is', async () => {
        for (const position of [-Infinity, -5, 0, 1, 4, 1e9, Infinity]) {
          await mirror.expectPage(ids, position, { before: 10, after: 10 });
          await mirror.expectPage(ids, position, { before: 10, after: 0 });
          await mirror.expectPage(ids, position, { before: 0, after: 10 });
          await mirror.expectPage(ids, position, { before: 0, after: 0 });
        }
        // Lines that are missing before the position are added behind it.
        const page = await mirror.expectPage(ids, 4, { before: 10, after: 10 });
        expect([page.position, page.lines.length, page.endedEarly]).toEqual([1, 20, false]);
      });

      it('take a source once that is named twice', async () => {
        await mirror.expectPage([...ids, ...ids], 20, { before: 5, after: 5 });
      });

      it('give the position of each line', async () => {
        for (const selection of selections) {
          const { lines } = await mirror.expectPage(selection, 1);
          for (let index = 0; index < lines.length; index += selection === ids ? 1 : 11) {
            const { source = 0, line } = lines[index] ?? {};
            await mirror.expectPositionOf(selection, source, line?.seq ?? 0);
          }
        }
      });

      it('give the position of a time', async () => {
        for (const selection of selections) {
          for (let time = START - 3; time < START + 70; time += 3) await mirror.expectTime(selection, time);
          await mirror.expectTime(selection, 0);
          await mirror.expectTime(selection, START + 1e9);
          await mirror.expectTime(selection, START + 2e9);
        }
      });

      it('have no position of a line that is not stored, or of a source that is not requested', async () => {
        const { store } = mirror;
        const [one = 0, other = 0] = ids;
        const { nextSeq = 0 } = store.extent(one) ?? {};
        const isNotFound = { name: 'DomainError', code: 'line_not_found' };
        await expect(store.positionOf(ids, one, nextSeq)).rejects.toMatchObject(isNotFound);
        await expect(store.positionOf(ids, one, 0)).rejects.toMatchObject(isNotFound);
        await expect(store.positionOf([one], other, 1)).rejects.toMatchObject(isNotFound);
        await expect(store.positionOf(ids, 10_000, 1)).rejects.toMatchObject(isNotFound);
      });

      it('read the same after flushing and reopening', async () => {
        await mirror.inEachState(async () => {
          await mirror.expectSame();
          const { end } = await mirror.expectPage(ids, 1);
          for (let position = 1; position <= end; position += 23) {
            await mirror.expectPage(ids, position, { before: 5, after: 5 });
          }
        });
      });
    });

    describe('with limits', () => {
      let mirror: MirroredStore;
      let ids: number[];
      let kept: string[];

      beforeAll(async () => {
        mirror = await MirroredStore.open(subject);
        ids = ['a', 'b', 'c'].map((name) => mirror.source(name));
        for (let round = 0; round < 30; round += 1) {
          for (const [place, id] of ids.entries()) {
            const lines = Array.from({ length: place === 2 ? 2 : 12 }, (_, index) => {
              const letter = ['€', '😀', 'x'][index % 3] ?? '';
              const text = `${round}.${index} ${letter.repeat((round * 37 + index * 101) % 700)}`;
              return newLine(text, START + round * 1000 + Math.floor(index / 4));
            });
            mirror.append(id, lines);
          }
          if (round === 15) await mirror.store.flush();
        }
        kept = textsOf(await mirror.expectPage(ids, 1));
      });

      afterAll(() => mirror.remove());

      it('have the lines after a position that fit, and say that they ended early', async () => {
        const read: string[] = [];
        for (let position = 1; position <= kept.length;) {
          const page = await mirror.expectPage(ids, position, { before: 0, after: 100, bytes: MAX_BYTES });
          expect(page.lines.length).toBeGreaterThan(0);
          expect(bytesOf(textsOf(page)) <= MAX_BYTES || page.lines.length === 1).toBe(true);
          read.push(...textsOf(page));
          position += page.lines.length;
        }
        expect(read).toEqual(kept);
      });

      it('have the lines before a position that fit, nearest first', async () => {
        const read: string[] = [];
        for (let position = Infinity; position > 1;) {
          const page = await mirror.expectPage(ids, position, { before: 100, after: 0, bytes: MAX_BYTES });
          expect(bytesOf(textsOf(page)) <= MAX_BYTES || page.lines.length === 1).toBe(true);
          read.unshift(...textsOf(page));
          ({ position } = page);
        }
        expect(read).toEqual(kept);
      });

      it('have the line at the position, whatever surrounds it', async () => {
        for (let position = 1; position <= kept.length; position += 23) {
          const page = await mirror.store.page(ids, position, { before: 20, after: 20, bytes: MAX_BYTES });
          const texts = textsOf(page);
          const begin = page.position - 1;
          expect(texts).toEqual(kept.slice(begin, begin + texts.length));
          expect(texts[position - page.position]).toBe(kept[position - 1]);
          const longest = Math.max(...texts.map((text) => Buffer.byteLength(text)));
          expect(bytesOf(texts)).toBeLessThanOrEqual(MAX_BYTES + longest);
          expect(page.endedEarly).toBe(texts.length < Math.min(40, kept.length - begin));
        }
      });

      it('have one line where it alone exceeds the maximum bytes', async () => {
        for (const position of [1, 300, kept.length]) {
          const page = await mirror.expectPage(ids, position, { before: 0, after: 5, bytes: 1 });
          expect(textsOf(page)).toEqual([kept[position - 1]]);
        }
      });

      it('shorten texts, count the remaining bytes, and split no surrogate pair', async () => {
        const page = await mirror.expectPage(ids, 1, { before: 0, after: 100, bytes: 8000, characters: 20 });
        expect([page.lines.length, page.endedEarly]).toEqual([100, false]);
        page.lines.forEach(({ line }, index) => {
          const whole = kept[index] ?? '';
          expect(whole.startsWith(line.text)).toBe(true);
          expect(line.shortened).toBe(whole.length > 20 ? true : undefined);
          expect(line.text.isWellFormed()).toBe(true);
        });
        await mirror.expectPage(ids, 50, { before: 30, after: 30, characters: 1 });
      });
    });

    it('keep the positions of lines when older lines are deleted', async () => {
      const mirror = await MirroredStore.open(subject);
      try {
        const [old, fresh] = [mirror.source('old'), mirror.source('fresh')];
        mirror.append(old, [newLine('o1', START), newLine('o2', START + 1)]);
        mirror.append(fresh, [newLine('f1', START + 2), newLine('f2', START + 3)]);
        const before = await mirror.store.positionOf([old, fresh], fresh, 2);
        await mirror.delete(old);
        await mirror.inEachState(async () => {
          expect(await mirror.store.positionOf([old, fresh], fresh, 2)).toBe(before);
          const page = await mirror.expectPage([old, fresh], 1);
          expect([page.first, page.end, textsOf(page)]).toEqual([3, 5, ['f1', 'f2']]);
        });
        // Numbers and times continue where they were.
        mirror.append(old, [newLine('o3', START), newLine('o4', START + 4)]);
        await mirror.inEachState(() => mirror.expectSame());
      } finally {
        await mirror.remove();
      }
    });
  });
}
