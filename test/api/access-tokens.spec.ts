import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OWN_PAGE, signIn, type SignedIn } from '../support/app/signed-in.js';
import { startLogBoard, type TestApp } from '../support/app/start-app.js';

const SECRET = '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0';
type Claims = Record<string, unknown>;

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signed(
  claims: Claims,
  { secret = SECRET, alg = 'HS256', hash = 'sha256', header = {} } = {},
): string {
  const body = `${encode({ alg, typ: 'JWT', ...header })}.${encode(claims)}`;
  return `${body}.${createHmac(hash, Buffer.from(secret, 'hex')).update(body).digest('base64url')}`;
}

describe('access tokens', () => {
  let board: TestApp;
  let session: SignedIn;
  let good: Claims;

  beforeAll(async () => {
    board = await startLogBoard({ environment: { SECRET_KEY: SECRET } });
    session = await signIn(board);
    good = JSON.parse(Buffer.from(session.token.split('.')[1] ?? '', 'base64url').toString()) as Claims;
  });

  afterAll(async () => {
    await board.stop();
  });

  async function statusWith(headers: Record<string, string>): Promise<number> {
    const answer = await board.client.send('GET', '/api/auth/me', { headers });
    if (answer.status === 401) {
      expect(answer.body).toMatchObject({ statusCode: 401, error: 'Unauthorized', message: 'Unauthorized' });
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="Slipway"');
      expect(answer.headers['cache-control']).toBe('no-store');
    }
    return answer.status;
  }

  it('that are made with the right key and claims are let in: the forgeries below fail for their own reasons', async () => {
    expect(await statusWith({ authorization: `Bearer ${signed(good)}` })).toBe(200);
    expect(await statusWith({ authorization: `bearer ${session.token}` })).toBe(200);
  });

  const forgeries: [string, () => string][] = [
    ['no signature and "none"', () => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(good)}.`],
    ['"none" in capitals', () => `${encode({ alg: 'NONE', typ: 'JWT' })}.${encode(good)}.`],
    ['HS384 with the right key', () => signed(good, { alg: 'HS384', hash: 'sha384' })],
    ['HS512 with the right key', () => signed(good, { alg: 'HS512', hash: 'sha512' })],
    [
      'RS256 with a key of its own',
      () => {
        const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
        const body = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(good)}`;
        return `${body}.${createSign('sha256').update(body).sign(privateKey, 'base64url')}`;
      },
    ],
    [
      'a header that brings its key',
      () => signed(good, { secret: '00'.repeat(32), header: { jwk: { kty: 'oct', k: 'AAAA' } } }),
    ],
    ['another key', () => signed(good, { secret: 'ab'.repeat(32) })],
    [
      'the key as text',
      () => {
        const body = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(good)}`;
        return `${body}.${createHmac('sha256', SECRET).update(body).digest('base64url')}`;
      },
    ],
    ['another audience', () => signed({ ...good, aud: 'someone-else' })],
    ['no audience', () => signed({ ...good, aud: undefined })],
    ['several audiences', () => signed({ ...good, aud: ['slipway', 'someone-else'] })],
    ['no id', () => signed({ ...good, jti: undefined })],
    ['an unknown id', () => signed({ ...good, jti: 'A'.repeat(32) })],
    ['an id that is no text', () => signed({ ...good, jti: { $ne: null } })],
    ['an issue in the future', () => signed({ ...good, iat: Math.floor(Date.now() / 1000) + 3600 })],
    ['no time of issue', () => signed({ ...good, iat: undefined })],
    ['an end in the past', () => signed({ ...good, exp: Math.floor(Date.now() / 1000) - 1 })],
    ['a later end than its session', () => signed({ ...good, exp: Number(good['exp']) + 3600 })],
    ['no end', () => signed({ ...good, exp: undefined })],
    ['another user', () => signed({ ...good, sub: 'root' })],
    ['no user', () => signed({ ...good, sub: undefined })],
    [
      'a changed signature',
      () => `${session.token.slice(0, -2)}${session.token.endsWith('AA') ? 'BB' : 'AA'}`,
    ],
    ['a cut signature', () => session.token.slice(0, -5)],
    ['something behind it', () => `${session.token}.x`],
    ['nothing but dots', () => '..'],
    ['64 kB of it', () => 'a'.repeat(8000)],
  ];

  it.each(forgeries)('with %s are refused', async (_what, forge) => {
    expect(await statusWith({ authorization: `Bearer ${forge()}` })).toBe(401);
  });

  it.each<[string, () => Record<string, string>]>([
    ['no header', () => ({})],
    ['an empty header', () => ({ authorization: '' })],
    [
      'HTTP Basic',
      () => ({
        authorization: `Basic ${Buffer.from('admin:correct horse battery staple').toString('base64')}`,
      }),
    ],
    [
      'the old scheme’s base64',
      () => ({
        authorization: `Bearer ${Buffer.from('admin:correct horse battery staple').toString('base64')}`,
      }),
    ],
    ['a token of another scheme', () => ({ authorization: `JWT ${session.token}` })],
    ['the token alone', () => ({ authorization: session.token })],
    ['the cookie alone', () => ({ ...OWN_PAGE, cookie: session.cookie })],
    ['the token in a cookie', () => ({ cookie: `slipway_session=${session.token}; token=${session.token}` })],
    ['a header of another name', () => ({ 'x-access-token': session.token, 'x-auth-token': session.token })],
  ])('%s is not let in', async (_what, headers) => {
    expect(await statusWith(headers())).toBe(401);
  });

  it('in the address are worth nothing outside the socket', async () => {
    for (const name of ['token', 'access_token', 'jwt']) {
      const answer = await board.client.send('GET', `/api/auth/me?${name}=${session.token}`);
      expect([401, 400]).toContain(answer.status);
      expect(answer.text).not.toContain(session.token);
    }
    const page = await board.client.send('GET', `/logs?token=${session.token}`, {
      headers: { accept: 'text/html' },
    });
    expect(page.status).toBe(302);
    expect(board.log()).not.toContain(session.token);
  });

  it('are asked for at every route but the sign-in’s two', async () => {
    const open: string[] = [];
    const routes = new Set(board.contract.documentedSuccesses.map((promise) => promise.replace(/ \d+$/, '')));
    expect(routes.size).toBeGreaterThan(5);
    for (const route of routes) {
      const [method = '', path = ''] = route.split(' ');
      const answer = await board.client.send(method, path.replace(/\{\w+\}/g, 'x'));
      if (answer.status !== 401) open.push(`${route} ${answer.status}`);
    }
    // Without a body it is no sign-in at all; without its cookie the other one is refused as everything else.
    expect(open).toEqual(['POST /api/auth/login 400']);
  });
});
