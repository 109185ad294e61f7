import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readProject } from '../../backend/src/core/config/project.js';
import { OwnerToken } from '../../backend/src/core/security/owner-token.js';
import { SessionsService } from '../../backend/src/modules/auth/sessions.service.js';
import { SOCKET_VERSION, type ServerMessage } from '../../backend/src/modules/log-live/socket-messages.js';
import { EventSocket } from '../support/app/event-socket.js';
import { signIn, type SignedIn } from '../support/app/signed-in.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { startLogBoard, type TestApp } from '../support/app/start-app.js';
import { beLater } from '../support/clock.js';
import { waitFor } from '../support/wait-for.js';

const { root } = readProject();
const SKIPPED: ServerMessage = { type: 'skipped', source: 1, from: 1, to: 2, count: 2 };
const ALERT = { type: 'alert', alert: {} } as ServerMessage;
const GUIDE = readFileSync(join(root, 'docs', 'log-board-socket.md'), 'utf8');

/** The rows of the guide's table under a heading, by their first column. */
function documented(heading: string): Map<string, string> {
  const section = GUIDE.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| `?(\w+)`? +\|(.*)\|$/gm)];
  return new Map(
    rows
      .filter(([, name = '']) => !['Code', 'type'].includes(name))
      .map(([, name = '', rest = '']) => [name, rest]),
  );
}

describe('the log board socket', () => {
  let board: TestApp;
  let session: SignedIn;
  const sockets: EventSocket<ServerMessage>[] = [];

  beforeAll(async () => {
    board = await startLogBoard({ environment: { APP_LOG_INTAKE: 'on', APP_DEMO_SPEED: '20' } });
  });

  beforeEach(async () => {
    session = await signIn(board);
  });

  afterEach(() => {
    jest.useRealTimers();
    for (const socket of sockets.splice(0)) socket.close();
  });

  afterAll(() => board.stop());

  async function connect(token: string): Promise<EventSocket<ServerMessage>> {
    const socket = await EventSocket.open<ServerMessage>(board.port, {}, `/ws?token=${token}`);
    sockets.push(socket);
    return socket;
  }

  async function ticket({ bearer } = session): Promise<string> {
    const response = await board.client.send('POST', '/api/auth/ticket', { headers: bearer });
    expect(response.body).toMatchObject({ expires_in: 30 });
    return (response.body as { ticket: string }).ticket;
  }

  async function signOut({ bearer }: SignedIn): Promise<void> {
    expect((await board.client.send('POST', '/api/auth/logout', { headers: bearer })).status).toBe(200);
  }

  it('opens with a token, sends hello, and responds to ping', async () => {
    const socket = await connect(session.token);
    expect(await socket.next('hello')).toEqual({
      type: 'hello',
      version: SOCKET_VERSION,
      session: { id: session.id, expires_at: session.expiresAt },
    });
    await socket.settled();
    expect(board.log()).not.toContain(session.token);
  });

  it('takes a token from the Authorization header, but not two tokens', async () => {
    const open = async (authorization: string, path: string): Promise<EventSocket<ServerMessage>> =>
      await EventSocket.open<ServerMessage>(board.port, { headers: { authorization } }, path);
    const socket = await open(`Bearer ${session.token}`, '/ws');
    sockets.push(socket);
    expect((await socket.next('hello')).session.id).toBe(session.id);
    await expect(open(`Bearer ${session.token}`, `/ws?token=${session.token}`)).rejects.toThrow('401');
    await expect(open('Bearer', `/ws?token=${session.token}`)).rejects.toThrow('401');
    await expect(open('Bearer x.y.z', '/ws')).rejects.toThrow('401');
  });

  it('gives the owner token a socket and no ticket', async () => {
    const headers = { authorization: `Bearer ${board.nest.get(OwnerToken, { strict: false }).value}` };
    const socket = await EventSocket.open<ServerMessage>(board.port, { headers }, '/ws');
    sockets.push(socket);
    await socket.next('hello');
    expect((await board.client.send('POST', '/api/auth/ticket', { headers })).status).toBe(403);
    expect((await board.client.send('GET', '/api/auth/sessions', { headers })).status).toBe(200);
  });

  it('ignores unknown messages', async () => {
    const socket = await connect(session.token);
    // Sent as soon as the state of the store is known, which a start does not wait for.
    await socket.next('log_store');
    for (const text of [
      '',
      'ping',
      '{',
      'null',
      '[]',
      '{"type":7}',
      '{"type":"nothing"}',
      '{"event":"ping"}',
    ]) {
      socket.sendText(text);
    }
    socket.sendText(Buffer.from([0, 255]));
    await socket.settled();
    expect(socket.messages.map(({ type }) => type)).toEqual(['hello', 'log_store', 'pong']);
  });

  it('closes on a message of more than 64 kB', async () => {
    const socket = await connect(session.token);
    socket.sendText('x'.repeat(65_537));
    expect((await socket.untilClosed()).code).toBe(1009);
  });

  describe('with a ticket', () => {
    it('opens once', async () => {
      const value = await ticket();
      await (await connect(value)).next('hello');
      await expect(connect(value)).rejects.toThrow('401');
      expect(board.log()).not.toContain(value);
    });

    it('opens for one of two concurrent clients', async () => {
      const value = await ticket();
      const tries = await Promise.allSettled([connect(value), connect(value)]);
      expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    });

    it('opens within 30 s, and not later', async () => {
      const [soon, late] = [await ticket(), await ticket()];
      beLater(29);
      await connect(soon);
      beLater(2);
      await expect(connect(late)).rejects.toThrow('401');
    });

    it('does not open once the session has ended', async () => {
      const value = await ticket();
      await signOut(session);
      await expect(connect(value)).rejects.toThrow('401');
    });

    it('gives no other access, and remains valid after such an attempt', async () => {
      const shown = await ticket();
      for (const [name, value] of [
        ['authorization', `Bearer ${shown}`],
        ['cookie', `slipway_session_${board.port}=${shown}`],
      ] as const) {
        const headers = { [name]: value };
        expect((await board.client.send('GET', '/api/auth/me', { headers })).status).toBe(401);
      }
      const cookie = { 'sec-fetch-site': 'same-origin', cookie: `slipway_session_${board.port}=${shown}` };
      expect((await board.client.send('POST', '/api/auth/token', { headers: cookie })).status).toBe(401);
      await connect(shown);
    });

    it('opens with the 20 newest of a session', async () => {
      const tickets: string[] = [];
      for (let count = 0; count < 21; count += 1) tickets.push(await ticket());
      await expect(connect(tickets[0] ?? '')).rejects.toThrow('401');
      await connect(tickets[1] ?? '');
      await connect(tickets[20] ?? '');
    });
  });

  it('closes after its session signs out or another session ends it', async () => {
    const other = await signIn(board);
    const [mine, theirs] = [await connect(session.token), await connect(other.token)];
    await signOut(session);
    expect(await mine.untilClosed()).toEqual({ code: 4401, reason: 'the session has ended' });
    expect(theirs.closed).toBeUndefined();
    const third = await signIn(board);
    await board.client.send('DELETE', `/api/auth/sessions/${other.id}`, { headers: third.bearer });
    expect((await theirs.untilClosed()).code).toBe(4401);
  });

  it('sends session_ending once, a minute before the session ends, and then closes', async () => {
    const socket = await connect(session.token);
    beLater(3600 - 63);
    await socket.settled();
    await nextCheck();
    expect(socket.of('session_ending')).toEqual([]);
    beLater(10);
    const warning = await socket.next('session_ending');
    expect(warning).toEqual({
      type: 'session_ending',
      expires_at: session.expiresAt,
      in_seconds: expect.any(Number),
    });
    expect(warning.in_seconds).toBeGreaterThan(50);
    expect(warning.in_seconds).toBeLessThanOrEqual(60);
    beLater(45);
    await nextCheck();
    expect(socket.closed).toBeUndefined();
    expect(socket.of('session_ending')).toHaveLength(1);
    beLater(10);
    expect((await socket.untilClosed()).code).toBe(4401);
  });

  it('sends session_ending immediately if less than a minute is left', async () => {
    beLater(3600 - 20);
    const socket = await connect(session.token);
    expect((await socket.next('session_ending')).in_seconds).toBeLessThanOrEqual(20);
  });

  it('closes with 1011 if the sessions cannot be read, and the server continues', async () => {
    const socket = await connect(session.token);
    const sessions = board.nest.get(SessionsService);
    const broken = jest.spyOn(sessions, 'find').mockImplementation(() => {
      throw new Error('disk I/O error');
    });
    expect((await socket.untilClosed()).code).toBe(1011);
    broken.mockRestore();
    expect(board.log()).toContain('could not read the sessions of open sockets');
    await (await connect(session.token)).settled();
  });

  it('allows 50 connections per session', async () => {
    await Promise.all(Array.from({ length: 50 }, () => connect(session.token)));
    expect((await (await connect(session.token)).untilClosed()).code).toBe(4429);
  });

  /** Number of the newest line of a source; 0 without lines. */
  async function lastLine(source: number): Promise<number> {
    const response = await board.client.send('GET', `/api/sources/${source}`, { headers: session.bearer });
    return response.status === 200 ? (response.body as { next_seq: number }).next_seq - 1 : 0;
  }

  /** Resolves after the next check of sessions: it closes a session's socket, which takes one check. */
  async function nextCheck(): Promise<void> {
    const other = await signIn(board);
    const socket = await connect(other.token);
    await signOut(other);
    await socket.untilClosed();
  }

  describe('docs/log-board-socket.md', () => {
    it('lists the version, messages and codes', async () => {
      expect(GUIDE).toContain(`\nProtocol version ${SOCKET_VERSION}.`);
      const server = documented('Messages of the server');
      const client = documented('Messages of a client');
      const codes = documented('Close codes');
      expect([...client.keys()]).toEqual([
        'ping',
        'watch_sources',
        'unwatch_sources',
        'subscribe',
        'unsubscribe',
        'ack',
      ]);
      expect([...codes.keys()]).toEqual(['4401', '4429', '1011', '1001']);

      beLater(3600 - 30);
      const socket = await connect(session.token);
      await waitFor(async () => (await lastLine(1)) > 1, 'lines of a source');
      for (const type of ['ping', 'watch_sources']) socket.send({ type });
      socket.send({ type: 'subscribe', source: 1, tail: 1 });
      socket.send({ type: 'subscribe', source: 999_999 });
      await socket.next('sources');
      await socket.next('lines');
      await socket.next('error');
      await socket.next('session_ending');
      const sent = new Map(socket.messages.map((message) => [message.type, message]));
      // These need a slow client and an alert: stalled-reader.spec.ts and log-alerts.spec.ts cover them.
      const others: ServerMessage[] = [SKIPPED, ALERT, { type: 'alerts_firing', count: 1 }];
      for (const message of others) sent.set(message.type, message);
      expect([...sent.keys()].sort()).toEqual([...server.keys()].sort());
      for (const [type, message] of sent) {
        const fields = Object.entries(message).filter(([field]) => field !== 'type');
        const row = server.get(type)?.split('|').at(-1) ?? '';
        const named = [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name);
        const fieldsOf = fields.flatMap(([field, value]: [string, unknown]) =>
          field === 'session' ? [field, ...Object.keys(value as object)] : [field],
        );
        expect([type, named.sort()]).toEqual([type, fieldsOf.sort()]);
      }
    });

    it('has an example that prints messages and signs out on SIGINT', async () => {
      const example = spawn(process.execPath, [join(root, 'docs', 'examples', 'watch-log-board.mjs')], {
        env: { LOG_BOARD: `http://localhost:${board.port}`, LOG_BOARD_PASSWORD },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let stderr = '';
      example.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      const lines = createInterface({ input: example.stdout });
      const ended = once(example, 'close');
      const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
      const hello = JSON.parse(line) as Extract<ServerMessage, { type: 'hello' }>;
      expect([hello.type, hello.version]).toEqual(['hello', SOCKET_VERSION]);
      const list = async (): Promise<string[]> =>
        (
          (await board.client.send('GET', '/api/auth/sessions', { headers: session.bearer })).body as {
            id: string;
          }[]
        ).map(({ id }) => id);
      expect(await list()).toContain(hello.session.id);
      example.kill('SIGINT');
      const [status] = (await ended) as [number | null];
      expect([status, stderr.trim()]).toEqual([0, 'closed with 4401: the session has ended']);
      expect(await list()).not.toContain(hello.session.id);
    });

    it('has an example that reports a wrong password', async () => {
      const example = spawn(process.execPath, [join(root, 'docs', 'examples', 'watch-log-board.mjs')], {
        env: { LOG_BOARD: `http://localhost:${board.port}`, LOG_BOARD_PASSWORD: 'canary-of-a-password' },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let stderr = '';
      example.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      expect(await once(example, 'close')).toEqual([1, null]);
      expect(stderr).toContain('/api/auth/login answered 401: Unauthorized');
      expect(stderr).not.toContain('canary-of-a-password');
    });
  });
});
