import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HistoryAccess } from '../../backend/src/modules/logs/history-access.js';
import { HistorySink } from '../../backend/src/modules/logs/intake/history-sink.js';
import { LineFeed } from '../../backend/src/modules/logs/live/line-feed.js';
import type { HistogramDto, SearchResultDto } from '../../backend/src/modules/logs/search/search.dto.js';
import type { ServerMessage } from '../../backend/src/modules/logs/socket-messages.js';
import { SourceRegistry } from '../../backend/src/modules/logs/sources/source-registry.js';
import type { ApiAnswer, ErrorAnswer } from '../support/app/api-client.js';
import { EventSocket } from '../support/app/event-socket.js';
import { signIn, type SignedIn } from '../support/app/signed-in.js';
import { startLogBoard, type TestApp } from '../support/app/start-app.js';
import { identityOf, newLine } from '../support/logs/history.js';
import { waitFor } from '../support/wait-for.js';

/** Of `^(a+)+$`, each further letter of the line takes twice as long. */
const EVIL_LINE = `${'a'.repeat(60)}!`;
const EVIL = `regex=true&q=${encodeURIComponent('^(a+)+$')}`;
const LINES = 2000;
const ROUNDS = 40;
/** A line is seen by who follows it, though others make the machine busy. */
const LIVE_MS = 1000;
/** Threads are made anew for it where the others are busy. */
const SEARCH_MS = 2500;

describe('an expression that explodes', () => {
  let board: TestApp;
  let session: SignedIn;
  let sink: HistorySink;
  let evil: number;
  let calm: number;

  beforeAll(async () => {
    board = await startLogBoard({ environment: { APP_LOG_INTAKE: 'off' } });
    session = await signIn(board);
    const registry = board.nest.get(SourceRegistry);
    const history = await board.nest.get(HistoryAccess).get();
    sink = new HistorySink(history, board.nest.get(LineFeed), registry, 14);
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

  const get = (path: string): Promise<ApiAnswer> =>
    board.client.send('GET', path, { headers: { ...session.bearer, accept: 'application/json' } });

  it('is stopped with a reason, wherever it is asked for, and hurts nobody else meanwhile', async () => {
    const socket = await EventSocket.open<ServerMessage>(board.port, {}, `/ws?token=${session.token}`);
    socket.send({ type: 'subscribe', source: calm });
    await socket.next('subscribed');
    const ended: string[] = [];
    const ask = async (path: string): Promise<ApiAnswer> => {
      const answer = await get(`${path}?${EVIL}&sources=${evil}`);
      ended.push(path);
      return answer;
    };
    const asked = ['/api/search', '/api/histogram', '/api/export'].map(ask);

    const searches: number[] = [];
    const lags: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const began = performance.now();
      if (round % 10 === 0) {
        const { body } = await get(`/api/search?q=CALM&sources=${calm}&limit=10000`);
        expect(body).toMatchObject({ matched: LINES + round, reason: 'complete' });
        searches.push(performance.now() - began);
      }
      const text = `calm and live ${round}`;
      const written = performance.now();
      write([text]);
      await waitFor(() => newestText(socket) === text, 'a live line', LIVE_MS);
      lags.push(performance.now() - written);
    }
    // All of that was while it exploded.
    expect(ended).toEqual([]);
    expect(Math.max(...lags)).toBeLessThan(LIVE_MS);
    expect(Math.max(...searches)).toBeLessThan(SEARCH_MS);
    socket.close();

    const [search, histogram, file] = (await Promise.all(asked)) as [ApiAnswer, ApiAnswer, ApiAnswer];
    const found = search.body as SearchResultDto;
    expect([search.status, found.reason, found.matches]).toEqual([200, 'timeout', []]);
    expect([histogram.status, (histogram.body as HistogramDto).reason]).toEqual([200, 'timeout']);
    // Nothing that could be taken for a file.
    const refusal = file.body as ErrorAnswer;
    expect([file.status, refusal.code]).toEqual([422, 'search_timeout']);
    expect(refusal.message).toMatch(/^The expression took too long/);
    expect(file.headers['content-disposition']).toBeUndefined();
    expect(board.log()).not.toContain('"level":"error"');
  });
});

function newestText(socket: EventSocket<ServerMessage>): string | undefined {
  return socket.of('lines').at(-1)?.lines.at(-1)?.[4];
}
