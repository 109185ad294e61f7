import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Level } from '../../../../backend/src/drivers/log-store/index.js';
import { findIn, newLine, START } from '../../../support/logs/log-store.js';
import { MirroredStore, type LogStoreUnderTest } from '../../support/mirrored-store.js';

const LEVELS: (Level | null)[] = ['error', 'info', 'error', 'warn', null];
const STREAMS = ['stdout', 'stderr', null] as const;

const TEXTS = [
  'GET /v1/orders status=200 order=o-12345 ok',
  'Get /V1/Orders STATUS=503 msg="took long" order=o-1',
  '{"level":"error","msg":"upstream timeout","status":504,"nested":{"id":"a-1","ok":true}}',
  'level=warn msg="took long" status=504 user="a \\"b\\""',
  'connection refused by 10.244.1.17:5432',
  'Grüße aus Köln, GRÜSSE, groß',
  'ПРИВЕТ мир, Ελλάδα, ÀÉÎÕÜ',
  'E1121 09:44:02 1 x.go:1] "Sync failed" pod="shop/web-0" err="status=504"',
  '\u001b[31merror\u001b[0m: it failed with 100% [x] (y) {z} a.b a+b c|d ^e$ f\\g *h?',
  '',
  '   ',
  '😀 smile 🇩🇪 flag e\u0301',
  'a\tb status=504\r',
  '{"status":"504","a":{"status":1},"empty":"","list":["x",1],"no":null}',
  'status=5040 xstatus=504 msg="status=504"',
  'status=""  timeout',
  '{"broken": "json", "status":504',
  '日本語のログ timeout 行',
  'level=warn msg=_msg:foo _time:5m _stream:{a="b"} status=504 | delete',
  '{"urn:x:id":"7","":"9","a.b":"10","a":{"b":"11"},"half":"\\ud83d x"}',
  'web-1 | {"order":7,"url":"http://a:80/b"}',
];

/** Valid, and of the same meaning, in JavaScript and in RE2. */
const REGEXES = [
  'timeout|refused',
  'status=5[0-9]{2}',
  'order=o-[0-9]{5}',
  '^get',
  '^GET',
  'ok$',
  '^$',
  '.*refused.*',
  '[^a]timeout',
  '(?:status|order)=\\S+',
  'gr(ü|u)(ss|ß)e',
  'köln',
  'привет',
  'st(atus){1,2}=',
  '\\bo-\\d+\\b',
  '(time)out',
  '\\p{Lu}\\p{Ll}',
  'status=.{3,} ',
  'ti.eout|re.used',
  'a\\.b',
  '\\[x\\] \\(y\\)',
  '😀 s',
  'msg="took',
  '"msg":"[a-z ]+"',
  "it's|100%",
  'a?b*',
  '',
];

const PLAIN = [
  'status',
  'STATUS=50',
  'grüße',
  'GRÜSSE',
  'groß',
  'привет МИР',
  'àéîõü',
  'ελλάδα',
  '[x] (y) {z}',
  'a.b',
  'c|d ^e$',
  'f\\g *h?',
  '100%',
  '"msg":"',
  'msg="took long"',
  '\\"b\\"',
  '😀',
  'e\u0301',
  '\t',
  ' ',
  '   ',
  '\u001b[31m',
  '日本',
  '本語',
  '_time:5m',
  '{a="b"}',
  '| delete',
  "'",
  '"',
  '*',
  'time',
  'imeou',
  't',
];

export function describeMatching(subject: LogStoreUnderTest): void {
  describe('matching', () => {
    let mirror: MirroredStore;

    beforeAll(async () => {
      mirror = await MirroredStore.open(subject);
      const id = mirror.source('texts');
      // The same lines twice: in one that is flushed, and in one that is not.
      for (let copy = 0; copy < 2; copy += 1) {
        const lines = TEXTS.map((text, index) =>
          newLine(text, START + copy * 1000 + index, {
            level: LEVELS[index % 5] ?? null,
            stream: STREAMS[index % 3] ?? null,
          }),
        );
        mirror.append(id, lines);
        if (copy === 0) await mirror.store.flush();
      }
    });

    afterAll(() => mirror.remove());

    const indexesOf = async (search: Parameters<MirroredStore['search']>[0]): Promise<number[]> => {
      const { matches } = await mirror.search({ ...search, order: 'oldest' });
      const indexes = matches.map(({ line }) => (line.seq - 1) % TEXTS.length);
      const half = indexes.slice(0, indexes.length / 2);
      expect(indexes).toEqual([...half, ...half]);
      return half;
    };

    it.each(PLAIN)('finds the text %j, with and without case', async (text) => {
      const exact = await indexesOf({ text, matchCase: true });
      expect(exact).toEqual(TEXTS.flatMap((line, index) => (line.includes(text) ? [index] : [])));
      const folded = await indexesOf({ text, matchCase: false });
      const expected = TEXTS.flatMap((line, index) =>
        line.toLowerCase().includes(text.toLowerCase()) ? [index] : [],
      );
      expect(folded).toEqual(expected);
    });

    it.each(REGEXES)('finds the regex %j, with and without case', async (text) => {
      for (const matchCase of [true, false]) {
        const flags = (matchCase ? '' : 'i') + (text.includes('\\p') ? 'u' : '');
        const expected = TEXTS.flatMap((line, index) => (new RegExp(text, flags).test(line) ? [index] : []));
        expect(await indexesOf({ text, regex: true, matchCase })).toEqual(expected);
      }
    });

    it('excludes texts', async () => {
      expect(await indexesOf({ text: 'status', without: ['TIMEOUT', 'msg'] })).toEqual([0, 7, 12, 13, 16]);
      expect(await indexesOf({ text: 'status', without: ['TIMEOUT', 'msg'], matchCase: true })).toEqual([
        0, 7, 12, 13, 15, 16,
      ]);
      expect(await indexesOf({ without: ['GRÜSSE', 't', ' ', '{'] })).toEqual([9]);
      expect(await indexesOf({ without: [''], text: 'refused' })).toEqual([4]);
      expect(await indexesOf({ text: 'st.tus', regex: true, without: ['.', '(', '"'] })).toEqual([0, 12]);
    });

    it('selects levels, and lines without a level as none', async () => {
      const at = (...levels: (Level | null)[]): number[] =>
        TEXTS.flatMap((_, index) => (levels.includes(LEVELS[index % 5] ?? null) ? [index] : []));
      expect(await indexesOf({ levels: ['error'] })).toEqual(at('error'));
      expect(await indexesOf({ levels: ['none', 'warn'] })).toEqual(at(null, 'warn'));
      expect(await indexesOf({ levels: ['none'] })).toEqual(at(null));
      expect(await indexesOf({ levels: ['fatal', 'trace'] })).toEqual([]);
      expect(await indexesOf({ levels: ['error'], text: 'status' })).toEqual([0, 2, 7, 12, 15]);
    });

    it('selects streams; a line without a stream has none of them', async () => {
      const at = (...rest: number[]): number[] =>
        TEXTS.flatMap((_, index) => (rest.includes(index % 3) ? [index] : []));
      expect(await indexesOf({ streams: ['stdout'] })).toEqual(at(0));
      expect(await indexesOf({ streams: ['stderr'] })).toEqual(at(1));
      expect(await indexesOf({ streams: ['stdout', 'stderr'] })).toEqual(at(0, 1));
      expect(await indexesOf({ streams: ['stderr'], text: 'status' })).toEqual([1, 7, 13, 16]);
    });

    it('finds fields with odd names, and those of an object behind a prefix', async () => {
      const found = (name: string, value: string): Promise<number[]> =>
        indexesOf({ fields: [{ name, value }] });
      const odd = TEXTS.findIndex((text) => text.includes('urn:x'));
      for (const [name, value] of [
        ['urn', 'x:id:7'],
        ['urn:x:id', '7'],
        ['', '9'],
        ['a.b', '10'],
        ['a.b', '11'],
        ['half', '\ufffd x'],
      ] as const) {
        expect(await found(name, value)).toEqual([odd]);
      }
      expect(await found('a.b', '1')).toEqual([]);
      expect(await found('url', 'http://a:80/b')).toEqual([odd + 1]);
      expect(await found('order', '7')).toEqual([odd + 1]);
    });

    it('selects and excludes values of fields', async () => {
      const status = { name: 'status', value: '504' };
      // Quoted, partial, nested or broken values are not the field.
      expect(await indexesOf({ fields: [status] })).toEqual([2, 3, 12, 13, 18]);
      expect(await indexesOf({ fields: [{ name: 'nested.id', value: 'a-1' }] })).toEqual([2]);
      expect(await indexesOf({ fields: [{ name: 'nested.ok', value: 'true' }] })).toEqual([2]);
      expect(await indexesOf({ fields: [{ name: 'msg', value: 'took long' }] })).toEqual([1, 3]);
      expect(await indexesOf({ fields: [{ name: 'user', value: 'a "b"' }] })).toEqual([3]);
      expect(await indexesOf({ fields: [{ name: 'list', value: '["x",1]' }] })).toEqual([13]);
      expect(await indexesOf({ fields: [{ name: 'no', value: 'null' }] })).toEqual([13]);
      expect(await indexesOf({ fields: [{ name: 'empty', value: '' }] })).toEqual([13]);
      expect(await indexesOf({ fields: [{ name: 'Status', value: '504' }] })).toEqual([]);
      expect(await indexesOf({ fields: [{ name: '__proto__', value: 'x' }] })).toEqual([]);
      expect(await indexesOf({ fields: [status, { name: 'level', value: 'warn' }] })).toEqual([3, 18]);
      const id = { name: 'nested.id', value: 'a-1' };
      expect(await indexesOf({ fields: [status], withoutFields: [id] })).toEqual([3, 12, 13, 18]);
      expect(await indexesOf({ fields: [status], withoutFields: [status] })).toEqual([]);
      const others = TEXTS.flatMap((_, index) => ([2, 3, 12, 13, 18].includes(index) ? [] : [index]));
      expect(await indexesOf({ withoutFields: [status] })).toEqual(others);
      expect(await indexesOf({ withoutFields: [{ name: 'status', value: '' }] })).toEqual(
        TEXTS.flatMap((_, index) => (index === 15 ? [] : [index])),
      );
      expect(await indexesOf({ text: 'timeout', withoutFields: [status] })).toEqual([15, 17]);
    });

    it('combines all conditions', async () => {
      const conditions = {
        text: 'status=\\d+',
        regex: true,
        matchCase: true,
        without: ['delete'],
        fields: [{ name: 'msg', value: 'took long' }],
        withoutFields: [{ name: 'status', value: '200' }],
        levels: ['warn', 'info'] as const,
        streams: ['stdout', 'stderr'] as const,
      };
      expect(await indexesOf(conditions)).toEqual([3]);
      expect(await indexesOf({ ...conditions, matchCase: false })).toEqual([1, 3]);
    });

    it(`takes regexes of the syntax ${subject.capabilities.regex}`, async () => {
      for (const [text, line] of [
        ['(?<=status=)503', TEXTS[1]],
        ['(s)mile.*\\1|(\\w)\\2onnectio', undefined],
        ['timeo(?!ut)|r(?=efused)', TEXTS[4]],
      ] as const) {
        const search = { text, regex: true, matchCase: false };
        if (subject.capabilities.regex === 'javascript') {
          const { texts } = await mirror.search(search);
          expect(texts).toEqual(line === undefined ? [] : [line, line]);
        } else {
          await expect(findIn(mirror.store, search)).rejects.toMatchObject({
            code: 'search_invalid',
            message: expect.stringMatching(/\S/) as unknown,
          });
        }
      }
    });

    it('finds in lines of very different lengths', async () => {
      const lengths = await MirroredStore.open(subject);
      try {
        const id = lengths.source('lengths');
        const texts = Array.from({ length: 1000 }, (_, index) =>
          index % 97 === 0
            ? `${'y'.repeat(60_000)} needle`
            : `line ${index} ${index % 10 === 0 ? 'Needle' : 'hay'}`,
        );
        lengths.append(
          id,
          texts.map((text, index) => newLine(text, START + index)),
        );
        await lengths.inEachState(async () => {
          await lengths.search({ text: 'needle', characters: 100 });
          await lengths.search({ text: 'needle|nothing', regex: true, characters: 100 });
          await lengths.search({ text: 'y needle$', regex: true, matchCase: true, characters: 10 });
          await lengths.histogram({ text: 'needle' }, 10);
        });
      } finally {
        await lengths.remove();
      }
    });
  });
}
