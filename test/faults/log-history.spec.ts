import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LogHistory } from '../../backend/src/modules/logs/history/index.js';
import type { LinePageDto } from '../../backend/src/modules/logs/lines/line-page.dto.js';
import type { ServerMessage } from '../../backend/src/modules/logs/socket-messages.js';
import type { LogSourceDto } from '../../backend/src/modules/logs/sources/log-source.dto.js';
import { EventSocket } from '../support/app/event-socket.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { signIn, type SignedIn } from '../support/app/signed-in.js';
import { NO_LIMITS } from '../support/logs/history.js';
import { ServerProcess, temporaryFolder } from '../support/server/server-process.js';
import { waitFor } from '../support/wait-for.js';

const WRITER = fileURLToPath(new URL('../support/logs/write-lines.mjs', import.meta.url));
/** How long each writes before it is killed: never at the same place of what is done every tenth of a second. */
const LIVES_MS = [370, 640, 815, 1290];

interface Told {
  source: number;
  seq: number;
  text: string;
  at: number;
}

/** What one process said while it lived. */
interface Life {
  run: number;
  /** Of both sources, when it began. */
  next: number[];
  told: Told[];
  killedAt: number;
}

/** Has a process write, and ends it as a power switch does. */
async function writeUntilKilled(folder: string, milliseconds: number): Promise<Life> {
  const writer = spawn(process.execPath, [WRITER, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(writer, 'close');
  const life: Life = { run: 0, next: [], told: [], killedAt: 0 };
  createInterface({ input: writer.stdout }).on('line', (text) => {
    // The last one may be cut.
    if (!text.endsWith('}')) return;
    const said = JSON.parse(text) as
      Pick<Life, 'run' | 'next'> | { source: number; first: number; texts: string[]; at: number };
    if ('run' in said) Object.assign(life, said);
    else {
      const { source, first, texts, at } = said;
      life.told.push(...texts.map((line, index) => ({ source, seq: first + index, text: line, at })));
    }
  });
  try {
    await waitFor(() => life.told.length > 0, 'the first lines', 20_000);
    await delay(milliseconds);
  } finally {
    life.killedAt = Date.now();
    writer.kill('SIGKILL');
    await ended;
  }
  return life;
}

describe('SIGKILL while lines are written', () => {
  let folder: { path: string; remove: () => Promise<void> };
  let server: ServerProcess | undefined;

  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(async () => {
    await server?.kill();
    server = undefined;
    await folder.remove();
  });

  it('loses a second at most, leaves no gap, and knows which numbers were given to other lines', async () => {
    const lives: Life[] = [];
    for (const milliseconds of LIVES_MS) lives.push(await writeUntilKilled(folder.path, milliseconds));
    const history = await LogHistory.open(folder.path, NO_LIMITS);
    try {
      expect(history.notice).toBeNull();
      let lost = 0;
      for (const [index, { id }] of history.sources().entries()) {
        const { nextSeq = 1 } = history.extent(id) ?? {};
        const lines = await history.page(id, 1, nextSeq);
        expect(lines.map(({ seq }) => seq)).toEqual(Array.from({ length: nextSeq - 1 }, (_, at) => at + 1));
        for (const [round, { run, told, killedAt }] of lives.entries()) {
          const own = told.filter(({ source }) => source === id);
          const changed = history.changedFrom(id, run);
          expect(changed).toBe(lives[round + 1]?.next[index] ?? nextSeq);
          for (const { seq, text } of own) {
            expect([seq, lines[seq - 1]?.text === text]).toEqual([seq, seq < changed]);
          }
          const missing = own.filter(({ seq }) => seq >= changed);
          for (const { at } of missing) expect(killedAt - at).toBeLessThan(1000);
          lost += missing.length;
        }
      }
      // Otherwise nothing of this was shown.
      expect(lost).toBeGreaterThan(0);
    } finally {
      await history.close();
    }
  });

  it('of the log board: a client goes on where its lines are still the same', async () => {
    const start = async (): Promise<{ socket: EventSocket<ServerMessage>; session: SignedIn }> => {
      server = await ServerProcess.start(
        {
          HOME: folder.path,
          APP_DATA_DIR: folder.path,
          APP_RUNTIME: 'demo',
          APP_DEMO_SPEED: '1000',
          APP_PASS: LOG_BOARD_PASSWORD,
        },
        ['log-board'],
      );
      const session = await signIn({ client: server.board });
      const path = `/ws?token=${session.token}`;
      return { socket: await EventSocket.open<ServerMessage>(server.board.port, {}, path), session };
    };
    const following = async (
      { socket, session }: Awaited<ReturnType<typeof start>>,
      least: number,
    ): Promise<LogSourceDto> => {
      let found: LogSourceDto | undefined;
      await waitFor(
        async () => {
          const answer = await server?.board.send('GET', '/api/sources', { headers: session.bearer });
          const sources = (answer?.body ?? []) as LogSourceDto[];
          found = sources.find(({ name, next_seq }) => name === 'stripe-mock' && next_seq > least);
          return found !== undefined;
        },
        'lines of a source',
        20_000,
      );
      if (!found) throw new Error('there is no source');
      socket.send({ type: 'subscribe', source: found.id, after: 0 });
      return found;
    };
    const textsOf = (socket: EventSocket<ServerMessage>): Map<number, string> =>
      new Map(socket.of('lines').flatMap(({ lines }) => lines.map((line) => [line[0], line[4]])));

    const first = await start();
    const { id, next_seq } = await following(first, 1);
    const { run } = await first.socket.next('subscribed');
    await waitFor(() => textsOf(first.socket).size > next_seq, 'what is written now', 10_000);
    await server?.kill();
    await first.socket.untilClosed();
    const had = textsOf(first.socket);
    const last = Math.max(...had.keys());

    const second = await start();
    await following(second, last + 5);
    const again = await second.socket.next('subscribed');
    expect(again.run).toBeGreaterThan(run);
    // As of one that was told five more, which were lost: by now these numbers are other lines.
    second.socket.send({ type: 'subscribe', source: id, after: last + 5, run });
    await waitFor(() => second.socket.of('subscribed').length === 2, 'the place to go on from');
    const from = second.socket.of('subscribed')[1]?.from ?? 0;
    expect(from).toBeLessThanOrEqual(last + 1);
    expect(from).toBeGreaterThan(1);
    await waitFor(() => textsOf(second.socket).has(last + 6), 'the rest', 10_000);
    const { body } = (await server?.board.send(
      'GET',
      `/api/sources/${id}/lines?after=${from - 100}&limit=200`,
      {
        headers: second.session.bearer,
      },
    )) as { body: LinePageDto };
    const stored = new Map(body.lines.map(({ seq, text }) => [seq, text]));
    const kept = [...had].filter(([seq]) => seq < from && stored.has(seq));
    expect(kept).toHaveLength(99);
    const told = [...textsOf(second.socket)].filter(([seq]) => seq >= from && stored.has(seq));
    expect(told.length).toBeGreaterThan(5);
    for (const [seq, text] of [...kept, ...told]) expect([seq, text]).toEqual([seq, stored.get(seq)]);
    second.socket.close();
  });
});
