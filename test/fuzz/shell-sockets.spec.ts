import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCluster } from '../support/app/clusters.js';
import { ShellSocket } from '../support/app/shell-socket.js';
import { Random } from '../support/logs/log-store.js';
import { ServerProcess, temporaryFolder } from '../support/server/server-process.js';
import { waitFor } from '../support/wait-for.js';
import { frameOf, RawSocket } from './raw-socket.js';
import { ATTACKS, hostileMessage } from './socket-messages.js';

const SEED = Math.floor(Math.random() * 1e6);
const CLIENTS = 20;
const MESSAGES = 60;
/** Shells that a cluster may have at a time. */
const SHELLS = 32;
const TYPES = ['progress', 'ready', 'ack', 'exit', 'error'];
const POLICY_VIOLATION = 1008;

describe(`shells of hostile clients (seed ${SEED})`, () => {
  const random = new Random(SEED);
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: ServerProcess;
  let path: string;
  /** A client that does nothing wrong. */
  let polite: ShellSocket;

  const openPolite = (): Promise<ShellSocket> =>
    ShellSocket.open(`ws://localhost:${server.client.port}${path}`);

  beforeAll(async () => {
    folder = await temporaryFolder();
    server = await ServerProcess.start({
      PATH: '/usr/bin:/bin',
      HOME: folder.path,
      APP_DATA_DIR: folder.path,
      APP_RUNTIME: 'demo',
      APP_DEMO_SPEED: '1000',
      APP_LOG_LEVEL: 'info',
    });
    await createCluster(server.client, 'shop');
    path = '/api/v1/clusters/shop/shells?target=node&node=shop-control-plane';
    polite = await openPolite();
    await polite.next('ready');
  });

  afterAll(async () => {
    polite.close();
    await server.stop();
    await folder.remove();
  });

  /** A client whose shell has started. */
  async function open(): Promise<RawSocket> {
    const socket = await RawSocket.open(server.client.port, path);
    await waitFor(() => socket.types.includes('ready'), 'the shell');
    return socket;
  }

  /** Expects that the polite client is served, and that no shell of the others is left. */
  async function expectPoliteServed(): Promise<void> {
    const word = random.text(12);
    polite.type(`echo ${word}\r`);
    await polite.untilText(new RegExp(`\n${word}\n`));
    const free = async (): Promise<boolean> => {
      const shells = await Promise.all(Array.from({ length: SHELLS - 1 }, openPolite));
      await waitFor(() => shells.every(({ messages }) => messages.length > 0), 'the first messages');
      for (const shell of shells) shell.close();
      return shells.every(({ messages }) => messages[0]?.type === 'ready');
    };
    await waitFor(free, 'the end of all other shells');
  }

  it('closes each invalid frame with the code of RFC 6455', async () => {
    const attack = async ({ what, bytes, code }: (typeof ATTACKS)[number]): Promise<void> => {
      const socket = await open();
      socket.send(bytes(random));
      if (code === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        expect([what, socket.code]).toEqual([what, undefined]);
      } else {
        const closed = await socket.untilClosed();
        // The code of the client is returned.
        const echoed = code === 1000 && [1001, 4000].includes(closed) ? 1000 : closed;
        expect([what, echoed]).toEqual([what, code]);
      }
      socket.drop(code === undefined ? random.of(['end', 'reset', 'half']) : 'end');
      expect([what, ...socket.types.filter((type) => !TYPES.includes(type))]).toEqual([what]);
    };
    await Promise.all(ATTACKS.map(attack));
    await expectPoliteServed();
  });

  it('ignores or rejects invalid messages among any input', async () => {
    const flood = async (): Promise<void> => {
      const socket = await open();
      for (let index = 0; index < MESSAGES; index += 1) {
        const input = Buffer.from(random.text(random.between(0, 2000)), random.of(['base64url', 'utf8']));
        const isInput = random.next() < 0.5;
        socket.send(isInput ? frameOf(input, { opcode: 2 }) : frameOf(hostileMessage(random)));
        if (random.next() < 0.1) await new Promise(setImmediate);
      }
      // Ctrl+C discards a line.
      socket.send(frameOf('\u0003exit\r', { opcode: 2 }));
      const code = await socket.untilClosed();
      if (code !== POLICY_VIOLATION) expect([code, socket.types.at(-1)]).toEqual([1000, 'exit']);
      expect(socket.types.filter((type) => !TYPES.includes(type))).toEqual([]);
    };
    await Promise.all(Array.from({ length: CLIENTS }, flood));
    await expectPoliteServed();
  });
});
