import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_LINE_LENGTH } from '../../backend/src/drivers/log-store/log-line.js';
import type { SourceIdentity } from '../../backend/src/drivers/log-store/log-source.js';
import type { LineDto } from '../../backend/src/modules/log-lines/line.dto.js';
import { ResponseLimits } from '../../backend/src/modules/log-lines/response-limits.js';
import type { ServerMessage } from '../../backend/src/modules/log-live/socket-messages.js';
import type {
  LineDetailDto,
  LinePageDto,
  MergedPageDto,
} from '../../backend/src/modules/log-search/line-page.dto.js';
import { RegexLimit } from '../../backend/src/modules/log-search/regex-limit.js';
import type { SearchResultDto } from '../../backend/src/modules/log-search/search.dto.js';
import type { LogSourceDto } from '../../backend/src/modules/log-sources/log-source.dto.js';
import { LogStoreAccess } from '../../backend/src/modules/log-sources/log-store-access.js';
import { SourceRegistry } from '../../backend/src/modules/log-sources/source-registry.js';
import { EventSocket } from '../support/app/event-socket.js';
import { signIn, type SignedIn } from '../support/app/signed-in.js';
import { startLogBoard, type TestApp } from '../support/app/start-app.js';
import { identityOf, newLine, START } from '../support/logs/lines.js';
import { waitFor } from '../support/wait-for.js';

let board: TestApp;
let session: SignedIn;

beforeAll(async () => {
  board = await startLogBoard();
  session = await signIn(board);
});

afterAll(() => board.stop());

async function get<TBody>(path: string): Promise<TBody> {
  const headers = { ...session.bearer, accept: 'application/json' };
  const response = await board.client.send('GET', path, { headers });
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.text.slice(0, 500)}`);
  return response.body as TBody;
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

describe('{"type":"sources"} for 3,000 sources', () => {
  const COUNT = 3000;
  /** As in docs/log-board-socket.md. */
  const MAX_SOURCES = 250;
  const MAX_MESSAGE_BYTES = 192 * 1024;

  type SourcesMessage = Extract<ServerMessage, { type: 'sources' }>;
  let socket: EventSocket<ServerMessage>;

  afterAll(() => socket.close());

  /** A pod with a name of almost the maximum length. */
  function podOf(number: number): SourceIdentity {
    return {
      key: `pod/docker/shop/uid-${number}/server`,
      kind: 'pod',
      runtime: 'docker',
      cluster: 'shop',
      namespace: `team-of-the-shop-${number % 40}`,
      workload: `Deployment/recommendations-${number % 300}`,
      name: `${'recommendations-'.repeat(14)}${number}`,
      container: 'server',
      role: 'main',
      service: null,
      previous: null,
    };
  }

  /** The messages of the full list: up to the first one without `more`. */
  function fullList(): SourcesMessage[] {
    const all = socket.of('sources');
    return all.slice(0, all.findIndex(({ more }) => more !== true) + 1);
  }

  /** The sources of a client that applies all messages. */
  function known(): Map<number, LogSourceDto> {
    const sources = new Map<number, LogSourceDto>();
    for (const message of socket.of('sources')) {
      if (message.whole) sources.clear();
      for (const source of message.sources) sources.set(source.id, source);
      for (const id of message.gone) sources.delete(id);
    }
    return sources;
  }

  it('sends each source once in bounded messages, followed by changes since', async () => {
    await board.nest.get(LogStoreAccess).get();
    const registry = board.nest.get(SourceRegistry, { strict: false });
    const added = Array.from({ length: COUNT }, (_, number) => {
      const entry = registry.ensure(podOf(number));
      registry.setState(entry, 'live');
      return entry.id;
    });
    socket = await EventSocket.open<ServerMessage>(board.port, {}, `/ws?token=${session.token}`);
    const [first, second] = [added.at(0) as number, added.at(1) as number];
    const [last, secondLast] = [added.at(-1) as number, added.at(-2) as number];
    socket.send({ type: 'watch_sources' });
    // Right after the first message: the last one follows about 50 ms later.
    while (socket.of('sources').length === 0) await nextTurn();
    expect(socket.of('sources').at(-1)?.more).toBe(true);
    // Change sources that were sent, sources that may not have been sent, and a new one.
    const changed = [first, last];
    for (const id of changed) registry.setState(registry.get(id), 'failed', 'It changed meanwhile.');
    const removed = [second, secondLast];
    const drops = removed.map((id) => registry.drop(registry.get(id)));
    const fresh = registry.ensure(podOf(COUNT)).id;
    await Promise.all(drops);
    const expected = [...added.filter((id) => !removed.includes(id)), fresh];
    const isUpToDate = (): boolean =>
      known().get(first)?.state === 'failed' && known().has(fresh) && !removed.some((id) => known().has(id));
    await waitFor(isUpToDate, 'the changes');
    const list = fullList();
    expect(list.map(({ whole }) => whole)).toEqual([true, ...list.slice(1).map(() => false)]);
    const ids = list.flatMap(({ sources, gone }) => [...sources.map(({ id }) => id), ...gone]);
    expect(ids.toSorted((one, other) => one - other)).toEqual(added);
    for (const message of socket.of('sources')) {
      expect(message.sources.length + message.gone.length).toBeLessThanOrEqual(MAX_SOURCES);
      expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(MAX_MESSAGE_BYTES);
    }
    expect([...known().keys()].toSorted((one, other) => one - other)).toEqual(expected);
    for (const id of changed) expect(known().get(id)).toMatchObject({ state: 'failed' });
    expect([...known().values()].toSorted((one, other) => one.id - other.id)).toEqual(
      (await get<LogSourceDto[]>('/api/sources')).toSorted((one, other) => one.id - other.id),
    );
  });
});

describe('responses with lines of 64 kB', () => {
  const LINES = 30;
  const MAX_BYTES = 8 * MAX_LINE_LENGTH;
  const texts = numbers(1, LINES).map((seq) => `long ${seq} `.padEnd(MAX_LINE_LENGTH, '.'));
  let long: number;
  let short: number;

  beforeAll(async () => {
    const limits = board.nest.get(ResponseLimits, { strict: false });
    expect(limits.pageBytes).toBe(8 * 1024 * 1024);
    // A smaller limit keeps the test fast.
    Object.assign(limits, { pageBytes: MAX_BYTES });
    const store = await board.nest.get(LogStoreAccess).get();
    const registry = board.nest.get(SourceRegistry);
    long = registry.ensure(identityOf('long')).id;
    short = registry.ensure(identityOf('short')).id;
    for (const [index, text] of texts.entries()) {
      store.append(long, [newLine(text, START + index * 10)]);
      store.append(short, [newLine(`short ${index + 1}`, START + index * 10 + 5)]);
      if (index % 20 === 0) await store.room();
    }
  });

  const page = (query: string): Promise<LinePageDto> =>
    get(`/api/sources/${long}/lines?limit=${LINES}&${query}`);
  const merged = (query: string): Promise<MergedPageDto> =>
    get(`/api/lines?sources=${long},${short}&limit=${2 * LINES}&${query}`);
  const seqs = ({ lines }: LinePageDto): number[] => lines.map(({ seq }) => seq);

  function expectBounded(lines: readonly { text: string }[]): void {
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length * MAX_LINE_LENGTH).toBeLessThanOrEqual(MAX_BYTES);
  }

  it('GET /api/sources/:id/lines ends pages early, and continues after and before them', async () => {
    const after: string[] = [];
    for (let last = 0; last < LINES;) {
      const found = await page(`after=${last}`);
      expectBounded(found.lines);
      expect(seqs(found)).toEqual(numbers(last + 1, last + found.lines.length));
      last += found.lines.length;
      expect(found.ended_early).toBe(last < LINES ? true : undefined);
      after.push(...found.lines.map(({ text }) => text));
    }
    expect(after.every((text, index) => text === texts[index])).toBe(true);
    for (let first = LINES + 1; first > 1;) {
      const found = await page(first > LINES ? '' : `before=${first}`);
      expectBounded(found.lines);
      expect(seqs(found)).toEqual(numbers(first - found.lines.length, first - 1));
      first -= found.lines.length;
      expect(found.ended_early).toBe(first > 1 ? true : undefined);
    }
    const around = await page('around=15');
    expectBounded(around.lines);
    expect([around.ended_early, seqs(around).includes(15)]).toEqual([true, true]);
  });

  it('GET /api/lines ends pages early, and continues by position', async () => {
    let position = 1;
    for (let end = Infinity; position < end;) {
      const found = await merged(`position=${position}`);
      ({ end } = found);
      expectBounded(found.lines.filter(([source]) => source === long).map((line) => ({ text: line[5] })));
      expect(found.position).toBe(position);
      // The lines of both sources alternate.
      expect(found.lines.map(([source, seq]) => [source, seq])).toEqual(
        found.lines.map((_, index) => [
          (position + index) % 2 === 1 ? long : short,
          Math.ceil((position + index) / 2),
        ]),
      );
      position += found.lines.length;
      expect(found.ended_early).toBe(position < end ? true : undefined);
    }
    expect(position).toBe(2 * LINES + 1);
    const newest = await merged('');
    expect([newest.ended_early, newest.position + newest.lines.length]).toEqual([true, newest.end]);
    for (const query of [`source=${long}&seq=15`, `at=${START + 140}`]) {
      const middle = await merged(query);
      expect(middle.lines[29 - middle.position]?.slice(0, 2)).toEqual([long, 15]);
    }
  });

  it('?longest shortens texts in lists, and GET /api/sources/:id/lines/:seq returns the full text', async () => {
    const found = await page('after=0&longest=100');
    expect([found.lines.length, found.ended_early]).toEqual([LINES, undefined]);
    for (const line of found.lines) {
      expect([line.text, line.shortened, line.cut]).toEqual([texts[line.seq - 1]?.slice(0, 100), true, 0]);
    }
    const { lines, ended_early } = await merged('position=1&longest=100');
    expect([lines.length, ended_early]).toEqual([2 * LINES, undefined]);
    for (const [source, , , , , text, flags] of lines) {
      expect([text.length <= 100, flags]).toEqual([true, source === long ? 4 : 0]);
    }
    const { text, shortened } = await get<LineDetailDto>(`/api/sources/${long}/lines/15`);
    expect([text === texts[14], shortened]).toEqual([true, undefined]);
    const { matches, reason } = await get<SearchResultDto>(`/api/search?q=long&limit=10000&longest=100`);
    expect([matches.length, reason]).toEqual([LINES, 'complete']);
    expect(new Set(matches.map((line) => [line.text.length, line.shortened].join()))).toEqual(
      new Set(['100,true']),
    );
  });

  it('GET /api/search ends early, and continues with ?before', async () => {
    const found: number[] = [];
    for (let before: string | null = ''; before !== null;) {
      const path = `/api/search?q=long&limit=10000${before && `&before=${before}`}`;
      const result: SearchResultDto = await get<SearchResultDto>(path);
      expectBounded(result.matches);
      found.push(...result.matches.map(({ seq }) => seq));
      expect(result.matched).toBe(result.matches.length);
      expect(result.reason).toBe(found.length < LINES ? 'limit' : 'complete');
      ({ before } = result);
    }
    expect(found).toEqual(numbers(1, LINES).reverse());
  });

  it('GET /api/export is not limited', async () => {
    const send = (query: string): ReturnType<typeof board.client.send> =>
      board.client.send('GET', `/api/export?${query}`, { headers: session.bearer });
    const lines = (await send('q=long&format=ndjson')).text.trimEnd().split('\n');
    expect(lines).toHaveLength(LINES);
    expect(lines.every((line, index) => (JSON.parse(line) as LineDto).text === texts[index])).toBe(true);
    const all = gunzipSync((await send(`sources=${long}&gzip=true`)).bytes)
      .toString('utf8')
      .trimEnd()
      .split('\n');
    expect(all).toHaveLength(LINES);
    expect(all.every((line, index) => line.endsWith(texts[index] ?? '!'))).toBe(true);
    expect(gunzipSync((await send(`sources=${long}&q=none&gzip=true`)).bytes)).toHaveLength(0);
  });
});

describe('concurrent regex searches', () => {
  const MAX_SEARCHES = 16;

  it('get 429 beyond the limit, until the response of another one closes', async () => {
    const statuses = async (query: string): Promise<number[]> => {
      const requests = ['search', 'histogram', 'export'].map((path) =>
        board.client.send('GET', `/api/${path}?${query}`, { headers: session.bearer }),
      );
      return (await Promise.all(requests)).map(({ status }) => status);
    };
    const limit = board.nest.get(RegexLimit);
    const responses = numbers(1, MAX_SEARCHES).map(
      () => new ServerResponse(new IncomingMessage(new Socket())),
    );
    for (const response of responses) limit.admit({ regex: true }, response);
    expect(await statuses('regex=true&q=ca[l]m')).toEqual([429, 429, 429]);
    expect(await statuses('q=calm')).toEqual([200, 200, 200]);
    for (const response of responses) response.emit('close');
    // Finished searches release their slots.
    for (let round = 0; round < MAX_SEARCHES; round += 1) {
      expect(await statuses('regex=true&q=ca[l]m')).toEqual([200, 200, 200]);
    }
  });
});
