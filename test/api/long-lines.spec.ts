import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LogStoreAccess } from '../../backend/src/modules/log-sources/log-store-access.js';
import type {
  LineDetailDto,
  LinePageDto,
  MergedPageDto,
} from '../../backend/src/modules/log-search/line-page.dto.js';
import type { LineDto } from '../../backend/src/modules/log-lines/line.dto.js';
import { MAX_LINE_LENGTH } from '../../backend/src/drivers/log-store/index.js';
import type { SearchResultDto } from '../../backend/src/modules/log-search/search.dto.js';
import { SourceRegistry } from '../../backend/src/modules/log-sources/source-registry.js';
import { signIn, type SignedIn } from '../support/app/signed-in.js';
import { startLogBoard, type TestApp } from '../support/app/start-app.js';
import { identityOf, newLine, START } from '../support/logs/lines.js';

/** 19 MB, more than twice as much as a page may have. */
const LINES = 300;
const MOST_BYTES = 8 * 1024 * 1024;

describe('lines of 64 kB', () => {
  let board: TestApp;
  let session: SignedIn;
  let long: number;
  let short: number;
  const texts = numbers(1, LINES).map((seq) => `long ${seq} `.padEnd(MAX_LINE_LENGTH, '.'));

  beforeAll(async () => {
    board = await startLogBoard({ environment: { APP_LOG_INTAKE: 'off' } });
    session = await signIn(board);
    const history = await board.nest.get(LogStoreAccess).get();
    const registry = board.nest.get(SourceRegistry);
    long = registry.ensure(identityOf('long')).id;
    short = registry.ensure(identityOf('short')).id;
    for (const [index, text] of texts.entries()) {
      history.append(long, [newLine(text, START + index * 10)]);
      history.append(short, [newLine(`short ${index + 1}`, START + index * 10 + 5)]);
      if (index % 20 === 0) await history.room();
    }
  });

  afterAll(() => board.stop());

  async function get<TBody>(path: string): Promise<TBody> {
    const headers = { ...session.bearer, accept: 'application/json' };
    const answer = await board.client.send('GET', path, { headers });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 500)}`);
    return answer.body as TBody;
  }

  const page = (query: string): Promise<LinePageDto> =>
    get(`/api/sources/${long}/lines?limit=${LINES}&${query}`);
  const merged = (query: string): Promise<MergedPageDto> =>
    get(`/api/lines?sources=${long},${short}&limit=${2 * LINES}&${query}`);
  const seqs = ({ lines }: LinePageDto): number[] => lines.map(({ seq }) => seq);

  function expectBounded(told: readonly { text: string }[]): void {
    expect(told.length).toBeGreaterThan(0);
    expect(told.length * MAX_LINE_LENGTH).toBeLessThanOrEqual(MOST_BYTES);
  }

  it('are read in pages that end early, and go on after and before them', async () => {
    const after: string[] = [];
    let answers = 0;
    for (let last = 0; last < LINES;) {
      const told = await page(`after=${last}`);
      expectBounded(told.lines);
      expect(seqs(told)).toEqual(numbers(last + 1, last + told.lines.length));
      last += told.lines.length;
      expect(told.ended_early).toBe(last < LINES ? true : undefined);
      after.push(...told.lines.map(({ text }) => text));
      answers += 1;
    }
    expect(after.every((text, index) => text === texts[index])).toBe(true);
    expect(answers).toBe(Math.ceil((LINES * MAX_LINE_LENGTH) / MOST_BYTES));

    for (let first = LINES + 1; first > 1;) {
      const told = await page(first > LINES ? '' : `before=${first}`);
      expectBounded(told.lines);
      expect(seqs(told)).toEqual(numbers(first - told.lines.length, first - 1));
      first -= told.lines.length;
      expect(told.ended_early).toBe(first > 1 ? true : undefined);
    }
    const around = await page('around=150');
    expectBounded(around.lines);
    expect([around.ended_early, seqs(around).includes(150), seqs(around).includes(120)]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('are read among others in pages that end early, and go on by position', async () => {
    let position = 1;
    for (let end = Infinity; position < end;) {
      const told = await merged(`position=${position}`);
      ({ end } = told);
      expectBounded(told.lines.filter(([source]) => source === long).map((line) => ({ text: line[5] })));
      expect(told.position).toBe(position);
      expect(told.lines.map(([source, seq]) => [source, seq])).toEqual(
        told.lines.map((_, index) => placeAt(position + index)),
      );
      position += told.lines.length;
      expect(told.ended_early).toBe(position < end ? true : undefined);
    }
    expect(position).toBe(2 * LINES + 1);

    const newest = await merged('');
    expect([newest.ended_early, newest.position + newest.lines.length]).toEqual([true, newest.end]);
    const middle = await merged(`source=${long}&seq=150`);
    expect(middle.lines[299 - middle.position]?.slice(0, 2)).toEqual([long, 150]);
    const at = await merged(`at=${START + 1490}`);
    expect(at.lines[299 - at.position]?.slice(0, 2)).toEqual([long, 150]);
  });

  it('are told by their begin where a list wants no more, and whole by themselves', async () => {
    const told = await page('after=0&longest=100');
    expect([told.lines.length, told.ended_early]).toEqual([LINES, undefined]);
    for (const line of told.lines) {
      expect([line.text, line.shortened, line.cut]).toEqual([texts[line.seq - 1]?.slice(0, 100), true, 0]);
    }
    const among = await merged('position=1&longest=100');
    expect([among.lines.length, among.ended_early]).toEqual([2 * LINES, undefined]);
    for (const [source, , , , , text, flags] of among.lines) {
      expect([text.length <= 100, flags]).toEqual([true, source === long ? 4 : 0]);
    }
    const { text, shortened } = await get<LineDetailDto>(`/api/sources/${long}/lines/150`);
    expect([text === texts[149], shortened]).toEqual([true, undefined]);
    const found = await get<SearchResultDto>(`/api/search?q=long&limit=10000&longest=100`);
    expect([found.matches.length, found.reason]).toEqual([LINES, 'complete']);
    expect(new Set(found.matches.map((line) => [line.text.length, line.shortened].join()))).toEqual(
      new Set(['100,true']),
    );
  });

  it('are searched in answers that end early, and go on behind them', async () => {
    const told: number[] = [];
    for (let before: string | null = ''; before !== null;) {
      const of = `/api/search?q=long&limit=10000${before && `&before=${before}`}`;
      const found: SearchResultDto = await get<SearchResultDto>(of);
      expectBounded(found.matches);
      told.push(...found.matches.map(({ seq }) => seq));
      expect(found.matched).toBe(found.matches.length);
      expect(found.reason).toBe(told.length < LINES ? 'limit' : 'complete');
      ({ before } = found);
    }
    expect(told).toEqual(numbers(1, LINES).reverse());
  });

  it('are exported whole', async () => {
    const file = await board.client.send('GET', `/api/export?q=long&format=ndjson`, {
      headers: session.bearer,
    });
    const lines = file.text.trimEnd().split('\n');
    expect(lines).toHaveLength(LINES);
    expect(lines.every((line, index) => (JSON.parse(line) as LineDto).text === texts[index])).toBe(true);
    const packed = await board.client.send('GET', `/api/export?sources=${long}&gzip=true`, {
      headers: session.bearer,
    });
    const all = gunzipSync(packed.bytes).toString('utf8').trimEnd().split('\n');
    expect(all).toHaveLength(LINES);
    expect(all.every((line, index) => line.endsWith(texts[index] ?? '!'))).toBe(true);
    const none = await board.client.send('GET', `/api/export?sources=${long}&q=none&gzip=true`, {
      headers: session.bearer,
    });
    expect(gunzipSync(none.bytes)).toHaveLength(0);
  });

  /** Which line is at a position among both: one of each in turn. */
  function placeAt(position: number): [number, number] {
    return [position % 2 === 1 ? long : short, Math.ceil(position / 2)];
  }
});

function numbers(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}
