import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as sendRequest, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { WebSocket } from 'ws';
import { ForwardBench } from '../../../../test/support/kubernetes/forward-bench.js';
import { waitFor } from '../../../../test/support/wait-for.js';
import { readProject } from '../../core/config/index.js';
import { LOOPBACK } from './forward-address.js';
import type { ForwardListener } from './forward-listener.js';

describe('ForwardProxy', () => {
  const bench = new ForwardBench();
  const { respondWith, cookie, host, keyPath, listen, openSocket, origin, send, sendRaw } = bench;

  beforeEach(() => bench.open());
  afterEach(() => bench.close());

  describe('admits a browser', () => {
    it('by a link that works once, sets the cookie and redirects to a URL without the key', async () => {
      respondWith({});
      const path = keyPath();
      const opened = await send(path);
      expect(opened).toMatchObject({
        status: 303,
        headers: { location: `${origin()}/`, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' },
      });
      const [set = ''] = opened.headers['set-cookie'] ?? [];
      expect(set).toMatch(
        new RegExp(`^slipway_forward_${bench.proxy.port}=shop\\.[\\w-]{43}; Path=/; HttpOnly; SameSite=Lax$`),
      );
      expect(await send('/', { headers: { cookie: set.split(';')[0] ?? '' } })).toMatchObject({
        status: 200,
        text: 'the page',
      });

      const again = await send(path);
      expect(again).toMatchObject({
        status: 403,
        text: expect.stringContaining('already used, or has expired'),
      });
      expect(again.headers['set-cookie']).toBeUndefined();
      expect(bench.received.map(({ url }) => url)).toEqual(['/']);
    });

    it('by a new link each time', async () => {
      expect(await cookie()).toBe(await cookie());
    });

    it('and never passes a key to the Pod', async () => {
      const key = keyPath().slice(1);
      expect(await send(`/page${key}`, { headers: { cookie: await cookie() } })).toMatchObject({
        status: 303,
        headers: { location: `${origin()}/page` },
      });
      expect(bench.received).toEqual([]);
    });
  });

  describe('rejects', () => {
    it('two Host headers and an absolute URL in the request line', async () => {
      const own = `Host: ${host()}\r\n`;
      const rest = `Cookie: ${await cookie()}\r\n\r\n`;
      expect(await sendRaw(`GET / HTTP/1.1\r\n${own}${own}${rest}`)).toContain(' 403 ');
      expect(await sendRaw(`GET http://evil.example/ HTTP/1.1\r\n${own}${rest}`)).toContain(' 403 ');
      expect(bench.received).toEqual([]);
    });

    it('a request without the cookie, and closes its connection before the body arrives', async () => {
      const head = `POST / HTTP/1.1\r\nHost: ${host()}\r\nContent-Length: 10\r\n\r\n`;
      expect(await sendRaw(head)).toContain(' 403 ');
      expect(bench.received).toEqual([]);
    });

    it('more connections than its limit', async () => {
      const head = `GET / HTTP/1.1\r\nHost: ${host()}\r\nCookie: ${await cookie()}\r\n\r\n`;
      const all = Array.from({ length: 60 }, () => connect(bench.proxy.port, '127.0.0.1'));
      for (const socket of all) socket.write(head);
      bench.raw.push(...all);
      let closed = 0;
      await new Promise<void>((resolve) => {
        for (const socket of all) {
          socket.on('error', () => undefined);
          socket.once('close', () => (closed += 1) === 10 && resolve());
        }
      });
      expect(bench.received.length).toBeLessThanOrEqual(50);
    });
  });

  it('serves a browser with the cookie while others without it hold all connections', async () => {
    const value = await cookie();
    const strangers = Array.from({ length: 60 }, () => connect(bench.proxy.port, '127.0.0.1'));
    bench.raw.push(...strangers);
    let dropped = 0;
    for (const socket of strangers) {
      socket.on('error', () => undefined);
      // A rejected request would end the connection.
      socket.on('close', () => (dropped += 1));
    }
    await waitFor(() => dropped >= 10, 'the end of the oldest connections');
    respondWith({});
    expect((await send('/', { headers: { cookie: value } })).status).toBe(200);
    expect(dropped).toBeLessThan(60);
  });

  describe('protects from the Pod', () => {
    it('the cookies of Slipway, and passes on the others', async () => {
      respondWith({});
      const own = await cookie();
      const value = `a=1; slipway_session_8080=s; ${own}; slipway_forward_1=f; __Host-slipway_browser_8080=b; c=3`;
      await send('/', { headers: { cookie: value } });
      await send('/', { headers: { cookie: own } });
      expect(bench.received.map(({ headers }) => headers.cookie)).toEqual(['a=1; c=3', undefined]);
    });

    it('cookies of Slipway from being set or cleared', async () => {
      const cookies = [
        'slipway_session_8080=x',
        '=slipway_forward_1=x',
        '__Host-slipway_session_1=x',
        'mine=1; Path=/',
      ];
      respondWith({ 'set-cookie': cookies, 'clear-site-data': '"cookies"' });
      const { headers } = await send('/', { headers: { cookie: await cookie() } });
      expect(headers['set-cookie']).toEqual(['mine=1; Path=/']);
      expect(headers).not.toHaveProperty('clear-site-data');
    });
  });

  describe('passes on', () => {
    it('method, path, headers and body, without hop-by-hop headers', async () => {
      let body = '';
      bench.pod.on('request', (request, response) => {
        void textOf(request).then((text) => {
          body = text;
          response.writeHead(418, { 'x-pod': ['1', '2'], connection: 'x-hop', 'x-hop': '1' }).end('no');
        });
      });
      const headers = {
        cookie: await cookie(),
        'x-one': '1',
        te: 'trailers',
        connection: 'close, x-two',
        'x-two': '2',
        'transfer-encoding': 'chunked',
      };
      const response = await send('/a?b=c', { method: 'PUT', headers, body: 'whole' });
      expect(response).toMatchObject({ status: 418, text: 'no', headers: { 'x-pod': '1, 2' } });
      expect(response.headers).not.toHaveProperty('x-hop');
      expect([bench.received[0]?.method, bench.received[0]?.url, body]).toEqual(['PUT', '/a?b=c', 'whole']);
      expect(bench.received[0]?.headers).toMatchObject({ host: host(), 'x-one': '1' });
      expect(bench.received[0]?.headers).not.toHaveProperty('te');
      expect(bench.received[0]?.headers).not.toHaveProperty('x-two');
    });

    it('the response as a stream with backpressure', async () => {
      const chunk = Buffer.alloc(100_000);
      let written = 0;
      let isWhole = false;
      bench.pod.on('request', (_request, response) => {
        response.write('first');
        const writeMore = (): void => {
          while (written < 400) {
            written += 1;
            if (!response.write(chunk)) return;
          }
          response.end();
        };
        response.on('drain', writeMore);
        response.on('finish', () => (isWhole = true));
        bench.sockets.once('connection', writeMore);
      });
      const headers = { host: host(), cookie: await cookie() };
      const request = sendRequest({ port: bench.proxy.port, headers, agent: false });
      request.end();
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      expect(String((await once(response, 'data'))[0])).toBe('first');
      response.pause();
      // Lets the Pod continue.
      await openSocket(headers);
      let before = -1;
      while (before !== written) {
        before = written;
        await delay(300);
      }
      expect([isWhole, written < 400]).toEqual([false, true]);
      expect((await textOf(response)).length).toBe(400 * chunk.length);
    });

    it('consecutive requests over one connection to the Pod', async () => {
      respondWith({});
      const headers = { cookie: await cookie() };
      for (let count = 0; count < 3; count += 1) expect((await send('/', { headers })).status).toBe(200);
      expect([bench.received.length, bench.connected]).toEqual([3, 1]);
    });

    it('a request again if the Pod closed the idle connection', async () => {
      bench.pod.on('request', (request, response) => {
        if (bench.received.length === 2) request.socket.destroy();
        else response.end();
      });
      const headers = { cookie: await cookie() };
      await send('/', { headers });
      expect((await send('/', { headers })).status).toBe(200);
      expect([bench.received.length, bench.connected]).toEqual([3, 2]);
    });
  });

  describe('with WebSockets', () => {
    it('passes messages in both directions, and closes both sides together', async () => {
      const own = { cookie: `${await cookie()}; slipway_session_1=s; a=1` };
      const socket = (await openSocket({ ...own, origin: origin() })) as WebSocket;
      socket.send('ping');
      expect(String((await once(socket, 'message'))[0])).toBe('ping');
      expect(bench.received[0]?.headers).toMatchObject({ cookie: 'a=1', host: host() });
      const [there] = bench.sockets.clients;
      socket.close();
      await once(there as WebSocket, 'close');
    });

    it('rejects one without the cookie, and one from another site', async () => {
      expect(await openSocket({})).toBe(403);
      expect(await openSocket({ cookie: await cookie(), origin: 'http://evil.example' })).toBe(403);
      expect(await openSocket({ cookie: await cookie(), 'sec-fetch-site': 'same-site' })).toBe(403);
      expect(bench.received).toEqual([]);
    });

    it('closes the connection of a rejected one, although the client keeps it open', async () => {
      const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
      expect(await sendRaw(`GET / HTTP/1.1\r\nHost: ${host()}\r\n${upgrade}\r\n`)).toContain(' 403 ');
    });

    it('passes on the response of a Pod that rejects the upgrade', async () => {
      bench.sockets.close();
      bench.pod.removeAllListeners('upgrade');
      respondWith({}, 'not here', 404);
      expect(await openSocket({ cookie: await cookie() })).toBe(404);
    });

    it('survives an upgrade after a request without response', async () => {
      const own = `Host: ${host()}\r\nCookie: ${await cookie()}\r\n`;
      const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
      await sendRaw(`GET / HTTP/1.1\r\n${own}\r\nGET /live HTTP/1.1\r\n${own}${upgrade}\r\n`).catch(() => '');
      respondWith({});
      expect((await send('/', { headers: { cookie: await cookie() } })).status).toBe(200);
    });
  });

  describe('responds with 502', () => {
    it('if the Pod cannot be reached, with the reason there and in the list', async () => {
      const headers = { cookie: await cookie() };
      await bench.stop();
      const response = await send('/', { headers });
      expect(response).toMatchObject({
        status: 502,
        text: expect.stringContaining('Could not reach market/shop:80.'),
      });
      expect(bench.proxy.problem).toContain('ECONNREFUSED');
      expect(await openSocket(headers)).toBe(502);
    });

    it.each([
      ['closes the connection', ''],
      ['has an impossible status', 'HTTP/1.1 099 None\r\nContent-Length: 0\r\n\r\n'],
      ['does not speak HTTP', 'SSH-2.0-OpenSSH\r\n'],
      [
        'switches protocols unasked',
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n',
      ],
    ])('where the Pod %s', async (_what, text) => {
      bench.pod.on('request', ({ socket }) => socket.end(text));
      expect((await send('/', { headers: { cookie: await cookie() } })).status).toBe(502);
      expect(bench.proxy.problem).not.toBeNull();
    });

    it('to no request that the browser cancelled', async () => {
      const headers = { cookie: await cookie(), host: host() };
      const request = sendRequest({ port: bench.proxy.port, headers, agent: false });
      request.on('error', () => undefined);
      request.end();
      const [there] = (await once(bench.pod, 'request')) as [IncomingMessage];
      request.destroy();
      await new Promise((resolve) => there.once('close', resolve));
      expect(bench.proxy.problem).toBeNull();
    });
  });

  it('uses HTTPS to an encrypted Pod with any certificate, and HTTP to the browser', async () => {
    const folder = join(readProject().root, 'test', 'fixtures', 'tls');
    const [cert, key] = ['first.crt', 'first.key'].map((name) => readFileSync(join(folder, name)));
    await bench.stop();
    await bench.start(createTlsServer({ cert, key }));
    bench.proxy.close();
    bench.proxy = await listen(true);
    const secureUrl = origin().replace('http:', 'https:');
    respondWith({ location: `${secureUrl}/in`, 'set-cookie': ['a=1; Secure; Path=/', '__Host-b=1; Secure'] });
    const headers = { cookie: await cookie(), origin: origin(), referer: `${origin()}/login` };
    const response = await send('/', { method: 'POST', headers });
    expect([response.status, response.text]).toEqual([200, 'the page']);
    expect(response.headers).toMatchObject({
      location: `${origin()}/in`,
      'set-cookie': ['a=1; Path=/', '__Host-b=1; Secure'],
    });
    expect(bench.received[0]?.headers).toMatchObject({ origin: secureUrl, referer: `${secureUrl}/login` });
    const socket = (await openSocket({ cookie: headers.cookie })) as WebSocket;
    socket.send('ping');
    expect(String((await once(socket, 'message'))[0])).toBe('ping');
  });

  it('listens on the first free port of a range, and fails if all are in use', async () => {
    const { port } = bench.proxy;
    const within = (last: number): Promise<ForwardListener> =>
      listen(false, { ...LOOPBACK, ports: { first: port, last } });
    const next = await within(port + 20);
    expect(next.port).toBeGreaterThan(port);
    expect(next.url).toBe(`http://shop.localhost:${next.port}`);
    next.close();
    await expect(within(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('closes all connections when it is closed', async () => {
    const socket = (await openSocket({ cookie: await cookie() })) as WebSocket;
    const gone = once(socket, 'close');
    bench.proxy.close();
    await gone;
    await expect(send('/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
