import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { requestCluster } from '../support/app/clusters.js';
import { EventSocket } from '../support/app/event-socket.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { signIn } from '../support/app/signed-in.js';
import { Random } from '../support/logs/log-store.js';
import { ServerProcess, temporaryFolder } from '../support/server/server-process.js';
import { waitFor } from '../support/wait-for.js';
import { frameOf, RawSocket } from './raw-socket.js';
import { ATTACKS, hostileMessage } from './socket-messages.js';

const SEED = Math.floor(Math.random() * 1e6);
/** Clients of each kind at a time, with as many hostile messages each. */
const CLIENTS = 20;
const MESSAGES = 60;
const MANY = 500;
/** Of another client, on a busy machine too. */
const PONG_MS = 3000;
/** Descriptors that the server opens for other reasons meanwhile. */
const DESCRIPTORS = 15;
const GROWTH_MB = 60;

/** An application, and the types of messages that a client gets without a subscription. */
interface Application {
  name: string;
  port: () => number;
  path: () => string;
  unasked: string[];
  /** Begins and ends a subscription. */
  toggle: Message[];
}

interface Message {
  type: string;
  topics?: string[];
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: ServerProcess;
let token: string;
/** Clients that do nothing wrong: one of each application subscribes to something, the other to nothing. */
let polite: { silent: EventSocket<Message>; subscribed: EventSocket<Message>; unasked: string[] }[];
let slowest = 0;
/** When the pings in flight were sent; undefined between them. */
let pingedAt: number | undefined;
let pinging: Promise<void>;
let isEnding = false;

const APPLICATIONS: readonly Application[] = [
  {
    name: '/events',
    port: () => server.client.port,
    path: () => '/events',
    unasked: ['hello', 'pong'],
    toggle: ['subscribe', 'unsubscribe'].map((type) => ({ type, topics: ['stats', 'jobs'] })),
  },
  {
    name: '/ws',
    port: () => server.board.port,
    path: () => `/ws?token=${token}`,
    unasked: ['hello', 'pong', 'log_store', 'alerts_firing'],
    toggle: [{ type: 'watch_sources' }, { type: 'unwatch_sources' }],
  },
];

const descriptors = (): number => readdirSync(`/proc/${server.pid}/fd`).length;
const residentMegabytes = (): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1000;

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await ServerProcess.start(
    {
      PATH: '/usr/bin:/bin',
      HOME: folder.path,
      APP_DATA_DIR: folder.path,
      APP_RUNTIME: 'demo',
      APP_DEMO_SPEED: '20',
      APP_PASS: LOG_BOARD_PASSWORD,
      APP_LOG_LEVEL: 'info',
    },
    [],
  );
  ({ token } = await signIn({ client: server.board }));
  polite = await Promise.all(
    APPLICATIONS.map(async ({ port, path, unasked }) => {
      const open = (): Promise<EventSocket<Message>> => EventSocket.open<Message>(port(), {}, path());
      return { silent: await open(), subscribed: await open(), unasked };
    }),
  );
  polite[0]?.subscribed.send({ type: 'subscribe', topics: ['jobs', 'stats'] });
  polite[1]?.subscribed.send({ type: 'watch_sources' });
  const ping = async (): Promise<void> => {
    const clients = polite.flatMap(({ silent, subscribed }) => [silent, subscribed]);
    while (!isEnding) {
      pingedAt = performance.now();
      // A client that gets no response stays the slowest.
      await Promise.all(clients.map((client) => client.settled()));
      slowest = Math.max(slowest, performance.now() - pingedAt);
      pingedAt = undefined;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  pinging = ping().catch(() => undefined);
  // Messages for those who subscribe: a job runs all the time.
  await requestCluster(server.client, 'shop');
});

afterAll(async () => {
  isEnding = true;
  await pinging;
  for (const { silent, subscribed } of polite) for (const socket of [silent, subscribed]) socket.close();
  await server.stop();
  await folder.remove();
});

/** Runs work twice. The second time, memory must not grow any more, and all descriptors are released. */
async function withoutTraces(work: () => Promise<void>): Promise<void> {
  const before = descriptors();
  await work();
  await waitFor(
    () => descriptors() <= before + DESCRIPTORS,
    () => `${before} descriptors, now ${descriptors()},`,
  );
  const memory = residentMegabytes();
  await work();
  await waitFor(
    () => descriptors() <= before + DESCRIPTORS,
    () => `${before} descriptors, now ${descriptors()},`,
  );
  await waitFor(
    () => residentMegabytes() < memory + GROWTH_MB,
    () => `${memory} MB, now ${residentMegabytes()} MB,`,
    10_000,
  );
  expect((await server.client.send('GET', '/api/v1/health')).status).toBe(200);
  expect((await server.board.send('GET', '/api/health')).status).toBe(200);
}

/** Expects that polite clients were served in time, and got only messages of their subscriptions. */
function expectPoliteServed(): void {
  expect(slowest).toBeGreaterThan(0);
  expect(Math.max(slowest, performance.now() - (pingedAt ?? Infinity))).toBeLessThan(PONG_MS);
  slowest = 0;
  for (const { silent, subscribed, unasked } of polite) {
    expect([silent.closed, subscribed.closed]).toEqual([undefined, undefined]);
    expect(silent.messages.map(({ type }) => type).filter((type) => !unasked.includes(type))).toEqual([]);
  }
  const [events, board] = polite;
  const typesOf = (socket?: EventSocket<Message>): Set<string> =>
    new Set(socket?.messages.map(({ type }) => type));
  expect([...typesOf(events?.subscribed)].sort()).toEqual(['hello', 'job', 'pong', 'stats']);
  expect(typesOf(board?.subscribed)).toContain('sources');
}

describe.each(APPLICATIONS)(`$name of hostile clients (seed ${SEED})`, ({ port, path, unasked, toggle }) => {
  const open = (): Promise<RawSocket> => RawSocket.open(port(), path());

  it('closes each invalid frame with the code of RFC 6455', async () => {
    const random = new Random(SEED);
    await withoutTraces(async () => {
      const attack = async ({ what, bytes, code }: (typeof ATTACKS)[number]): Promise<void> => {
        const socket = await open();
        const sent = bytes(random);
        // In two parts, at any place.
        const cut = random.between(0, sent.length);
        socket.send(sent.subarray(0, cut));
        await new Promise(setImmediate);
        socket.send(sent.subarray(cut));
        if (code === undefined) {
          await new Promise((resolve) => setTimeout(resolve, 200));
          expect([what, socket.code]).toEqual([what, undefined]);
          socket.drop(random.of(['end', 'reset', 'half']));
        } else {
          const closed = await socket.untilClosed();
          // The code of the client is returned.
          const echoed = code === 1000 && [1001, 4000].includes(closed) ? 1000 : closed;
          expect([what, echoed]).toEqual([what, code]);
        }
        expect([what, ...socket.types.filter((type) => !unasked.includes(type))]).toEqual([what]);
      };
      for (const one of ATTACKS) await Promise.all([attack(one), attack(one)]);
    });
    expectPoliteServed();
  });

  it('ignores or rejects invalid messages in any order, and subscribes to nothing by them', async () => {
    const random = new Random(SEED);
    await withoutTraces(async () => {
      const flood = async (): Promise<void> => {
        const socket = await open();
        for (let index = 0; index < MESSAGES; index += 1) {
          const whole = frameOf(hostileMessage(random));
          socket.send(whole);
          if (random.next() < 0.1) await new Promise(setImmediate);
        }
        socket.send(frameOf('{"type":"ping"}'));
        await waitFor(() => socket.types.includes('pong') || socket.code !== undefined, 'the last response');
        expect(socket.code).toBeUndefined();
        expect(socket.types.filter((type) => ![...unasked, 'error'].includes(type))).toEqual([]);
        socket.drop(random.of(['end', 'reset', 'half']));
      };
      await Promise.all(Array.from({ length: CLIENTS }, flood));
    });
    expectPoliteServed();
  });

  it(`serves ${MANY} clients at once up to its limit, and rejects the others`, async () => {
    await withoutTraces(async () => {
      const outcomes = { open: 0, rejected: 0, closed: 0 };
      const sockets = Array.from({ length: MANY }, () => {
        const socket = new WebSocket(`ws://localhost:${port()}${path()}`, { handshakeTimeout: 20_000 });
        socket.on('message', () => undefined);
        socket.once('open', () => (outcomes.open += 1));
        socket.on('error', () => undefined);
        socket.on('unexpected-response', (request, response) => {
          if (response.statusCode === 429) outcomes.rejected += 1;
          request.destroy();
        });
        socket.once('close', (code) => {
          if (code === 4429) outcomes.closed += 1;
        });
        return socket;
      });
      const known = (): number => outcomes.open + outcomes.rejected;
      await waitFor(
        () => known() >= MANY,
        () => JSON.stringify(outcomes),
      );
      const served = outcomes.open - outcomes.closed;
      expect(served).toBeGreaterThan(40);
      expect(served).toBeLessThanOrEqual(200);
      for (const socket of sockets) socket.terminate();
    });
    // There is room again.
    const next = await EventSocket.open<Message>(port(), {}, path());
    await next.settled();
    next.close();
    expectPoliteServed();
  });

  it('sends nothing more about a topic after the last of many messages ends it', async () => {
    const socket = await EventSocket.open<Message>(port(), {}, path());
    for (let round = 0; round < 20; round += 1) for (const message of toggle) socket.send(message);
    await socket.settled();
    socket.messages.length = 0;
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect(socket.messages.map(({ type }) => type).filter((type) => !unasked.includes(type))).toEqual([]);
    socket.close();
  });
});
