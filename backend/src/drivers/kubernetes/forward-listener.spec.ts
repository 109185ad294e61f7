import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LOOPBACK } from './forward-address.js';
import { ForwardListener, type ListenerTarget } from './forward-listener.js';

const SAFARI =
  'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';

describe('ForwardListener', () => {
  let pod: Server;
  /** Data that each connection to the Pod received. */
  let received: string[];
  let refusals: number;
  let serve: (socket: Socket) => void;
  const open: { close: () => void }[] = [];
  const sockets: Socket[] = [];

  beforeEach(async () => {
    received = [];
    refusals = 0;
    serve = () => undefined;
    pod = createServer((socket) => {
      const index = received.push('') - 1;
      socket.on('data', (data) => (received[index] = (received[index] ?? '') + data.toString('latin1')));
      socket.on('error', () => undefined);
      serve(socket);
    }).listen(0, '127.0.0.1');
    await once(pod, 'listening');
  });

  afterEach(() => {
    for (const one of open.splice(0)) one.close();
    for (const socket of sockets.splice(0)) socket.destroy();
    pod.close();
  });

  async function forward(changes: Partial<ListenerTarget> = {}, port?: number): Promise<ForwardListener> {
    const listener = await ForwardListener.listen(
      {
        name: 'shop',
        isPlain: true,
        hosts: () => [],
        refusal: async () => {
          refusals += 1;
          return await Promise.resolve(null);
        },
        connect: async (): Promise<Duplex> => {
          const socket = connect((pod.address() as AddressInfo).port, '127.0.0.1');
          sockets.push(socket);
          await once(socket, 'connect');
          return socket;
        },
        ...changes,
      },
      { ...LOOPBACK, ports: port === undefined ? undefined : { first: port, last: port } },
    );
    open.push(listener);
    return listener;
  }

  function client({ port }: ForwardListener, host = '127.0.0.1'): Socket {
    const socket = connect({ port, host, allowHalfOpen: true });
    socket.setNoDelay();
    sockets.push(socket);
    return socket;
  }

  const page = { page: { host: 'shop', encrypted: false } };
  const answer = (socket: Socket, text: string): void =>
    void socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${text}`));

  it('listens on 127.0.0.1 and ::1, and refuses a port that one of them does not have', async () => {
    serve = (socket) => void socket.end('hello');
    const { port } = await forward();
    for (const host of ['127.0.0.1', '::1']) {
      const socket = connect(port, host);
      expect(await textOf(socket)).toBe('hello');
    }
    const other = createServer().listen(0, '::1');
    open.push(other);
    await once(other, 'listening');
    await expect(forward({}, (other.address() as AddressInfo).port)).rejects.toMatchObject({
      code: 'EADDRINUSE',
      address: '::1',
    });
  });

  it('listens on 127.0.0.1 alone on a machine without IPv6', async () => {
    serve = (socket) => void socket.end('hello');
    const target = { name: 'shop', isPlain: true, hosts: () => [], refusal: () => Promise.resolve(null) };
    const connectToPod = (): Promise<Duplex> =>
      Promise.resolve(connect((pod.address() as AddressInfo).port, '127.0.0.1'));
    // An address of the range for documentation, which no machine has.
    const address = { hosts: ['127.0.0.1', '2001:db8::1'], ports: undefined };
    const listener = await ForwardListener.listen({ ...target, connect: connectToPod }, address);
    open.push(listener);
    expect(await textOf(client(listener))).toBe('hello');
  });

  it.each([
    ['tcp', {}],
    ['http', page],
  ])('passes the greeting of a server that speaks first, with %s', async (_protocol, changes) => {
    serve = (socket) => void socket.write('220 ready\r\n');
    const socket = client(await forward(changes));
    expect(String((await once(socket, 'data'))[0])).toBe('220 ready\r\n');
    socket.end('QUIT\r\n');
    socket.resume();
    await once(socket, 'close');
    expect(received).toEqual(['QUIT\r\n']);
  });

  it.each([
    ['a TLS client hello', '\x16\x03\x01\x02\x00\x01\x00\x01'],
    ['HTTP/2 with prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['HTTP/1.0 without a host', 'GET / HTTP/1.0\r\n\r\n'],
    [
      'a WebSocket of a program',
      'GET / HTTP/1.1\r\nHost: localhost:PORT\r\nUpgrade: websocket\r\n\r\n\x81\x00',
    ],
    ['a lower-case method', 'get / HTTP/1.1\r\nhost: localhost:PORT\r\n\r\n'],
  ])('passes %s unchanged, in pieces of one byte too', async (_what, template) => {
    const listener = await forward(page);
    const bytes = template.replace('PORT', String(listener.port));
    serve = (socket) => {
      let length = 0;
      socket.on('data', (data) => (length += data.length) === bytes.length && socket.end('done'));
    };
    const whole = client(listener);
    whole.write(bytes, 'latin1');
    expect(await textOf(whole)).toBe('done');
    const pieces = client(listener);
    for (const byte of bytes) {
      pieces.write(byte, 'latin1');
      await new Promise(setImmediate);
    }
    expect(await textOf(pieces)).toBe('done');
    expect([received, refusals]).toEqual([[bytes, bytes], 2]);
  });

  it('refuses an HTTP request with a foreign host, and sends the Pod no byte', async () => {
    const listener = await forward();
    const socket = client(listener);
    socket.write(`GET / HTTP/1.1\r\nHost: evil.example:${listener.port}\r\n\r\n`);
    const text = await textOf(socket);
    expect(text).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    expect(text).toContain(`The host evil.example:${listener.port} does not belong to this port-forward.`);
    expect(received).toEqual(['']);
  });

  it('refuses a later request of a page of another site on a connection of the user', async () => {
    const listener = await forward();
    serve = (socket) => void socket.once('data', () => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
    const socket = client(listener);
    const first = `GET / HTTP/1.1\r\nHost: localhost:${listener.port}\r\n\r\n`;
    socket.write(first);
    expect(String((await once(socket, 'data'))[0])).toContain(' 204 ');
    socket.write(first.replace('\r\n\r\n', '\r\nOrigin: http://evil.example\r\n\r\n'));
    expect(await textOf(socket)).toContain(' 403 Forbidden');
    expect(received).toEqual([first]);
  });

  it('passes the hosts that the user has added, those of an Ingress', async () => {
    const hosts: string[] = [];
    const listener = await forward({ ...page, hosts: () => hosts });
    serve = (socket) => answer(socket, 'the shop');
    const ask = async (): Promise<string> => {
      const socket = client(listener);
      socket.write('GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n');
      return await textOf(socket);
    };
    expect(await ask()).toContain(' 403 ');
    hosts.push('shop.example');
    expect(await ask()).toContain('the shop');
  });

  describe('with a page', () => {
    let http: ReturnType<typeof createHttpServer>;
    let requests: string[];

    beforeEach(() => {
      requests = [];
      http = createHttpServer((request, response) => {
        requests.push(request.url ?? '');
        response.setHeader('Service-Worker-Allowed', '/').end('the page');
      });
      serve = (socket) => void http.emit('connection', socket);
    });

    async function get(
      listener: ForwardListener,
      url: string,
      headers: Record<string, string> = {},
    ): Promise<{ text: string; header: (name: string) => string | undefined }> {
      const { host, pathname, search } = new URL(url);
      const socket = client(listener);
      const lines = Object.entries({ Host: host, Connection: 'close', ...headers });
      socket.write(
        `GET ${pathname}${search} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
      );
      const text = await textOf(socket);
      return { text, header: (name) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(text)?.[1] };
    }

    async function openLink(
      listener: ForwardListener,
      browser: string,
      cookie = '',
    ): Promise<{ cookie: string; cleared: string | undefined; link: string }> {
      const link = listener.issueLink(browser) ?? '';
      const opened = await get(listener, link, { 'User-Agent': browser, Cookie: cookie });
      const [set = ''] = (opened.header('Set-Cookie') ?? '').split(';');
      return { cookie: set, cleared: opened.header('Clear-Site-Data'), link };
    }

    it('shares one port between the page, which needs the link, and programs, which need to be of the user', async () => {
      const listener = await forward(page);
      const own = `http://shop.localhost:${listener.port}`;
      expect(listener.url).toBe(own);
      expect((await get(listener, own)).text).toContain('has not opened the port-forward');
      const { cookie } = await openLink(listener, 'Chrome/1');
      expect((await get(listener, own, { Cookie: cookie })).text).toContain('the page');
      expect(refusals).toBe(0);
      expect((await get(listener, `http://127.0.0.1:${listener.port}/`)).text).toContain('the page');
      expect(refusals).toBe(1);
      expect(listener.traffic.bytesFromPod).toBeGreaterThan(0);
    });

    it('redirects a browser that asks this machine to the page, before it reaches the Pod', async () => {
      const listener = await forward({ ...page, connect: () => Promise.reject(new Error('no Pod')) });
      const typed = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Site': 'none' };
      const answered = await get(listener, `http://localhost:${listener.port}/a?b=c`, typed);
      const location = answered.header('Location') ?? '';
      expect(location).toMatch(new RegExp(`^http://shop\\.localhost:${listener.port}/a\\?b=c&slipway_key=`));
      expect((await get(listener, location)).header('Location')).toBe(
        `http://shop.localhost:${listener.port}/a?b=c`,
      );
    });

    it('lets Safari use 127.0.0.1, clears it for another target, and keeps service workers away', async () => {
      const listener = await forward(page);
      const own = `http://127.0.0.1:${listener.port}/`;
      const first = await openLink(listener, SAFARI);
      expect(first.link).toContain(own);
      expect(first.cleared).toBe('"cache", "storage"');
      const again = await openLink(listener, SAFARI, first.cookie);
      expect(again.cleared).toBeUndefined();

      const headers = { 'User-Agent': SAFARI, Cookie: again.cookie };
      const shown = await get(listener, own, headers);
      expect(shown.text).toContain('the page');
      expect(shown.header('Service-Worker-Allowed')).toBeUndefined();
      const worker = await get(listener, `${own}sw.js`, { ...headers, 'Service-Worker': 'script' });
      expect(worker.text).toContain('403 Forbidden');
      expect((await get(listener, own, { 'User-Agent': SAFARI })).text).toContain('403 Forbidden');

      listener.move('other');
      expect((await openLink(listener, SAFARI, again.cookie)).cleared).toBe('"cache", "storage"');
    });

    it('lets a page on its own origin have service workers', async () => {
      const listener = await forward(page);
      const { cookie, cleared } = await openLink(listener, 'Chrome/1');
      expect(cleared).toBeUndefined();
      const headers = { Cookie: cookie, 'Service-Worker': 'script' };
      expect(
        (await get(listener, `${listener.url ?? ''}/sw.js`, headers)).header('Service-Worker-Allowed'),
      ).toBe('/');
    });

    it('moves to another origin, where browsers need a new link', async () => {
      const listener = await forward(page);
      const { cookie } = await openLink(listener, 'Chrome/1');
      const before = listener.url ?? '';
      listener.move('other');
      expect(listener.url).toBe(`http://other.localhost:${listener.port}`);
      for (const url of [before, listener.url ?? '']) {
        expect((await get(listener, url, { Cookie: cookie })).text).toContain('403 Forbidden');
      }
      expect(requests).toEqual([]);
    });

    it.each([true, false])(
      'serves it on a connection that a browser opened in advance, plain: %s',
      async (isPlain) => {
        const listener = await forward({ ...page, isPlain });
        const { cookie } = await openLink(listener, 'Chrome/1');
        const socket = client(listener);
        await delay(100);
        socket.write(`GET /early HTTP/1.1\r\nHost: shop.localhost:${listener.port}\r\n`);
        socket.write(`Cookie: ${cookie}\r\nConnection: close\r\n\r\n`);
        expect(await textOf(socket)).toContain(' 200 OK');
        expect(received).toHaveLength(isPlain ? 2 : 1);
        expect(requests).toEqual(['/early']);
      },
    );

    it('passes a program what a client sends at once before it ends its side', async () => {
      serve = (socket) => void socket.resume().once('end', () => socket.end('done'));
      const socket = client(await forward(page));
      socket.end('PI');
      expect(await textOf(socket)).toBe('done');
      expect(received).toEqual(['PI']);
    });

    it('without programs, rejects them', async () => {
      const listener = await forward({ ...page, isPlain: false });
      expect((await get(listener, `http://127.0.0.1:${listener.port}/`)).text).toContain('403 Forbidden');
      const socket = client(listener);
      socket.write('\x16\x03\x01');
      await expect(textOf(socket)).rejects.toMatchObject({ code: 'ECONNRESET' });
      expect(received).toEqual([]);
    });

    describe('and clients that send a part of their first request', () => {
      beforeEach(() => {
        jest.useFakeTimers({ doNotFake: ['nextTick', 'performance', 'setImmediate'] });
      });

      afterEach(() => {
        jest.useRealTimers();
      });

      async function until(condition: () => boolean): Promise<void> {
        const deadline = performance.now() + 10_000;
        while (!condition()) {
          if (performance.now() > deadline) throw new Error(`${String(condition)} did not come`);
          await new Promise(setImmediate);
        }
      }

      /** Sends a byte more each 4 s. */
      async function dawdle(listener: ForwardListener): Promise<Socket> {
        const socket = client(listener);
        for (const [index, byte] of [...'GET'].entries()) {
          socket.write(byte);
          await until(() => listener.traffic.bytesToPod > index);
          jest.advanceTimersByTime(index < 2 ? 4000 : 1900);
          expect(listener.traffic.connections).toBe(1);
        }
        jest.advanceTimersByTime(100);
        return socket;
      }

      it.each([
        ['of other users', { refusal: () => Promise.resolve('not your own user') }],
        ['to a page alone', { isPlain: false }],
      ])('closes connections %s after 10 s', async (_what, changes) => {
        const listener = await forward({ ...page, ...changes });
        await expect(textOf(await dawdle(listener))).rejects.toMatchObject({ code: 'ECONNRESET' });
        expect([listener.traffic.connections, received]).toEqual([0, []]);
      });

      it('passes a program of the user on after 10 s', async () => {
        serve = (socket) => void socket.once('data', () => socket.end('done'));
        expect(await textOf(await dawdle(await forward(page)))).toBe('done');
        expect(received).toEqual(['GET']);
      });

      it('closes the oldest of more than 50, and still serves the user', async () => {
        const listener = await forward(page);
        const strangers: Socket[] = [];
        for (let count = 1; count <= 51; count += 1) {
          strangers.push(client(listener).resume());
          strangers.at(-1)?.write('G');
          await until(() => listener.traffic.bytesToPod === count);
        }
        await until(() => strangers[0]?.readableEnded === true);
        expect(strangers.filter(({ readableEnded }) => readableEnded)).toHaveLength(1);

        const own = client(listener);
        own.write('GET / HTTP/1.1\r\n');
        await until(() => listener.traffic.bytesToPod > 60);
        own.write(`Host: 127.0.0.1:${listener.port}\r\nConnection: close\r\n\r\n`);
        expect(await textOf(own)).toContain('the page');
        expect(strangers.map(({ readableEnded }) => readableEnded).indexOf(false)).toBe(2);
        expect([refusals, requests]).toEqual([1, ['/']]);
      });
    });
  });
});
