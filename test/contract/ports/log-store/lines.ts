import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_LINE_LENGTH } from '../../../../backend/src/drivers/log-store/log-line.js';
import { identityOf, newLine, START } from '../../../support/logs/log-store.js';
import { MirroredStore, type LogStoreUnderTest } from '../../support/mirrored-store.js';

const MANY_SOURCES = 3000;

/** Texts that a store must return as they are. */
const TEXTS: Readonly<Record<string, string>> = {
  'an empty line': '',
  'only spaces': '   ',
  'only a tab': '\t',
  'leading and trailing spaces': '  two before, three after   ',
  'tabs and carriage returns': 'a\tb\rc\r',
  'quotes and backslashes': '"quoted" \'single\' `back` \\ \\n \\" \\u0041',
  'SQL and LogsQL': `'; DROP TABLE blocks; -- | delete _msg:"x" {a="b"} * _time:5m`,
  JSON: '{"msg":"Grüße","nested":{"id":"a-1"},"list":[1,2],"_msg":"x","_time":"y","_stream":"z"}',
  'ANSI escapes': '\u001b[1;31mred\u001b[0m \u001b]8;;https://example.org\u0007link\u001b]8;;\u0007',
  'control characters': '\u0001\u0007\u0008\u001f\u007f\u0085',
  'line separators': 'a\u2028b\u2029c\u000bd\u000ce',
  emoji: '😀 👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪',
  'combining marks': 'e\u0301 n\u0303 Å Å',
  'right-to-left text': 'שלום עולם \u202bمرحبا\u202c',
  'other scripts': '日本語 한국어 ไทย Ελληνικά Кириллица',
  'a byte order mark and special characters': '\ufeffstart \ufffd \ufffe \u200b\u00a0',
  'invalid UTF-8 and NUL as the intake writes them': '\\xff\\xfe \\xc3( \\0 end',
  'a plane-16 character': '\u{10ffff}\u{1f9ff}',
};

export function describeLines(subject: LogStoreUnderTest): void {
  describe('lines', () => {
    let mirror: MirroredStore;

    beforeEach(async () => {
      mirror = await MirroredStore.open(subject);
    });

    afterEach(() => mirror.remove());

    it('have numbers from 1 on without gaps, per source', async () => {
      const [one, other] = [mirror.source('one'), mirror.source('other')];
      expect(mirror.append(one, [newLine('a', START), newLine('b', START + 1)])).toBe(1);
      expect(mirror.append(other, [newLine('c', START)])).toBe(1);
      expect(mirror.append(one, [])).toBe(3);
      expect(mirror.append(one, [newLine('d', START + 2)])).toBe(3);
      expect(mirror.store.extent(one)).toEqual({
        firstSeq: 1,
        nextSeq: 4,
        bytes: 3,
        firstTime: START,
        lastTime: START + 2,
      });
      await mirror.inEachState(() => mirror.expectSame());
      expect(mirror.append(one, [newLine('e', START + 3)])).toBe(4);
      await mirror.expectSame();
    });

    it('can be read as soon as append returns', async () => {
      const id = mirror.source('api');
      for (let number = 0; number < 20; number += 1) {
        mirror.append(id, [newLine(`line ${number}`, START + number)]);
        expect(mirror.store.extent(id)?.nextSeq).toBe(number + 2);
        expect((await mirror.store.lines(id, number + 1, 10)).map(({ text }) => text)).toEqual([
          `line ${number}`,
        ]);
        expect((await mirror.search({ text: `line ${number}`, limit: 1 })).texts).toEqual([`line ${number}`]);
        expect((await mirror.histogram({}, 1)).buckets[0]?.total).toBe(number + 1);
        const page = await mirror.expectPage([id], Infinity, { before: 1, after: 0 });
        expect(page.lines[0]?.line.text).toBe(`line ${number}`);
      }
    });

    it('keep every property', async () => {
      const id = mirror.source('api');
      const lines = [
        newLine('plain', START),
        newLine('no stream', START + 1, { stream: null }),
        newLine('cut', START + 2, { stream: 'stderr', level: 'error', cut: 123_456_789 }),
        newLine('  at frame', START + 3, { stream: 'stderr', level: 'error', continues: true }),
        newLine('back in time', START - 7_000_000_000, { level: 'trace' }),
        newLine('long ago', 5, { level: 'fatal' }),
        ...(['trace', 'debug', 'info', 'warn', 'error', 'fatal', null] as const).map((level, index) =>
          newLine(`level ${level}`, START + 10 + index, { level }),
        ),
      ];
      mirror.append(id, lines);
      await mirror.inEachState(async () => {
        const stored = lines.map((line, index) => ({ ...line, seq: index + 1 }));
        expect(await mirror.store.lines(id, 1, 100)).toEqual(stored);
        await mirror.expectSame();
      });
    });

    it('keep every text: Unicode, ANSI escapes, spaces and empty lines', async () => {
      const id = mirror.source('texts');
      const texts = Object.values(TEXTS);
      for (const [index, text] of texts.entries()) {
        mirror.append(id, [newLine(text, START + index), newLine(text, START + index)]);
      }
      await mirror.inEachState(async () => {
        for (const { seq, text } of await mirror.store.lines(id, 1, 100)) {
          expect(text).toBe(texts[(seq - 1) >> 1]);
        }
        await mirror.expectSame();
        for (const text of texts.filter((one) => one.trim() !== '')) {
          // A text finds itself, among the lines that contain it.
          const { texts: found } = await mirror.search({ text, matchCase: true });
          expect(found).toContain(text);
        }
      });
    });

    it('keep texts of the maximum length', async () => {
      const id = mirror.source('long');
      const long = [
        'x'.repeat(MAX_LINE_LENGTH),
        '€'.repeat(MAX_LINE_LENGTH),
        '😀'.repeat(MAX_LINE_LENGTH / 2),
        `${'y'.repeat(MAX_LINE_LENGTH - 6)}needle`,
        `{"a":"${'z'.repeat(MAX_LINE_LENGTH - 8)}"}`,
      ];
      mirror.append(
        id,
        long.map((text, index) => newLine(text, START + index, { cut: index })),
      );
      await mirror.inEachState(async () => {
        await mirror.expectLines(id, 1, 10);
        expect((await mirror.search({ text: 'NEEDLE' })).texts).toEqual([long[3]]);
        expect((await mirror.search({ text: 'needle$', regex: true })).texts).toEqual([long[3]]);
        expect((await mirror.search({ text: '€€€' })).texts).toEqual([long[1]]);
        await mirror.expectPage([id], 1, { before: 0, after: 10, characters: 1000 });
      });
    });

    it('may have lone surrogates replaced by U+FFFD', async () => {
      const id = mirror.source('surrogates');
      const texts = ['a\ud800b', '\udc00', 'pair 😀 then \ud83d'];
      mirror.append(
        id,
        texts.map((text, index) => newLine(text, START + index)),
      );
      await mirror.inEachState(async () => {
        const read = await mirror.store.lines(id, 1, 10);
        expect(read.map(({ text }) => text.toWellFormed())).toEqual(texts.map((text) => text.toWellFormed()));
        expect(mirror.store.extent(id)).toEqual(mirror.model.extent(id));
        const { texts: found } = await mirror.search({ text: 'pair 😀' });
        expect(found).toHaveLength(1);
      });
    });

    it('come from a number on, up to a limit of lines and of bytes', async () => {
      const id = mirror.source('api');
      mirror.append(
        id,
        Array.from({ length: 100 }, (_, index) => newLine(`€${'x'.repeat(index)}`, START + index)),
      );
      await mirror.inEachState(async () => {
        for (const from of [-5, 0, 1, 2, 50, 99, 100, 101, 1000]) {
          for (const limit of [0, 1, 7, 200]) await mirror.expectLines(id, from, limit);
        }
        for (const bytes of [1, 3, 4, 100, 101, 102, 103, 1e9]) await mirror.expectLines(id, 1, 100, bytes);
      });
    });

    it('have a number at a time, also where times go back', async () => {
      const id = mirror.source('api');
      const times = [10, 10, 5, 20, 19, 1, 20, 30, 25, 31, 31];
      mirror.append(
        id,
        times.map((time, index) => newLine(`line ${index}`, START + time)),
      );
      await mirror.inEachState(async () => {
        for (let time = 0; time <= 32; time += 1) await mirror.expectTime([id], START + time);
        // The third line happened at 5, after a line of 10.
        expect(await mirror.store.seqAt(id, START + 5)).toBe(1);
        expect(await mirror.store.seqAt(id, START + 11)).toBe(4);
        expect(await mirror.store.seqAt(id, START + 32)).toBe(12);
        expect(await mirror.store.seqAt(id, 0)).toBe(1);
      });
    });

    it('stay with their sources after reopening, and runs grow', async () => {
      const identity = identityOf('api');
      const id = mirror.source(identity);
      mirror.append(id, [newLine('old', START)]);
      const renamed = { ...identity, name: 'web', workload: 'Compose/shop', namespace: 'ü"\'\\' };
      expect(mirror.source(renamed)).toBe(id);
      mirror.append(id, [newLine('new', START + 1)]);
      const empty = mirror.source('empty');
      const { run } = mirror.store;
      expect(mirror.store.changedFrom(id, run)).toBe(Infinity);
      await mirror.reopen();
      mirror.expectSources();
      expect(mirror.store.run).toBeGreaterThan(run);
      expect(mirror.source(renamed)).toBe(id);
      expect(mirror.source('empty')).toBe(empty);
      // Nothing was lost: all numbers that were handed out still name the same lines.
      expect(mirror.store.changedFrom(id, run)).toBeGreaterThanOrEqual(3);
      expect(mirror.store.changedFrom(id, mirror.store.run)).toBe(Infinity);
      expect(mirror.append(id, [newLine('newer', START + 2)])).toBe(3);
      await mirror.reopen();
      expect(mirror.store.changedFrom(id, run)).toBeGreaterThanOrEqual(3);
      mirror.source(renamed);
      mirror.source('empty');
      expect(mirror.source('another')).not.toBe(id);
      await mirror.expectSame();
    });

    it(`come from ${MANY_SOURCES} sources, and merge`, async () => {
      for (let number = 0; number < MANY_SOURCES; number += 1) {
        // Every third has the time of the one before.
        const time = START + ((number * 7919) % MANY_SOURCES) - (number % 3 === 0 ? 1 : 0);
        mirror.append(mirror.source(`source-${number}`), [newLine(`line of ${number}`, time)]);
      }
      const { ids } = mirror;
      const check = async (): Promise<void> => {
        const middle = { before: 100, after: 100 };
        await mirror.expectPage(ids, Infinity, { before: 200, after: 0 });
        await mirror.expectPage(ids, MANY_SOURCES / 2, middle);
        expect((await mirror.search({ text: 'LINE OF 2999' })).texts).toEqual(['line of 2999']);
        expect((await mirror.search({ limit: 50 })).matches).toHaveLength(50);
        expect((await mirror.histogram({ text: 'line' }, 1)).buckets[0]?.total).toBe(MANY_SOURCES);
      };
      await check();
      await mirror.reopen();
      await check();
      mirror.expectSources();
    });
  });
}
