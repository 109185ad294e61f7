import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  LineDetailDto,
  LinePageDto,
  MergedPageDto,
} from '../../backend/src/modules/log-search/line-page.dto.js';
import type { LineDto } from '../../backend/src/modules/log-lines/line.dto.js';
import type { HistogramDto, SearchResultDto } from '../../backend/src/modules/log-search/search.dto.js';
import type { ServerMessage } from '../../backend/src/modules/log-live/socket-messages.js';
import type { LogSourceDto } from '../../backend/src/modules/log-sources/log-source.dto.js';
import { createCluster } from '../support/app/clusters.js';
import type { ApiResponse, ErrorResponse } from '../support/app/api-client.js';
import { EventSocket } from '../support/app/event-socket.js';
import { signIn, type SignedIn } from '../support/app/signed-in.js';
import { startApp, startLogBoard, type TestApp } from '../support/app/start-app.js';
import { waitFor } from '../support/wait-for.js';

/** Fast enough that every source writes lines during the test. */
const SPEED = '20';

describe('log board API', () => {
  let folder: string;
  let board: TestApp;
  let session: SignedIn;
  const sockets: EventSocket<ServerMessage>[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-logs-'));
    const dashboard = await startApp({ dataDirectory: folder });
    await createCluster(dashboard.client, 'shop');
    await dashboard.stop();
    await start();
  });

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });

  afterAll(async () => {
    await board.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(environment: Record<string, string> = {}): Promise<void> {
    board = await startLogBoard({
      dataDirectory: folder,
      environment: { APP_LOG_INTAKE: 'on', APP_DEMO_SPEED: SPEED, ...environment },
    });
    session = await signIn(board);
  }

  async function send(method: string, path: string, body?: object): Promise<ApiResponse> {
    return await board.client.send(method, path, {
      headers: { ...session.bearer, accept: 'application/json' },
      ...(body ? { body } : {}),
    });
  }

  async function get<TBody>(path: string): Promise<TBody> {
    const response = await send('GET', path);
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.text}`);
    return response.body as TBody;
  }

  async function refusal(method: string, path: string, body?: object): Promise<[number, string]> {
    const response = await send(method, path, body);
    return [response.status, (response.body as ErrorResponse).code];
  }

  const sources = (): Promise<LogSourceDto[]> => get('/api/sources');

  /** The matching source, once it has stored lines. */
  async function source(matches: (source: LogSourceDto) => boolean, lines = 1): Promise<LogSourceDto> {
    let found: LogSourceDto | undefined;
    const has = async (): Promise<boolean> =>
      (found = (await sources()).find((one) => matches(one) && one.next_seq - one.first_seq >= lines)) !==
      undefined;
    await waitFor(has, 'a source with lines');
    if (!found) throw new Error('no source matches');
    return found;
  }

  const live = (id: number): Promise<void> =>
    waitFor(async () => (await get<LogSourceDto>(`/api/sources/${id}`)).state === 'live', 'the live state');

  const named = (name: string) => (one: LogSourceDto) => one.name === name;
  const page = (id: number, query = ''): Promise<LinePageDto> => get(`/api/sources/${id}/lines${query}`);
  const seqs = ({ lines }: LinePageDto): number[] => lines.map(({ seq }) => seq);

  async function connect(): Promise<EventSocket<ServerMessage>> {
    const socket = await EventSocket.open<ServerMessage>(board.port, {}, `/ws?token=${session.token}`);
    sockets.push(socket);
    return socket;
  }

  describe('GET /api/sources', () => {
    it('lists containers, services of nodes, and containers of pods', async () => {
      const container = await source(named('postgres'));
      expect(container).toMatchObject({
        kind: 'container',
        state: 'live',
        workload: 'Compose/shop',
        cluster: null,
      });
      const kubelet = await source(({ service }) => service === 'kubelet');
      expect(kubelet).toMatchObject({
        kind: 'node',
        state: 'live',
        cluster: 'shop',
        name: 'shop-control-plane',
      });
      const pod = await source(({ kind, state }) => kind === 'pod' && state === 'live');
      expect(pod).toMatchObject({ cluster: 'shop', namespace: expect.any(String), role: expect.any(String) });
      expect(await get(`/api/sources/${pod.id}`)).toMatchObject({ id: pod.id, key: pod.key });
      const all = await sources();
      expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
    });

    it('and other routes return 401 without a session', async () => {
      for (const path of ['/api/sources', '/api/lines', '/api/search', '/api/histogram', '/api/export']) {
        expect((await board.client.send('GET', path)).status).toBe(401);
      }
    });

    it('returns 404 source_not_found for unknown and invalid ids', async () => {
      for (const id of ['999999', '0', 'x', '1e3', '../1']) {
        expect(await refusal('GET', `/api/sources/${encodeURIComponent(id)}`)).toEqual([
          404,
          'source_not_found',
        ]);
      }
      expect(await refusal('GET', '/api/sources/999999/lines')).toEqual([404, 'source_not_found']);
    });
  });

  describe('GET /api/lines and /api/sources/:id/lines', () => {
    it('return lines before, after and around a line, and the newest', async () => {
      const { id } = await source(named('redis-cache'), 50);
      expect(seqs(await page(id, '?after=3&limit=3'))).toEqual([4, 5, 6]);
      expect(seqs(await page(id, '?before=7&limit=3'))).toEqual([4, 5, 6]);
      expect(seqs(await page(id, '?around=7&limit=4'))).toEqual([5, 6, 7, 8]);
      expect(seqs(await page(id, '?before=3&limit=10'))).toEqual([1, 2]);
      expect(seqs(await page(id, '?before=1'))).toEqual([]);
      expect(seqs(await page(id, '?after=99999999'))).toEqual([]);
      const newest = await page(id, '?limit=5');
      expect(newest.lines).toHaveLength(5);
      expect(newest.lines.at(-1)?.seq).toBe(newest.next_seq - 1);
      expect((await page(id)).lines.length).toBeLessThanOrEqual(200);
    });

    it('return single lines with their fields', async () => {
      const { id } = await source(named('stripe-mock'), 50);
      const { lines } = await page(id);
      const details = await Promise.all(
        lines.slice(0, 20).map(({ seq }) => get<LineDetailDto>(`/api/sources/${id}/lines/${seq}`)),
      );
      expect(details.map(({ text }) => text)).toEqual(lines.slice(0, 20).map(({ text }) => text));
      expect(details.some(({ format, fields }) => format !== null && Object.keys(fields).length > 1)).toBe(
        true,
      );
      expect(await refusal('GET', `/api/sources/${id}/lines/99999999`)).toEqual([404, 'line_not_found']);
      expect(await refusal('GET', `/api/sources/${id}/lines/x`)).toEqual([404, 'line_not_found']);
    });

    it.each([
      ['before=1&after=2', 'after'],
      ['limit=0', 'limit'],
      ['limit=5001', 'limit'],
      ['after=-1', 'after'],
      ['after=x', 'after'],
      ['unknown=1', 'unknown'],
    ])('reject ?%s', async (query, field) => {
      const { id } = await source(named('postgres'));
      const { status, body } = await send('GET', `/api/sources/${id}/lines?${query}`);
      expect([status, (body as ErrorResponse).code, (body as ErrorResponse).details]).toEqual([
        400,
        'invalid_input',
        [{ field, problem: expect.any(String) }],
      ]);
    });

    it('merge sources, by position, time and line', async () => {
      const ids = [(await source(named('postgres'), 50)).id, (await source(named('stripe-mock'), 50)).id];
      const of = `/api/lines?sources=${ids.join()}`;
      const { lines, position, first } = await get<MergedPageDto>(`${of}&position=1&limit=300`);
      expect([position, first, lines.length]).toEqual([1, 1, 300]);
      const times = lines.map(([, , time]) => time);
      expect(times).toEqual([...times].sort((one, other) => one - other));
      expect(new Set(lines.map(([source]) => source))).toEqual(new Set(ids));
      const later = await get<MergedPageDto>(`${of}&position=101&limit=50`);
      expect(later.lines).toEqual(lines.slice(100, 150));
      const [inMiddle = [] as never] = lines.slice(120);
      const around = await get<MergedPageDto>(`${of}&source=${inMiddle[0]}&seq=${inMiddle[1]}&limit=40`);
      expect(around.lines[20]).toEqual(inMiddle);
      const at = await get<MergedPageDto>(`${of}&at=${inMiddle[2]}&limit=40`);
      expect(at.lines.map(([, , time]) => time)).toContain(inMiddle[2]);
      const end = await get<MergedPageDto>(`${of}&limit=10`);
      expect([end.lines.length, end.position + 10 <= end.end]).toEqual([10, true]);
      expect(await refusal('GET', `${of}&source=${ids[0]}&seq=99999999`)).toEqual([404, 'line_not_found']);
      expect(await refusal('GET', `${of}&source=${ids[0]}`)).toEqual([400, 'invalid_input']);
      expect(await refusal('GET', `${of}&at=yesterday`)).toEqual([400, 'invalid_input']);
    });
  });

  describe('GET /api/search', () => {
    it('finds text, newest first, and GET /api/histogram counts the same lines', async () => {
      const { id, first_time } = await source(named('postgres'), 200);
      const to = new Date().toISOString();
      const filter = `sources=${id}&q=checkpoint&to=${to}`;
      const found = await get<SearchResultDto>(`/api/search?${filter}&limit=10000`);
      expect([found.reason, found.before, found.searched_to]).toEqual(['complete', null, null]);
      expect(found.matches.length).toBe(found.matched);
      expect(found.matches.length).toBeGreaterThan(2);
      for (const { text } of found.matches) expect(text.toLowerCase()).toContain('checkpoint');
      const numbers = found.matches.map(({ seq }) => seq);
      expect(numbers).toEqual([...numbers].sort((one, other) => other - one));
      const counts = await get<HistogramDto>(`/api/histogram?${filter}&buckets=7`);
      expect(counts.buckets.reduce((sum, { total }) => sum + total, 0)).toBe(found.matched);
      expect([counts.reason, first_time !== null]).toEqual(['complete', true]);

      const some = await get<SearchResultDto>(`/api/search?${filter}&limit=2`);
      expect([some.reason, some.matches]).toEqual(['limit', found.matches.slice(0, 2)]);
      const rest = await get<SearchResultDto>(`/api/search?${filter}&limit=10000&before=${some.before}`);
      expect(rest.matches).toEqual(found.matches.slice(2));
    });

    it('streams NDJSON by default', async () => {
      const { id } = await source(named('postgres'), 200);
      const response = await board.client.send('GET', `/api/search?sources=${id}&q=LOG&limit=5`, {
        headers: session.bearer,
      });
      expect(response.headers['content-type']).toContain('application/x-ndjson');
      const events = response.text.trimEnd().split('\n');
      const streamed = events.map((event) => JSON.parse(event) as { type: string; line?: LineDto });
      const matches = streamed.filter(({ type }) => type === 'match');
      expect(matches.map(({ line }) => line?.source)).toEqual(Array(5).fill(id));
      expect(streamed.at(-1)).toMatchObject({ type: 'end', matched: 5, reason: 'limit' });
    });

    it('filters by regex, case, level, excluded text, and time', async () => {
      const all = async (query: string): Promise<LineDto[]> =>
        (await get<SearchResultDto>(`/api/search?limit=1000&${query}`)).matches;
      await source(named('postgres'), 200);
      for (const { text } of await all('q=duration%3A+%5Cd%2B&regex=true')) {
        expect(text).toMatch(/duration: \d+/i);
      }
      expect(await all('q=CHECKPOINT+COMPLETE&case=true')).toEqual([]);
      const levels = await all('level=warn,error');
      expect(levels.length).toBeGreaterThan(0);
      expect(new Set(levels.map(({ level }) => level))).toEqual(new Set(['warn', 'error']));
      const without = await all('q=checkpoint&without=complete&without=starting');
      expect(without.filter(({ text }) => /complete|starting/i.test(text))).toEqual([]);
      const [line] = await all('q=checkpoint');
      const future = encodeURIComponent('2999-01-01T00:00:00Z');
      expect(await all(`from=${future}`)).toEqual([]);
      expect(line && (await all(`q=checkpoint&to=${line.time}`)).map(({ seq }) => seq)).not.toContain(
        line?.seq,
      );
      expect((await all('from=10s')).every(({ time }) => Date.now() - Date.parse(time) < 30_000)).toBe(true);
    });

    it.each([
      ['q=(&regex=true', 'search_invalid'],
      ['from=soon', 'invalid_input'],
      ['level=loud', 'invalid_input'],
      ['stream=stdin', 'invalid_input'],
      ['field=status', 'invalid_input'],
      ['without_field=status', 'invalid_input'],
      [`without_field=a:${'b'.repeat(1000)}`, 'invalid_input'],
      [Array<string>(21).fill('without_field=a:b').join('&'), 'invalid_input'],
      ['sources=1,x', 'invalid_input'],
      ['limit=10001', 'invalid_input'],
      ['before=1', 'invalid_input'],
      ['regex=maybe', 'invalid_input'],
      ['q=a&q=b', 'invalid_input'],
    ])('rejects ?%s', async (query, code) => {
      expect(await refusal('GET', `/api/search?${query}`)).toEqual([400, code]);
    });
  });

  describe('GET /api/export', () => {
    it('returns text, NDJSON and gzip, oldest first', async () => {
      const { id } = await source(named('postgres'), 200);
      const to = new Date().toISOString();
      const of = `/api/export?sources=${id}&to=${to}`;
      const text = (await send('GET', of)).text;
      const { lines } = await page(id, '?after=0&limit=50');
      expect(text.split('\n').slice(0, 50)).toEqual(lines.map(({ time, text: line }) => `${time} ${line}`));
      const ndjson = await send('GET', `${of}&format=ndjson`);
      expect(ndjson.headers['content-disposition']).toMatch(
        /^attachment; filename="slipway-[\dT-]+\.ndjson"$/,
      );
      const parsed = ndjson.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as LineDto);
      expect(parsed.map(({ seq }) => seq)).toEqual(parsed.map((_line, index) => index + 1));
      expect(parsed[0]).toMatchObject(Object.assign({ name: 'postgres' }, lines[0]));
      const packed = await send('GET', `${of}&gzip=true`);
      expect(gunzipSync(packed.bytes).toString('utf8')).toBe(text);
    });

    it('returns only matching lines', async () => {
      const { id } = await source(named('postgres'), 200);
      const to = new Date().toISOString();
      const filter = `sources=${id}&q=checkpoint&to=${to}`;
      const found = await get<SearchResultDto>(`/api/search?${filter}&limit=10000`);
      const file = (await send('GET', `/api/export?${filter}&format=ndjson`)).text.trimEnd().split('\n');
      expect(file.map((line) => (JSON.parse(line) as LineDto).seq)).toEqual(
        found.matches.map(({ seq }) => seq).reverse(),
      );
      expect(await refusal('GET', '/api/export?q=(&regex=true')).toEqual([400, 'search_invalid']);
    });
  });

  describe('{"type":"subscribe"}', () => {
    const linesOf = (socket: EventSocket<ServerMessage>, id: number): number[] =>
      socket
        .of('lines')
        .filter((message) => message.source === id)
        .flatMap(({ lines }) => lines.map(([seq]) => seq));

    it('sends the newest lines, and continues without a gap after a line', async () => {
      const { id } = await source(named('redis-cache'), 50);
      const socket = await connect();
      socket.send({ type: 'subscribe', source: id, tail: 20 });
      const { from } = await socket.next('subscribed');
      await waitFor(() => linesOf(socket, id).length >= 25, 'live lines');
      const got = linesOf(socket, id);
      expect(got).toEqual(got.map((_seq, index) => from + index));
      const { lines } = await page(id, `?after=${from - 1}&limit=20`);
      const [first] = socket.of('lines').flatMap((message) => message.lines);
      expect(first?.[4]).toBe(lines[0]?.text);

      const other = await connect();
      other.send({ type: 'subscribe', source: id, after: from + 4 });
      await waitFor(() => linesOf(other, id).length >= 15, 'the same lines');
      expect(linesOf(other, id).slice(0, 15)).toEqual(
        Array.from({ length: 15 }, (_, index) => from + 5 + index),
      );
      socket.send({ type: 'unsubscribe', source: id });
      await socket.settled();
      const count = linesOf(socket, id).length;
      await waitFor(() => linesOf(other, id).length > 30, 'further lines');
      expect(linesOf(socket, id)).toHaveLength(count);
    });

    it('returns an error for unknown sources and invalid messages', async () => {
      const socket = await connect();
      socket.send({ type: 'subscribe', source: 999_999 });
      expect(await socket.next('error')).toMatchObject({ code: 'source_not_found', source: 999_999 });
      for (const wrong of [
        {},
        { source: 'x' },
        { source: 1, after: -1 },
        { source: 1, tail: 5001 },
        { source: 1.5 },
      ]) {
        const before = socket.of('error').length;
        socket.send({ type: 'subscribe', ...wrong });
        await waitFor(() => socket.of('error').length > before, 'the error');
        expect(socket.of('error').at(-1)?.code).toBe('invalid_input');
      }
      for (const type of ['ack', 'unsubscribe']) socket.send({ type, source: 'x', seq: {} });
      await socket.settled();
    });

    it('and watch_sources send changes of sources', async () => {
      const { id } = await source(named('stripe-mock'));
      const socket = await connect();
      socket.send({ type: 'watch_sources' });
      const { whole, sources: all } = await socket.next('sources');
      expect([whole, all.length]).toEqual([true, (await sources()).length]);
      await socket.next('sources', (message) => !message.whole && message.sources.length > 0);
      expect((await send('PUT', `/api/sources/${id}/intake`, { taken_in: false })).body).toMatchObject({
        state: 'left_out',
      });
      await socket.next('sources', (message) =>
        message.sources.some((one) => one.id === id && one.state === 'left_out'),
      );
      const { next_seq } = await get<LogSourceDto>(`/api/sources/${id}`);
      expect((await send('PUT', `/api/sources/${id}/intake`, { taken_in: true })).status).toBe(200);
      await live(id);
      await source((one) => one.id === id, next_seq + 1);
      expect(await refusal('PUT', `/api/sources/${id}/intake`, { taken_in: 'no' })).toEqual([
        400,
        'invalid_input',
      ]);
    });
  });

  describe('stored lines', () => {
    it('survive a restart, without gaps and duplicates', async () => {
      const before = await source(named('postgres'), 200);
      const newest = (await page(before.id, '?limit=50')).lines;
      await board.stop();
      await start();
      await live(before.id);
      const after = await source((one) => one.id === before.id, before.next_seq + 2);
      expect([after.key, after.first_seq]).toEqual([before.key, 1]);
      const from = newest[0]?.seq ?? 0;
      const { lines } = await page(before.id, `?after=${from - 1}&limit=5000`);
      expect(lines.slice(0, 50)).toEqual(newest);
      const texts = lines.map(({ time, text }) => `${time} ${text}`);
      expect(new Set(texts).size).toBe(texts.length);
      const times = lines.map(({ time }) => time);
      expect(times).toEqual([...times].sort());
    });

    it('can be deleted, and do not reappear after a restart', async () => {
      const { id, next_seq } = await source(named('redis-cache'), 50);
      const { status, body } = await send('DELETE', `/api/sources/${id}/history`);
      expect([status, body]).toEqual([200, { lines: expect.any(Number), bytes: expect.any(Number) }]);
      expect((body as { lines: number }).lines).toBeGreaterThanOrEqual(next_seq - 1);
      expect((await page(id, '?after=0')).first_seq).toBeGreaterThanOrEqual(next_seq);
      const after = await source(named('redis-cache'));
      expect(after.first_seq).toBeGreaterThanOrEqual(next_seq);
      await board.stop();
      await start();
      const again = await source((one) => one.id === id && one.state === 'live');
      expect(again.first_seq).toBeGreaterThanOrEqual(next_seq);
    });

    it('are shown with APP_LOG_INTAKE=off', async () => {
      await board.stop();
      await start({ APP_LOG_INTAKE: 'off' });
      const all = await sources();
      expect(new Set(all.map(({ state }) => state))).toEqual(new Set(['gone']));
      const { id } = await source(named('postgres'), 200);
      expect((await page(id, '?limit=5')).lines).toHaveLength(5);
    });
  });
});
