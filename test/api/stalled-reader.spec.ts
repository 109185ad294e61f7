import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WebSocket } from 'ws';
import { LogStoreAccess } from '../../backend/src/modules/log-sources/log-store-access.js';
import { StoreSink } from '../../backend/src/modules/log-sources/store-sink.js';
import { LineBus } from '../../backend/src/modules/log-sources/line-bus.js';
import type { LinePageDto } from '../../backend/src/modules/log-search/line-page.dto.js';
import { LogsGateway } from '../../backend/src/modules/log-live/logs.gateway.js';
import type { ServerMessage } from '../../backend/src/modules/log-live/socket-messages.js';
import { SourceRegistry } from '../../backend/src/modules/log-sources/source-registry.js';
import { EventSocket } from '../support/app/event-socket.js';
import { signIn, type SignedIn } from '../support/app/signed-in.js';
import { startLogBoard, type TestApp } from '../support/app/start-app.js';
import { identityOf, newLine } from '../support/logs/lines.js';
import { waitFor } from '../support/wait-for.js';

/** 24 MB, more than the system's socket buffers hold. */
const LINES = 24_000;
const LINE_LENGTH = 1000;
const BATCH = 500;
/** Lines per request. */
const PAGE = 1000;
/** Longer than the server waits for a slow client. */
const MIN_DURATION_MS = 1500;
/** The server's buffer limit, plus one message. */
const MAX_BUFFERED = 192 * 1024 + 96 * 1024;

type Socket = EventSocket<ServerMessage>;

describe('a log board client that stops reading', () => {
  let board: TestApp;
  let session: SignedIn;

  beforeAll(async () => {
    board = await startLogBoard();
    session = await signIn(board);
  });

  afterAll(() => board.stop());

  const connect = (): Promise<Socket> =>
    EventSocket.open<ServerMessage>(board.port, {}, `/ws?token=${session.token}`);

  it('receives the exact skipped range; other clients get all lines, and the server buffers little', async () => {
    const store = await board.nest.get(LogStoreAccess).get();
    const registry = board.nest.get(SourceRegistry);
    const sink = new StoreSink(store, board.nest.get(LineBus), registry, 14);
    const { id } = registry.ensure(identityOf('writes-fast'));
    const [other, stalled] = [await connect(), await connect()];
    const gateway = board.nest.get(LogsGateway);
    const [, served] = [...gateway['clients'].keys()] as [WebSocket, WebSocket];
    for (const socket of [other, stalled]) {
      socket.send({ type: 'subscribe', source: id });
      await socket.next('subscribed');
    }
    let newest = 0;
    const unread = followNewest(other, (seq) => (newest = seq));
    stalled.stopReading();

    const began = performance.now();
    let written = 0;
    let most = 0;
    while (written < LINES || performance.now() - began < MIN_DURATION_MS) {
      const lines = Array.from({ length: BATCH }, (_, index) =>
        newLine(textOf(written + index + 1), Date.now() * 1000),
      );
      sink.append(id, lines);
      written += BATCH;
      await sink.room();
      await waitFor(() => (unread(), newest === written), 'the lines of the reading client');
      most = Math.max(most, served.bufferedAmount);
    }
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(MAX_BUFFERED);

    stalled.readAgain();
    await waitFor(() => seqsOf(stalled).at(-1) === written, 'the newest line');
    expect(seqsOf(other)).toEqual(numbers(1, written));
    expect(other.of('skipped')).toEqual([]);

    const [skipped, ...more] = stalled.of('skipped');
    if (!skipped) throw new Error('nothing was skipped');
    expect(more).toEqual([]);
    const { from, to, count } = skipped;
    expect([skipped.source, count]).toEqual([id, to - from + 1]);
    expect(to).toBe(written - BATCH);
    expect(seqsOf(stalled)).toEqual([...numbers(1, from - 1), ...numbers(to + 1, written)]);
    // The skipped range precedes the lines after it.
    const messages = stalled.messages.filter(({ type }) => type === 'lines' || type === 'skipped');
    const after = messages[messages.indexOf(skipped) + 1];
    expect(after?.type === 'lines' && after.lines[0]?.[0]).toBe(to + 1);

    // All skipped lines can be read from the store.
    for (let first = from; first <= to; first += PAGE) {
      const last = Math.min(first + PAGE - 1, to);
      const path = `/api/sources/${id}/lines?after=${first - 1}&limit=${last - first + 1}`;
      const { body } = await board.client.send('GET', path, { headers: session.bearer });
      const { lines } = body as LinePageDto;
      expect(lines.map(({ seq }) => seq)).toEqual(numbers(first, last));
      expect(lines.filter(({ seq, text }) => text !== textOf(seq))).toEqual([]);
    }
    for (const socket of [other, stalled]) socket.close();
  });
});

function textOf(seq: number): string {
  return `line ${seq} `.padEnd(LINE_LENGTH, '.');
}

/** Checks the messages since the last call. */
function followNewest(socket: Socket, onNewest: (seq: number) => void): () => void {
  let read = 0;
  return () => {
    for (; read < socket.messages.length; read += 1) {
      const message = socket.messages[read];
      if (message?.type === 'lines') onNewest(message.lines.at(-1)?.[0] ?? 0);
    }
  };
}

function seqsOf(socket: Socket): number[] {
  return socket.of('lines').flatMap(({ lines }) => lines.map(([seq]) => seq));
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}
