import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ServerMessage } from '../../backend/src/modules/logs/socket-messages.js';
import { EventSocket } from '../support/app/event-socket.js';
import { OWN_PAGE, signIn, type SignedIn } from '../support/app/signed-in.js';
import { startLogBoard, type AppOptions, type TestApp } from '../support/app/start-app.js';

describe('the socket of the log board', () => {
  let board: TestApp;
  let session: SignedIn;

  async function start(options: AppOptions = {}): Promise<void> {
    board = await startLogBoard(options);
    session = await signIn(board);
  }

  async function connect(
    query: string,
    headers: Record<string, string> = {},
  ): Promise<EventSocket<ServerMessage>> {
    return await EventSocket.open<ServerMessage>(board.port, { headers }, `/ws${query}`);
  }

  async function ticket(): Promise<string> {
    const answer = await board.client.send('POST', '/api/auth/ticket', { headers: session.bearer });
    return (answer.body as { ticket: string }).ticket;
  }

  afterEach(async () => {
    await board.stop();
  });

  it('opens with the token, says hello, and answers a ping', async () => {
    await start();
    const socket = await connect(`?token=${session.token}`);
    expect(await socket.next('hello')).toEqual({
      type: 'hello',
      version: 1,
      session: { id: session.id, expires_at: session.expiresAt },
    });
    await socket.settled();
    socket.close();
    expect(board.log()).not.toContain(session.token);
  });

  it('opens with a ticket, once', async () => {
    await start();
    const once = await ticket();
    const socket = await connect(`?token=${once}`);
    await socket.next('hello');
    await expect(connect(`?token=${once}`)).rejects.toThrow('401');
    socket.close();
    expect(board.log()).not.toContain(once);
  });

  it('lets in one of two that show a ticket at once', async () => {
    await start();
    const once = await ticket();
    const tries = await Promise.allSettled([connect(`?token=${once}`), connect(`?token=${once}`)]);
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    for (const attempt of tries) if (attempt.status === 'fulfilled') attempt.value.close();
  });

  it.each<[string, () => string, Record<string, string>?]>([
    ['no token', () => ''],
    ['an empty token', () => '?token='],
    ['two tokens', () => `?token=${session.token}&token=${session.token}`],
    ['an unknown ticket', () => `?token=${'A'.repeat(32)}`],
    ['a changed token', () => `?token=${session.token}x`],
    [
      'the old scheme’s base64',
      () => `?token=${Buffer.from('admin:correct horse battery staple').toString('base64')}`,
    ],
    ['another name for it', () => `?access_token=${session.token}`],
    ['the cookie in place of the token', () => '', { cookie: '', ...OWN_PAGE }],
    ['the header in place of the token', () => '', { authorization: '' }],
  ])('is refused before it opens with %s', async (_what, query, headers = {}) => {
    await start();
    const given: Record<string, string> = { ...headers };
    if ('cookie' in given) given['cookie'] = session.cookie;
    if ('authorization' in given) given['authorization'] = session.bearer.authorization;
    await expect(connect(query(), given)).rejects.toThrow('401');
  });

  it.each([
    ['another site', { origin: 'http://evil.example' }],
    ['another port of this machine', { origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' }],
    ['a foreign name for this machine', { host: 'evil.example' }],
  ])('is refused to %s, whatever its token', async (_what, headers) => {
    await start();
    await expect(connect(`?token=${session.token}`, headers)).rejects.toThrow('403');
  });

  it('closes within a second of the sign-out, and of the end that another session gave it', async () => {
    await start();
    const other = await signIn(board);
    const [mine, theirs] = [await connect(`?token=${session.token}`), await connect(`?token=${other.token}`)];
    const began = performance.now();
    await board.client.send('POST', '/api/auth/logout', { headers: session.bearer });
    expect(await mine.untilClosed(3000)).toEqual({ code: 4401, reason: 'the session has ended' });
    expect(performance.now() - began).toBeLessThan(1000);
    expect(theirs.closed).toBeUndefined();
    const third = await signIn(board);
    await board.client.send('DELETE', `/api/auth/sessions/${other.id}`, { headers: third.bearer });
    expect((await theirs.untilClosed(3000)).code).toBe(4401);
  });

  it('is warned of the end of its session, and closed when it comes', async () => {
    await start({ environment: { SESSION_TIMEOUT: '3' } });
    const socket = await connect(`?token=${session.token}`);
    const warning = await socket.next('session_ending');
    expect(warning.expires_at).toBe(session.expiresAt);
    expect(warning.in_seconds).toBeLessThanOrEqual(3);
    expect((await socket.untilClosed(5000)).code).toBe(4401);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(session.expiresAt));
    expect(Date.now() - Date.parse(session.expiresAt)).toBeLessThan(1000);
    await delay(20);
    expect(socket.of('session_ending')).toHaveLength(1);
  });

  it('has up to fifty for one session', async () => {
    await start();
    const sockets = await Promise.all(Array.from({ length: 50 }, () => connect(`?token=${session.token}`)));
    const more = await connect(`?token=${session.token}`);
    expect((await more.untilClosed()).code).toBe(4429);
    for (const socket of sockets) socket.close();
  });
});
