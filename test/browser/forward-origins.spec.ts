import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, test as base } from '@playwright/test';
import { WebSocketServer } from 'ws';
import type * as kubernetes from '../../backend/src/drivers/kubernetes/index.js';
import { HOST_NAME } from './support/browser-settings.js';
import { built } from './support/built-product.js';

const SAFARI =
  'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';
const WORKER = `
  self.addEventListener('install', () => self.skipWaiting());
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener('fetch', (event) => event.respondWith(
    new Response('<title>worker</title>', { headers: { 'Content-Type': 'text/html' } }),
  ));`;

/** A program in a Pod: pages with its name, a service worker, and a WebSocket that echoes. */
class Program {
  /** Requests that reached it: method and URL. */
  readonly received: string[] = [];
  private readonly sockets: WebSocketServer;

  private constructor(
    private readonly server: Server,
    name: string,
  ) {
    this.sockets = new WebSocketServer({ server });
    this.sockets.on('connection', (socket, { url }) => {
      this.received.push(`socket ${url ?? ''}`);
      socket.on('message', (message, binary) => socket.send(message, { binary }));
    });
    server.on('request', ({ method, url = '' }, response) => {
      this.received.push(`${method ?? ''} ${url}`);
      const isScript = url === '/sw.js';
      response.writeHead(200, {
        'Content-Type': isScript ? 'text/javascript' : 'text/html',
        'Set-Cookie': `of=${name}`,
      });
      response.end(isScript ? WORKER : `<title>${name}</title>`);
    });
  }

  static async start(name: string): Promise<Program> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Program(server, name);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  stop(): void {
    for (const client of this.sockets.clients) client.terminate();
    this.server.closeAllConnections();
    this.server.close();
  }
}

interface Fixtures {
  program: (name: string) => Promise<Program>;
  /** @param host the own host of its page; none for plain TCP alone. @param port a certain one */
  forward: (to: Program, host?: string, port?: number) => Promise<kubernetes.ForwardListener>;
}

const test = base.extend<Fixtures>({
  program: async ({}, use) => {
    const programs: Program[] = [];
    await use(async (name) => {
      const program = await Program.start(name);
      programs.push(program);
      return program;
    });
    for (const program of programs) program.stop();
  },
  forward: async ({}, use) => {
    const { ForwardListener, LOOPBACK } = await built<typeof kubernetes>('drivers/kubernetes/index.js');
    const listeners: kubernetes.ForwardListener[] = [];
    await use(async (to, host, port) => {
      const listener = await ForwardListener.listen(
        {
          name: 'shop',
          ...(host !== undefined && { page: { host, encrypted: false } }),
          isPlain: true,
          hosts: () => [],
          refusal: () => Promise.resolve(null),
          connect: async () => connect(to.port, '127.0.0.1'),
        },
        { ...LOOPBACK, ports: port === undefined ? undefined : { first: port, last: port } },
      );
      listeners.push(listener);
      return listener;
    });
    for (const listener of listeners) listener.close();
  },
});

/** The data of earlier pages that a page finds on its origin. */
const LEFT = `(async () => ({
  workers: (await navigator.serviceWorker.getRegistrations()).length,
  caches: await caches.keys(),
  storage: localStorage.length,
  cookies: document.cookie,
}))()`;
const LEAVE = `(async () => {
  localStorage.setItem('left', 'it');
  await (await caches.open('left')).put('/x', new Response('it'));
})()`;
const REGISTER = `navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => 'ready')`;
const ECHO = `new Promise((resolve, reject) => {
  const socket = new WebSocket('ws://' + location.host + '/socket');
  socket.onopen = () => socket.send('ping');
  socket.onmessage = ({ data }) => resolve(data);
  socket.onerror = () => reject(new Error('it was refused'));
})`;
/** All that a page can send to other origins: forms, requests that it reads, images and WebSockets. */
const ATTACK = `async (target) => {
  const seen = [];
  for (const method of ['GET', 'POST']) {
    const init = { method, credentials: 'include', ...(method === 'POST' && { body: 'change=1' }) };
    await fetch('http://' + target + '/blind', { ...init, mode: 'no-cors' }).catch(() => undefined);
    seen.push(await fetch('http://' + target + '/read', init).then(() => 'read', () => 'refused'));
  }
  const image = new Image();
  await new Promise((resolve) => {
    image.onload = image.onerror = resolve;
    image.src = 'http://' + target + '/image';
  });
  const socket = new WebSocket('ws://' + target + '/socket');
  seen.push(await new Promise((resolve) => {
    socket.onopen = () => resolve('open');
    socket.onerror = () => resolve('refused');
  }));
  return seen;
}`;

for (const [protocol, host] of [
  ['tcp', undefined],
  ['http', 'first'],
] as const) {
  test(`keeps pages of other sites away from a port with ${protocol}`, async ({
    page,
    context,
    program,
    forward,
  }) => {
    const pod = await program('pod');
    const evil = await program('evil');
    const { port } = await forward(pod, host);

    // DNS rebinding: the name of a foreign site leads to this machine.
    const rebound = await page.goto(`http://${HOST_NAME}:${port}/`);
    expect(rebound?.status()).toBe(403);
    expect(await rebound?.text()).toContain(
      `The host ${HOST_NAME}:${port} does not belong to this port-forward.`,
    );
    expect(pod.received).toEqual([]);

    // The user opens it, so that the browser has connections to it.
    await page.goto(`http://127.0.0.1:${port}/`);
    await expect(page).toHaveTitle('pod');
    pod.received.length = 0;

    const other = await context.newPage();
    await other.goto(`http://${HOST_NAME}:${evil.port}/`);
    const targets = [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      ...(host ? [`${host}.localhost:${port}`] : []),
    ];
    for (const target of targets) {
      const outcomes = await other.evaluate<string[]>(`(${ATTACK})(${JSON.stringify(target)})`);
      expect(outcomes).toEqual(['refused', 'refused', 'refused']);
    }
    expect(pod.received).toEqual([]);
  });
}

test('redirects a typed address of this machine to the page, whose WebSocket works', async ({
  page,
  program,
  forward,
}) => {
  const pod = await program('pod');
  const { port, url } = await forward(pod, 'first');
  for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
    await page.goto(`http://${name}:${port}/a?b=c`);
    expect(page.url()).toBe(`${url ?? ''}/a?b=c`);
    await expect(page).toHaveTitle('pod');
  }
  expect(await page.evaluate(ECHO)).toBe('ping');
});

test('keeps the service worker, storage and cookies of one Pod from the next on its port', async ({
  page,
  program,
  forward,
}) => {
  const first = await forward(await program('first'), 'first');
  await page.goto(first.issueLink() ?? '');
  await expect(page).toHaveTitle('first');
  await page.evaluate(LEAVE);
  expect(await page.evaluate(REGISTER)).toBe('ready');
  await page.reload();
  await expect(page).toHaveTitle('worker');
  const { port } = first;
  first.close();

  const second = await forward(await program('second'), 'second', port);
  await page.goto(second.issueLink() ?? '');
  await expect(page).toHaveTitle('second');
  expect(await page.evaluate(LEFT)).toEqual({ workers: 0, caches: [], storage: 0, cookies: 'of=second' });
});

test.describe('Safari', () => {
  test.use({ userAgent: SAFARI });

  test('gets no service worker at 127.0.0.1, and nothing of the Pod before', async ({
    page,
    program,
    forward,
  }) => {
    const first = await forward(await program('first'), 'first');
    const link = first.issueLink(SAFARI) ?? '';
    expect(link).toContain(`http://127.0.0.1:${first.port}/`);
    await page.goto(link);
    await expect(page).toHaveTitle('first');
    await page.evaluate(LEAVE);
    await expect(page.evaluate(REGISTER)).rejects.toThrow('403');
    const { port } = first;
    first.close();

    const second = await forward(await program('second'), 'second', port);
    expect(second.port).toBe(port);
    await page.goto(second.issueLink(SAFARI) ?? '');
    await expect(page).toHaveTitle('second');
    expect(await page.evaluate(LEFT)).toMatchObject({ workers: 0, caches: [], storage: 0 });
  });
});
