import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { ApiResponse, ApiClient, ApiRequest } from '../support/app/api-client.js';
import { jobEnded, requestCluster } from '../support/app/clusters.js';
import { EventSocket } from '../support/app/event-socket.js';
import { login, OWN_PAGE, signIn } from '../support/app/signed-in.js';
import { UPGRADE } from '../support/app/upgrade.js';
import { filesOf } from '../support/server/files.js';
import { withServer, type ScriptedServer } from '../support/server/scripted-server.js';

const PASSWORD = 'Kanarienvogel & "Wellensittich"/42';
/** A mistyped password is a secret, too. */
const MISTYPED = 'Kanarienvogel & Wellensittich';
const SECRET_KEY = '7f3ac0ffee5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0';
const ENCRYPTION_KEY = '8e4bc0ffee6b7a899807b6c5d4e3f2011f2e3d4c5b6a79899807b6c5d4e3f201';
const GIVEN = { APP_PASS: PASSWORD, SECRET_KEY, ENCRYPTION_KEY };

/** A secret in the encodings in which it may be written. */
function formsOf(secret: string): string[] {
  const texts = [secret, Array.from(secret).reverse().join('')];
  const bytes = [Buffer.from(secret), Buffer.from(secret, 'utf16le')];
  if (/^([0-9a-f]{2}){32}$/.test(secret)) bytes.push(Buffer.from(secret, 'hex'));
  const written = bytes.flatMap((one) => [
    one.toString('base64').replace(/=+$/, ''),
    one.toString('base64url'),
    one.toString('hex'),
    one.toString('hex').toUpperCase(),
    one.toString('latin1'),
  ]);
  const escaped = [
    encodeURIComponent(secret),
    new URLSearchParams({ x: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
    secret.toUpperCase(),
  ];
  return [...new Set([...texts, ...written, ...escaped])];
}

/** The place and encoding of each secret that is found, without the secret. */
function found(secrets: ReadonlyMap<string, string>, places: ReadonlyMap<string, string>): string[] {
  return [...secrets].flatMap(([name, secret]) =>
    formsOf(secret).flatMap((form, index) =>
      [...places]
        .filter(([, text]) => text.includes(form))
        .map(([place]) => `${name} (${index}) in ${place}`),
    ),
  );
}

describe('secrets', () => {
  it('appear in no log, file, response or child process after a session with failures', async () => {
    const secrets = new Map(Object.entries({ ...GIVEN, mistyped: MISTYPED }));
    const places = new Map<string, string>();
    await withServer(
      async (server) => {
        await work(server, secrets, places);
        for (const { program, args, environment } of server.machine.calls) {
          places.set(`a call of ${program} ${args[0] ?? ''}`, JSON.stringify([args, environment]));
          for (const name of [
            ...Object.keys(GIVEN),
            'APP_USER',
            'ENCRYPTION_KEY_PREVIOUS',
            'SESSION_TIMEOUT',
          ]) {
            expect(Object.keys(environment)).not.toContain(name);
          }
        }
        expect(server.machine.calls.some(({ args }) => args[0] === 'create')).toBe(true);
        await server.process.stop();
        places.set('the log', server.process.log);
        for (const [path, text] of filesOf(server.dataDirectory)) places.set(path, text);
      },
      {},
      // The output of containers is shown unchanged.
      { ...GIVEN, APP_LOG_INTAKE: 'off' },
      [],
    );
    expect([...secrets.keys()].sort()).toEqual(
      [...Object.keys(GIVEN), 'cookie', 'mistyped', 'second token', 'ticket', 'token', 'used ticket'].sort(),
    );
    expect([...places.keys()].filter((place) => place.endsWith('.db'))).not.toEqual([]);
    expect(places.size).toBeGreaterThan(40);
    expect(found(secrets, places)).toEqual([]);
    // The search itself works.
    places.set('a page', `<a href="/ws?token=${encodeURIComponent(PASSWORD)}">`);
    expect(found(secrets, places)).toEqual([expect.stringMatching(/^APP_PASS \(\d+\) in a page$/)]);
  });
});

/** Signs in and out, uses all secrets correctly and incorrectly, and lets a creation fail. */
async function work(
  server: ScriptedServer,
  secrets: Map<string, string>,
  places: Map<string, string>,
): Promise<void> {
  const { client, process } = server;
  const { board } = process;
  const keep = async (
    app: ApiClient,
    method: string,
    path: string,
    request?: ApiRequest,
  ): Promise<ApiResponse> => {
    const response = await app.send(method, path, request);
    const body = response.bytes[0] === 0x1f ? gunzipSync(response.bytes).toString('latin1') : response.text;
    places.set(
      `response ${places.size} to ${method} ${path.split('?')[0] ?? ''}`,
      JSON.stringify(response.headers) + body,
    );
    return response;
  };

  // These responses contain the secrets by design.
  const session = await signIn({ client: board }, PASSWORD);
  const { token, bearer, cookie } = session;
  secrets.set('token', token);
  secrets.set('cookie', cookie.split('=')[1] ?? '');
  const again = await board.send('POST', '/api/auth/token', { headers: { ...OWN_PAGE, cookie } });
  secrets.set('second token', (again.body as { access_token: string }).access_token);
  for (const name of ['ticket', 'used ticket']) {
    const response = await board.send('POST', '/api/auth/ticket', { headers: bearer });
    secrets.set(name, (response.body as { ticket: string }).ticket);
  }

  // Correct and incorrect use over HTTP.
  const from = '127.0.0.2';
  for (const body of [
    { username: 'admin', password: MISTYPED },
    { username: PASSWORD, password: 'admin' },
    { username: 'admin', password: [PASSWORD] },
  ]) {
    await keep(board, 'POST', '/api/auth/login', { from, body });
  }
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await login({ client: board }, { password: MISTYPED, from });
  }
  for (const query of [
    `token=${token}`,
    `access_token=${token}`,
    `password=${encodeURIComponent(PASSWORD)}`,
  ]) {
    await keep(board, 'GET', `/api/auth/me?${query}`);
    await keep(client, 'GET', `/api/v1/clusters?${query}`);
  }
  for (const authorization of [`Basic ${token}`, `Bearer ${token}x`, token]) {
    await keep(board, 'GET', '/api/auth/me', { headers: { authorization } });
  }
  for (const path of ['/api/auth/me', '/api/auth/sessions', '/openapi.json', '/docs', '/api/auth/nothing']) {
    await keep(board, 'GET', path, { headers: { ...bearer, cookie } });
  }

  // The same over WebSockets.
  const [used, unused] = [secrets.get('used ticket') ?? '', secrets.get('ticket') ?? ''];
  const sockets: EventSocket[] = [];
  for (const text of [token, used]) {
    const socket = await EventSocket.open(board.port, {}, `/ws?token=${text}`);
    socket.send({ type: 'ping', token, ticket: unused });
    await socket.settled();
    sockets.push(socket);
  }
  for (const text of [used, `${token}x`, `${unused}x`, PASSWORD]) {
    const query = new URLSearchParams({ token: text }).toString();
    await keep(board, 'GET', `/ws?${query}`, { headers: UPGRADE });
    await keep(client, 'GET', `/events?${query}`, { headers: UPGRADE });
    await keep(board, 'GET', `/ws?${query}`, { headers: { ...UPGRADE, origin: 'http://evil.example' } });
  }

  // A creation that fails, and one that does not.
  server.machine.kind.failure = 'failing-in-kubeadm';
  const failed = await requestCluster(client, 'failing');
  expect((await jobEnded(client, failed)).state).toBe('failed');
  server.machine.kind.failure = undefined;
  const made = await requestCluster(client, 'made');
  expect((await jobEnded(client, made)).state).toBe('succeeded');
  for (const path of [
    '/api/v1/clusters',
    '/api/v1/clusters/made/config',
    '/api/v1/clusters/failing/provision-log',
    '/api/v1/jobs',
    `/api/v1/jobs/${failed}`,
    `/api/v1/jobs/${made}`,
    '/api/v1/journal/recent',
    '/api/v1/health',
    '/api/v1/diagnostics',
    '/api/v1/diagnostics/bundle',
    '/openapi.json',
  ]) {
    expect([path, (await keep(client, 'GET', path)).status]).toEqual([path, 200]);
  }

  await keep(board, 'POST', '/api/auth/logout', { headers: bearer });
  await keep(board, 'GET', '/api/auth/me', { headers: bearer });
  for (const socket of sockets) {
    const end = await socket.untilClosed();
    places.set(`socket ${places.size}`, JSON.stringify([socket.messages, end]));
  }
}
