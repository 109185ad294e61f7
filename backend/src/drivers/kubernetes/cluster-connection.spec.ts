import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { constants, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CountingProxy } from '../../../../test/support/counting-proxy.js';
import { waitFor } from '../../../../test/support/wait-for.js';
import { ClusterConnection } from './cluster-connection.js';
import type { ApiCredentials, ServerAccess } from './server-access.js';

/** Status 0 closes the connection without a response. */
type Reply = [status: number, headers?: Record<string, string>];

describe('ClusterConnection', () => {
  let server: Server;
  let access: ServerAccess;
  let connection: ClusterConnection;
  /** The last one is repeated. */
  let replies: Reply[];
  const requests: { token: string; body: string }[] = [];
  /** The credentials of the plugin: the last ones are repeated. */
  let tokens: string[];
  let current: ApiCredentials;
  let refusals: string[];
  /** The body of the responses for clients that accept gzip. */
  let packed: Buffer | undefined;

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization: token = '' } = request.headers;
    requests.push({ token, body: await text(request) });
    const [status, headers = {}] = (replies.length > 1 ? replies.shift() : replies[0]) ?? [500];
    if (status === 0) return void request.socket.destroy();
    const isPacked = packed && request.headers['accept-encoding'] === 'gzip';
    const encoding: Record<string, string> = isPacked ? { 'content-encoding': 'gzip' } : {};
    response.writeHead(status, { ...headers, ...encoding }).end(isPacked ? packed : `reply ${status}`);
  }

  const next = (): ApiCredentials => {
    const authorization = (tokens.length > 1 ? tokens.shift() : tokens[0]) ?? '';
    return (current = { headers: { authorization } });
  };

  beforeEach(async () => {
    server = createServer((request, response) => void reply(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    requests.length = 0;
    [tokens, refusals, packed] = [['one', 'two'], [], undefined];
    next();
    access = {
      identity: 'shop',
      server: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/k8s/`),
      tls: {},
      acceptEncoding: 'gzip',
      credentials: () => Promise.resolve(current),
      refused: (used) => {
        refusals.push(String(used.headers['authorization']));
        if (used === current) next();
        return true;
      },
      kubeconfigText: () => Promise.resolve(''),
    };
    connection = ClusterConnection.open(access);
  });

  afterEach(async () => {
    connection.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const post = (deadlineMs = 5000): ReturnType<ClusterConnection['send']> =>
    connection.send({ method: 'POST', path: '/api', body: '{"a":1}', deadlineMs });

  it('repeats a request with its body with new credentials after 401', async () => {
    replies = [[401], [200]];
    expect((await post()).status).toBe(200);
    expect(requests).toEqual([
      { token: 'one', body: '{"a":1}' },
      { token: 'two', body: '{"a":1}' },
    ]);
    expect(refusals).toEqual(['one']);
  });

  it('returns 401 of new credentials too, without asking for others', async () => {
    replies = [[401]];
    expect(await post()).toMatchObject({ status: 401, text: 'reply 401' });
    expect(requests.map(({ token }) => token)).toEqual(['one', 'two']);
  });

  it('uses the same new credentials for concurrent requests', async () => {
    replies = [[401], [401], [401], [200]];
    const responses = await Promise.all([post(), post(), post()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(requests.map(({ token }) => token)).toEqual(['one', 'one', 'one', 'two', 'two', 'two']);
  });

  it('repeats a read, but no change, if the server closed the connection that was kept open', async () => {
    const get = (): ReturnType<ClusterConnection['send']> => connection.send({ path: '/api' });
    replies = [[200], [0], [200], [0]];
    expect((await get()).status).toBe(200);
    expect((await get()).status).toBe(200);
    await expect(post()).rejects.toThrow('socket hang up');
    expect(requests).toHaveLength(4);
    // A new connection fails for another reason.
    await expect(get()).rejects.toThrow('socket hang up');
    expect(requests).toHaveLength(5);
  });

  it.each(['http', 'socks5'] as const)(
    'leaves no connection to a proxy (%s) when it is closed',
    async (kind) => {
      const proxy = await CountingProxy.start(kind);
      try {
        replies = [[200]];
        const through = ClusterConnection.open({
          ...access,
          proxy: new URL(proxy.url),
          requestsPerSecond: 25,
        });
        const get = (): Promise<unknown> => through.send({ path: '/api' }).catch(() => undefined);
        await Promise.all([get(), get(), get()]);
        const late = [get(), get(), get(), get(), get(), get()];
        await new Promise((resolve) => setTimeout(resolve, 1));
        through.close();
        await Promise.all(late);
        await waitFor(
          () => proxy.open === 0,
          () => `the end of ${proxy.open} connections`,
          2000,
        );
      } finally {
        await proxy.stop();
      }
    },
  );

  it('waits as long as Retry-After says after 429', async () => {
    replies = [[429, { 'retry-after': '0.2' }], [429, { 'retry-after': '0.2' }], [200]];
    const startedAt = performance.now();
    expect((await post()).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(390);
    expect(requests).toHaveLength(3);
  });

  it('returns 429 when the server rejects the fourth attempt', async () => {
    replies = [[429, { 'retry-after': '0.1' }]];
    expect((await post()).status).toBe(429);
    expect(requests).toHaveLength(4);
  });

  it.each([
    [
      'an eviction that a disruption budget blocks',
      '/api/v1/namespaces/a/pods/b/eviction',
      { 'retry-after': '10' },
    ],
    ['a response that does not say when', '/api', {}],
  ])('does not repeat %s', async (_, path, headers) => {
    replies = [[429, headers]];
    expect((await connection.send({ method: 'POST', path, body: '{}' })).status).toBe(429);
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['a date', new Date(Date.now() + 1000).toUTCString()],
    ['an hour', '3600'],
  ])('ends the wait for %s at the deadline', async (_, after) => {
    replies = [[429, { 'retry-after': after }]];
    const startedAt = performance.now();
    await expect(post(200)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(performance.now() - startedAt).toBeLessThan(900);
  });

  it('unpacks responses, up to the size of others', async () => {
    const text = '{"kind":"PodList"}'.repeat(100_000);
    replies = [[200]];
    packed = gzipSync(text);
    expect((await connection.send({ path: '/api' })).text).toBe(text);
    packed = gzipSync(Buffer.alloc(65_000_000));
    await expect(connection.send({ path: '/api' })).rejects.toThrow('the response is too large');
    packed = gzipSync(text).subarray(0, 500);
    await expect(connection.send({ path: '/api' })).rejects.toThrow('unexpected end of file');
  });

  it('bounds the unpacked bytes of all running compressed responses', async () => {
    const part = gzipSync(Buffer.alloc(60_000_000), { finishFlush: constants.Z_SYNC_FLUSH });
    const ends: (() => void)[] = [];
    server.removeAllListeners('request');
    server.on('request', (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(part);
      ends.push(() => response.end());
    });
    const sent = Array.from({ length: 5 }, () => connection.send({ path: '/api', deadlineMs: 60_000 }));
    await expect(Promise.race(sent)).rejects.toThrow('the response is too large');
    for (const end of ends) end();
    const failures = await Promise.all(sent.map((each) => each.then(String, String)));
    expect(failures.filter((failure) => failure.includes('too large'))).toHaveLength(1);
    server.removeAllListeners('request');
    server.on('request', (request, response) => void reply(request, response));
    [replies, packed] = [[[200]], gzipSync('{}')];
    expect((await connection.send({ path: '/api' })).text).toBe('{}');
  });

  it('sends the lists of an overview to a server elsewhere in one round, and watches after them', async () => {
    const listed = Promise.withResolvers<undefined>();
    const away = ClusterConnection.open({ ...access, requestsPerSecond: 25 }, () => listed.promise);
    const path = '/api';
    const { promise: all, resolve } = Promise.withResolvers<null>();
    const count = 30;
    const lines: string[] = [];
    let arrived = 0;
    server.removeAllListeners('request');
    server.on('request', ({ url }, response) => {
      lines.push(url ?? '');
      if ((arrived += 1) === count) resolve(null);
      void all.then(() => response.end());
    });
    const signal = AbortSignal.timeout(40_000);
    const watch = away.stream({ path: '/watch', signal, onLine: () => undefined });
    await Promise.all(Array.from({ length: count }, () => away.send({ path, deadlineMs: 30_000 })));
    listed.resolve(undefined);
    await watch;
    expect(lines.indexOf('/k8s/watch')).toBe(count);
    away.close();
  });

  it('repeats a watch too', async () => {
    replies = [[401], [429, { 'retry-after': '0.1' }], [410]];
    const signal = new AbortController().signal;
    const lines: string[] = [];
    const ending = await connection.stream({
      path: '/api',
      signal,
      onLine: (line) => lines.push(line),
    });
    expect(ending).toMatchObject({ status: 410 });
    expect(requests.map(({ token }) => token)).toEqual(['one', 'two', 'two']);
  });

  it.each(['exec', 'forward', 'open'] as const)('repeats %s once with new credentials', async (what) => {
    replies = [[401], [403]];
    const path = '/api/v1/namespaces/shop/pods/web';
    const signal = AbortSignal.timeout(5000);
    const opening = what === 'open' ? connection.open(path, signal) : connection[what](path);
    expect(await opening).toMatchObject({ status: 403 });
    replies = [[401]];
    await connection[what === 'open' ? 'exec' : what](path);
    expect(requests.map(({ token }) => token)).toEqual(['one', 'two', 'two', 'two']);
    expect(refusals).toEqual(['one', 'two']);
  });
});
