import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LogStoreAccess } from '../../backend/src/modules/log-sources/log-store-access.js';
import { StoreSink } from '../../backend/src/modules/log-sources/store-sink.js';
import { LineBus } from '../../backend/src/modules/log-sources/line-bus.js';
import { RegexLimit } from '../../backend/src/modules/log-search/regex-limit.js';
import type { HistogramDto, SearchResultDto } from '../../backend/src/modules/log-search/search.dto.js';
import type { ServerMessage } from '../../backend/src/modules/log-live/socket-messages.js';
import { SourceRegistry } from '../../backend/src/modules/log-sources/source-registry.js';
import type { ApiResponse, ErrorResponse } from '../support/app/api-client.js';
import { EventSocket } from '../support/app/event-socket.js';
import { signIn, type SignedIn } from '../support/app/signed-in.js';
import { startLogBoard, type TestApp } from '../support/app/start-app.js';
import { identityOf, newLine } from '../support/logs/lines.js';
import { waitFor } from '../support/wait-for.js';

/** Of `^(a+)+$`, each further letter of the line takes twice as long. */
const EVIL_LINE = `${'a'.repeat(60)}!`;
const EVIL = `regex=true&q=${encodeURIComponent('^(a+)+$')}`;
const MILD = `regex=true&q=${encodeURIComponent('^ca[l]m 1$')}`;
const PATHS = ['/api/search', '/api/histogram', '/api/export'];
const LINES = 2000;
/** Lines that are more than is written at once. */
const FILLER = 2000;
/** More than there are threads. Each takes its whole deadline. */
const MANY = 3;
/** A line is seen by who follows it, though others make the machine busy. */
const LIVE_MS = 1000;
/** Most of the time another search is there at once. */
const SEARCH_MS = 1000;
/** Answers by expressions at once. */
const MOST = 16;

describe('a regex with catastrophic backtracking', () => {
  let board: TestApp;
  let session: SignedIn;
  let sink: StoreSink;
  let evil: number;
  let calm: number;

  beforeAll(async () => {
    board = await startLogBoard({ environment: { APP_LOG_INTAKE: 'off' } });
    session = await signIn(board);
    const registry = board.nest.get(SourceRegistry);
    const history = await board.nest.get(LogStoreAccess).get();
    sink = new StoreSink(history, board.nest.get(LineBus), registry, 14);
    evil = registry.ensure(identityOf('evil')).id;
    calm = registry.ensure(identityOf('calm')).id;
    sink.append(evil, [newLine(EVIL_LINE, Date.now() * 1000)]);
    write(Array.from({ length: LINES }, (_, index) => `calm ${index}`));
  });

  afterAll(() => board.stop());

  function write(texts: string[]): void {
    sink.append(
      calm,
      texts.map((text) => newLine(text, Date.now() * 1000)),
    );
  }

  async function follow(): Promise<EventSocket<ServerMessage>> {
    const socket = await EventSocket.open<ServerMessage>(board.port, {}, `/ws?token=${session.token}`);
    socket.send({ type: 'subscribe', source: calm });
    await socket.next('subscribed');
    return socket;
  }

  /** How long a line takes to who follows it. */
  async function lagOf(socket: EventSocket<ServerMessage>, text: string): Promise<number> {
    const written = performance.now();
    write([text]);
    await waitFor(() => newestText(socket) === text, 'a live line', LIVE_MS);
    return performance.now() - written;
  }

  const get = (path: string): Promise<ApiResponse> =>
    board.client.send('GET', path, { headers: { ...session.bearer, accept: 'application/json' } });

  it('ends at the deadline with reason timeout, while live lines and other searches go on', async () => {
    const socket = await follow();
    const began = performance.now();
    const paths = Array.from({ length: MANY }, (_, index) => PATHS[index % PATHS.length] ?? '');
    const evils = paths.map((path) => get(`${path}?${EVIL}&sources=${evil}`));
    const mild = get(`/api/search?${MILD}&sources=${calm}`);
    const state = { isOver: false };
    const ended = Promise.all(evils).finally(() => (state.isOver = true));

    const searches: number[] = [];
    const lags: number[] = [];
    while (!state.isOver) {
      const asked = performance.now();
      const found = await get(`/api/search?q=CALM&sources=${calm}&limit=10000`);
      expect(found.body).toMatchObject({ matched: LINES + lags.length, reason: 'complete' });
      searches.push(performance.now() - asked);
      lags.push(await lagOf(socket, `calm and live ${lags.length}`));
    }
    const took = performance.now() - began;
    expect(lags.length).toBeGreaterThan(10);
    expect(Math.max(...lags)).toBeLessThan(LIVE_MS);
    searches.sort((one, other) => one - other);
    expect(searches[searches.length >> 1]).toBeLessThan(SEARCH_MS);
    // No search of a text waits until a regex has ended.
    expect(searches.at(-1)).toBeLessThan(took / 2);
    expect((await mild).body).toMatchObject({ matched: 1, reason: 'complete' });
    socket.close();

    (await ended).forEach(({ status, headers, ...answer }, index) => {
      if (paths[index] !== '/api/export') {
        expect([status, (answer.body as SearchResultDto | HistogramDto).reason]).toEqual([200, 'timeout']);
        if (paths[index] === '/api/search') expect(answer.body).toMatchObject({ matches: [], matched: 0 });
        return;
      }
      // Nothing that could be taken for a file.
      const refusal = answer.body as ErrorResponse;
      expect([status, refusal.code]).toEqual([422, 'search_timeout']);
      expect(refusal.message).toMatch(/^The regex took too long/);
      expect(headers['content-disposition']).toBeUndefined();
    });
    expect(board.log()).not.toContain('"level":"error"');
  });
});

describe('a search by a regex', () => {
  it('streams matches before it ends, and says how far it got at the deadline', async () => {
    const board = await startLogBoard({ environment: { APP_LOG_INTAKE: 'off' } });
    const session = await signIn(board);
    const registry = board.nest.get(SourceRegistry);
    const history = await board.nest.get(LogStoreAccess).get();
    const sink = new StoreSink(history, board.nest.get(LineBus), registry, 14);
    const now = Date.now() * 1000;
    const id = (name: string): number => registry.ensure(identityOf(name)).id;
    const [older, recent] = [id('older'), id('recent')];
    sink.append(older, [newLine(EVIL_LINE, now - 1_000_000)]);
    // Lines near each other are searched in one task: its matches are lost with it.
    const filler = Array.from({ length: FILLER }, () => newLine('.'.repeat(1000), now - 500_000));
    const between = id('between');
    sink.append(between, filler);
    await history.enforceRetention();
    sink.append(recent, [newLine('calm', now)]);
    const expression = encodeURIComponent('^(a+)+$|^calm');
    const query = `regex=true&q=${expression}&sources=${older},${between},${recent}`;
    const answer = await fetch(`http://127.0.0.1:${board.port}/api/search?${query}`, {
      headers: session.bearer,
    });
    const came = new Map<string, number>();
    let text = '';
    for await (const piece of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
      text += Buffer.from(piece).toString();
      const events = text.split('\n').slice(0, -1);
      for (const event of events) {
        const { type } = JSON.parse(event) as { type: string };
        if (!came.has(type)) came.set(type, performance.now());
      }
    }
    await board.stop();
    expect(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      type: 'end',
      matched: 1,
      reason: 'timeout',
      searched_to: expect.stringMatching(/^20/) as unknown,
    });
    // The deadline is 10 seconds.
    expect((came.get('end') ?? 0) - (came.get('match') ?? Infinity)).toBeGreaterThan(2000);
  });
});

describe('searches by regexes', () => {
  it('are limited in number, and exceeding ones get 429', async () => {
    const board = await startLogBoard({ environment: { APP_LOG_INTAKE: 'off' } });
    const { bearer } = await signIn(board);
    const statuses = async (query: string): Promise<number[]> => {
      const asked = PATHS.map((path) => board.client.send('GET', `${path}?${query}`, { headers: bearer }));
      return (await Promise.all(asked)).map(({ status }) => status);
    };
    const limit = board.nest.get(RegexLimit);
    const answers = Array.from({ length: MOST }, () => new ServerResponse(new IncomingMessage(new Socket())));
    for (const answer of answers) limit.admit({ regex: true }, answer);
    expect(await statuses(MILD)).toEqual([429, 429, 429]);
    expect(await statuses('q=calm')).toEqual([200, 200, 200]);
    for (const answer of answers) answer.emit('close');
    // Each of them has ended in its turn.
    for (let round = 0; round < MOST; round += 1) expect(await statuses(MILD)).toEqual([200, 200, 200]);
    await board.stop();
  });
});

function newestText(socket: EventSocket<ServerMessage>): string | undefined {
  return socket.of('lines').at(-1)?.lines.at(-1)?.[4];
}
