import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  FieldValuesDto,
  LinePatternsDto,
} from '../../backend/src/modules/log-search/line-groups.dto.js';
import type {
  LineDetailDto,
  LinePageDto,
  MergedPageDto,
} from '../../backend/src/modules/log-search/line-page.dto.js';
import type { LineDto } from '../../backend/src/modules/log-lines/line.dto.js';
import type { HistogramDto, SearchResultDto } from '../../backend/src/modules/log-search/search.dto.js';
import type { ServerMessage } from '../../backend/src/modules/log-live/socket-messages.js';
import type { LogSourceDto } from '../../backend/src/modules/log-sources/log-source.dto.js';
import type { ErrorResponse } from '../support/app/api-client.js';
import type { EventSocket } from '../support/app/event-socket.js';
import { LogBoardBench, named } from '../support/app/log-board-bench.js';
import { waitFor } from '../support/wait-for.js';

describe('log board API', () => {
  let bench: LogBoardBench;

  beforeAll(async () => {
    bench = await LogBoardBench.open('shop');
  });

  afterEach(() => bench.closeSockets());

  afterAll(() => bench.close());

  const seqs = ({ lines }: LinePageDto): number[] => lines.map(({ seq }) => seq);

  describe('GET /api/sources', () => {
    it('lists containers, services of nodes, and containers of pods', async () => {
      const container = await bench.source(named('postgres'));
      expect(container).toMatchObject({
        kind: 'container',
        state: 'live',
        workload: 'Compose/shop',
        cluster: null,
      });
      const kubelet = await bench.source(({ service }) => service === 'kubelet');
      expect(kubelet).toMatchObject({
        kind: 'node',
        state: 'live',
        cluster: 'shop',
        name: 'shop-control-plane',
      });
      const pod = await bench.source(({ kind, state }) => kind === 'pod' && state === 'live');
      expect(pod).toMatchObject({ cluster: 'shop', namespace: expect.any(String), role: expect.any(String) });
      expect(await bench.get(`/api/sources/${pod.id}`)).toMatchObject({ id: pod.id, key: pod.key });
      const all = await bench.sources();
      expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
    });

    it('and other routes return 401 without a session', async () => {
      for (const path of ['/api/sources', '/api/lines', '/api/search', '/api/histogram', '/api/export']) {
        expect((await bench.board.client.send('GET', path)).status).toBe(401);
      }
    });

    it('returns 404 source_not_found for unknown and invalid ids', async () => {
      for (const id of ['999999', '0', 'x', '1e3', '../1']) {
        expect(await bench.refusal('GET', `/api/sources/${encodeURIComponent(id)}`)).toEqual([
          404,
          'source_not_found',
        ]);
      }
      expect(await bench.refusal('GET', '/api/sources/999999/lines')).toEqual([404, 'source_not_found']);
    });
  });

  describe('GET /api/lines and /api/sources/:id/lines', () => {
    it('return lines before, after and around a line, and the newest', async () => {
      const { id } = await bench.source(named('redis-cache'), 50);
      expect(seqs(await bench.page(id, '?after=3&limit=3'))).toEqual([4, 5, 6]);
      expect(seqs(await bench.page(id, '?before=7&limit=3'))).toEqual([4, 5, 6]);
      expect(seqs(await bench.page(id, '?around=7&limit=4'))).toEqual([5, 6, 7, 8]);
      expect(seqs(await bench.page(id, '?before=3&limit=10'))).toEqual([1, 2]);
      expect(seqs(await bench.page(id, '?before=1'))).toEqual([]);
      expect(seqs(await bench.page(id, '?after=99999999'))).toEqual([]);
      const newest = await bench.page(id, '?limit=5');
      expect(newest.lines).toHaveLength(5);
      expect(newest.lines.at(-1)?.seq).toBe(newest.next_seq - 1);
      expect((await bench.page(id)).lines.length).toBeLessThanOrEqual(200);
    });

    it('return single lines with their fields', async () => {
      const { id } = await bench.source(named('stripe-mock'), 50);
      const { lines } = await bench.page(id);
      const details = await Promise.all(
        lines.slice(0, 20).map(({ seq }) => bench.get<LineDetailDto>(`/api/sources/${id}/lines/${seq}`)),
      );
      expect(details.map(({ text }) => text)).toEqual(lines.slice(0, 20).map(({ text }) => text));
      expect(details.some(({ format, fields }) => format !== null && Object.keys(fields).length > 1)).toBe(
        true,
      );
      expect(await bench.refusal('GET', `/api/sources/${id}/lines/99999999`)).toEqual([
        404,
        'line_not_found',
      ]);
      expect(await bench.refusal('GET', `/api/sources/${id}/lines/x`)).toEqual([404, 'line_not_found']);
    });

    it.each([
      ['before=1&after=2', 'after'],
      ['limit=0', 'limit'],
      ['limit=5001', 'limit'],
      ['after=-1', 'after'],
      ['after=x', 'after'],
      ['unknown=1', 'unknown'],
    ])('reject ?%s', async (query, field) => {
      const { id } = await bench.source(named('postgres'));
      const { status, body } = await bench.send('GET', `/api/sources/${id}/lines?${query}`);
      expect([status, (body as ErrorResponse).code, (body as ErrorResponse).details]).toEqual([
        400,
        'invalid_input',
        [{ field, problem: expect.any(String) }],
      ]);
    });

    it('merge sources, by position, time and line', async () => {
      const ids = [
        (await bench.source(named('postgres'), 50)).id,
        (await bench.source(named('stripe-mock'), 50)).id,
      ];
      const of = `/api/lines?sources=${ids.join()}`;
      const { lines, position, first } = await bench.get<MergedPageDto>(`${of}&position=1&limit=300`);
      expect([position, first, lines.length]).toEqual([1, 1, 300]);
      const times = lines.map(([, , time]) => time);
      expect(times).toEqual([...times].sort((one, other) => one - other));
      expect(new Set(lines.map(([source]) => source))).toEqual(new Set(ids));
      const later = await bench.get<MergedPageDto>(`${of}&position=101&limit=50`);
      expect(later.lines).toEqual(lines.slice(100, 150));
      const [inMiddle = [] as never] = lines.slice(120);
      const around = await bench.get<MergedPageDto>(
        `${of}&source=${inMiddle[0]}&seq=${inMiddle[1]}&limit=40`,
      );
      expect(around.lines[20]).toEqual(inMiddle);
      const at = await bench.get<MergedPageDto>(`${of}&at=${inMiddle[2]}&limit=40`);
      expect(at.lines.map(([, , time]) => time)).toContain(inMiddle[2]);
      const end = await bench.get<MergedPageDto>(`${of}&limit=10`);
      expect([end.lines.length, end.position + 10 <= end.end]).toEqual([10, true]);
      expect(await bench.refusal('GET', `${of}&source=${ids[0]}&seq=99999999`)).toEqual([
        404,
        'line_not_found',
      ]);
      expect(await bench.refusal('GET', `${of}&source=${ids[0]}`)).toEqual([400, 'invalid_input']);
      expect(await bench.refusal('GET', `${of}&at=yesterday`)).toEqual([400, 'invalid_input']);
    });
  });

  describe('GET /api/search', () => {
    it('finds text, newest first, and GET /api/histogram counts the same lines', async () => {
      const { id, first_time } = await bench.source(named('postgres'), 200);
      const to = new Date().toISOString();
      const filter = `sources=${id}&q=checkpoint&to=${to}`;
      const found = await bench.get<SearchResultDto>(`/api/search?${filter}&limit=10000`);
      expect([found.reason, found.before, found.searched_to]).toEqual(['complete', null, null]);
      expect(found.matches.length).toBe(found.matched);
      expect(found.matches.length).toBeGreaterThan(2);
      for (const { text } of found.matches) expect(text.toLowerCase()).toContain('checkpoint');
      const numbers = found.matches.map(({ seq }) => seq);
      expect(numbers).toEqual([...numbers].sort((one, other) => other - one));
      const counts = await bench.get<HistogramDto>(`/api/histogram?${filter}&buckets=7`);
      expect(counts.buckets.reduce((sum, { total }) => sum + total, 0)).toBe(found.matched);
      expect([counts.reason, first_time !== null]).toEqual(['complete', true]);

      const some = await bench.get<SearchResultDto>(`/api/search?${filter}&limit=2`);
      expect([some.reason, some.matches]).toEqual(['limit', found.matches.slice(0, 2)]);
      const rest = await bench.get<SearchResultDto>(
        `/api/search?${filter}&limit=10000&before=${some.before}`,
      );
      expect(rest.matches).toEqual(found.matches.slice(2));
    });

    it('streams NDJSON by default', async () => {
      const { id } = await bench.source(named('postgres'), 200);
      const response = await bench.board.client.send('GET', `/api/search?sources=${id}&q=LOG&limit=5`, {
        headers: bench.session.bearer,
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
        (await bench.get<SearchResultDto>(`/api/search?limit=1000&${query}`)).matches;
      await bench.source(named('postgres'), 200);
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
      const earlier = await all(`q=checkpoint&to=${line?.time}`);
      expect(earlier.filter(({ source, seq }) => source === line?.source && seq === line.seq)).toEqual([]);
      expect(earlier.length).toBeGreaterThan(0);
      expect((await all('from=10s')).every(({ time }) => Date.now() - Date.parse(time) < 30_000)).toBe(true);
    });

    it.each([
      ['q=(&regex=true', 'search_invalid'],
      ['query=/(/', 'search_invalid'],
      ['query=/(/+OR+level:error', 'search_invalid'],
      [`query=${'a'.repeat(2001)}`, 'invalid_input'],
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
      expect(await bench.refusal('GET', `/api/search?${query}`)).toEqual([400, code]);
    });
  });

  describe('GET /api/sources/{id}/lines/{seq}', () => {
    it('returns fields that each find the line', async () => {
      const { id } = await bench.source(({ name }) => name.startsWith('api-'), 30);
      const { lines } = await bench.page(id, '?after=0&limit=30');
      let searched = 0;
      for (const { seq } of lines.slice(0, 5)) {
        const { pairs, fields } = await bench.get<LineDetailDto>(`/api/sources/${id}/lines/${seq}`);
        expect(pairs.map(({ name }) => name)).toEqual(Object.keys(fields));
        for (const { name, value } of pairs.slice(0, 4)) {
          const query = `sources=${id}&field=${encodeURIComponent(`${name}:${value}`)}&limit=10000`;
          const { matches } = await bench.get<SearchResultDto>(`/api/search?${query}`);
          expect(matches.map((match) => match.seq)).toContain(seq);
          searched += 1;
        }
      }
      expect(searched).toBeGreaterThan(0);
    });
  });

  describe('GET /api/patterns and /api/fields', () => {
    it('group the matching lines, whose counts add up', async () => {
      const { id } = await bench.source(({ name }) => name.startsWith('api-'), 30);
      const to = new Date().toISOString();
      const found = await bench.get<LinePatternsDto>(`/api/patterns?sources=${id}&to=${to}`);
      const { examined, reason, others, patterns } = found;
      expect([reason, examined >= 30, patterns.reduce((sum, { count }) => sum + count, others)]).toEqual([
        'complete',
        true,
        examined,
      ]);
      expect(patterns.map(({ counts }) => counts.reduce((sum, count) => sum + count))).toEqual(
        patterns.map(({ count }) => count),
      );
      // Each of them is older than the newest line, and none is older than the oldest one.
      const newSince = async (time: string): Promise<number> =>
        (await bench.get<LinePatternsDto>(`/api/patterns?sources=${id}&to=${to}&new_since=${time}`)).patterns
          .length;
      const times = patterns.map((pattern) => pattern.example.time).sort();
      expect(await newSince(times.at(-1) ?? '')).toBeLessThan(patterns.length);
      expect(await newSince('7d')).toBe(patterns.length);
      expect(await bench.refusal('GET', '/api/patterns?new_since=soon')).toEqual([400, 'invalid_input']);
      const { regex, count, example } = patterns[0] ?? { regex: '', count: 0, example: null };
      expect(example?.source).toBe(id);
      const query = `sources=${id}&to=${to}&regex=true&q=${encodeURIComponent(regex)}`;
      const { matched } = await bench.get<SearchResultDto>(`/api/search?${query}`);
      expect(matched).toBeGreaterThanOrEqual(count);
      const values = await bench.get<FieldValuesDto>(`/api/fields?sources=${id}&to=${to}&name=level`);
      const total = values.values.reduce((sum, value) => sum + value.count, values.others + values.without);
      expect([values.values[0]?.value, total]).toEqual(['info', values.examined]);
      expect(await bench.refusal('GET', '/api/fields')).toEqual([400, 'invalid_input']);
    });
  });

  describe('GET /api/export', () => {
    it('returns text, NDJSON and gzip, oldest first', async () => {
      const { id } = await bench.source(named('postgres'), 200);
      const to = new Date().toISOString();
      const of = `/api/export?sources=${id}&to=${to}`;
      const text = (await bench.send('GET', of)).text;
      const { lines } = await bench.page(id, '?after=0&limit=50');
      expect(text.split('\n').slice(0, 50)).toEqual(lines.map(({ time, text: line }) => `${time} ${line}`));
      const ndjson = await bench.send('GET', `${of}&format=ndjson`);
      expect(ndjson.headers['content-disposition']).toMatch(
        /^attachment; filename="slipway-[\dT-]+\.ndjson"$/,
      );
      const parsed = ndjson.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as LineDto);
      expect(parsed.map(({ seq }) => seq)).toEqual(parsed.map((_line, index) => index + 1));
      expect(parsed[0]).toMatchObject(Object.assign({ name: 'postgres' }, lines[0]));
      const packed = await bench.send('GET', `${of}&gzip=true`);
      expect(gunzipSync(packed.bytes).toString('utf8')).toBe(text);
    });

    it('returns only matching lines', async () => {
      const { id } = await bench.source(named('postgres'), 200);
      const to = new Date().toISOString();
      const filter = `sources=${id}&q=checkpoint&to=${to}`;
      const found = await bench.get<SearchResultDto>(`/api/search?${filter}&limit=10000`);
      const file = (await bench.send('GET', `/api/export?${filter}&format=ndjson`)).text
        .trimEnd()
        .split('\n');
      expect(file.map((line) => (JSON.parse(line) as LineDto).seq)).toEqual(
        found.matches.map(({ seq }) => seq).reverse(),
      );
      expect(await bench.refusal('GET', '/api/export?q=(&regex=true')).toEqual([400, 'search_invalid']);
    });
  });

  describe('{"type":"subscribe"}', () => {
    const linesOf = (socket: EventSocket<ServerMessage>, id: number): number[] =>
      socket
        .of('lines')
        .filter((message) => message.source === id)
        .flatMap(({ lines }) => lines.map(([seq]) => seq));

    it('sends the newest lines, and continues without a gap after a line', async () => {
      const { id } = await bench.source(named('redis-cache'), 50);
      const socket = await bench.connect();
      socket.send({ type: 'subscribe', source: id, tail: 20 });
      const { from } = await socket.next('subscribed');
      await waitFor(() => linesOf(socket, id).length >= 25, 'live lines');
      const got = linesOf(socket, id);
      expect(got).toEqual(got.map((_seq, index) => from + index));
      const { lines } = await bench.page(id, `?after=${from - 1}&limit=20`);
      const [first] = socket.of('lines').flatMap((message) => message.lines);
      expect(first?.[4]).toBe(lines[0]?.text);

      const other = await bench.connect();
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
      const socket = await bench.connect();
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
      const { id } = await bench.source(named('stripe-mock'));
      const socket = await bench.connect();
      socket.send({ type: 'watch_sources' });
      const { whole, sources: all } = await socket.next('sources');
      expect([whole, all.length]).toEqual([true, (await bench.sources()).length]);
      await socket.next('sources', (message) => !message.whole && message.sources.length > 0);
      expect((await bench.send('PUT', `/api/sources/${id}/intake`, { taken_in: false })).body).toMatchObject({
        state: 'left_out',
      });
      await socket.next('sources', (message) =>
        message.sources.some((one) => one.id === id && one.state === 'left_out'),
      );
      const { next_seq } = await bench.get<LogSourceDto>(`/api/sources/${id}`);
      expect((await bench.send('PUT', `/api/sources/${id}/intake`, { taken_in: true })).status).toBe(200);
      await bench.live(id);
      await bench.source((one) => one.id === id, next_seq + 1);
      expect(await bench.refusal('PUT', `/api/sources/${id}/intake`, { taken_in: 'no' })).toEqual([
        400,
        'invalid_input',
      ]);
    });
  });
});
