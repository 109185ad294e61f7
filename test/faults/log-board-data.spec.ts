import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { LinePageDto } from '../../backend/src/modules/log-search/line-page.dto.js';
import type { ServerMessage } from '../../backend/src/modules/log-live/socket-messages.js';
import type { LogSourceDto } from '../../backend/src/modules/log-sources/log-source.dto.js';
import { EventSocket } from '../support/app/event-socket.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { signIn, type SignedIn } from '../support/app/signed-in.js';
import { frame } from '../support/engine/scripted-logs.js';
import { ScriptedMachine } from '../support/scripted-machine.js';
import { bytesIn } from '../support/folder-bytes.js';
import { ServerProcess, temporaryFolder } from '../support/server/server-process.js';
import { waitFor } from '../support/wait-for.js';

describe('SIGKILL of the log board', () => {
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

  it('lets a client continue after its last unchanged line', async () => {
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
      await waitFor(async () => {
        const answer = await server?.board.send('GET', '/api/sources', { headers: session.bearer });
        const sources = (answer?.body ?? []) as LogSourceDto[];
        found = sources.find(({ name, next_seq }) => name === 'stripe-mock' && next_seq > least);
        return found !== undefined;
      }, 'lines of a source');
      if (!found) throw new Error('there is no source');
      socket.send({ type: 'subscribe', source: found.id, after: 0 });
      return found;
    };
    const textsOf = (socket: EventSocket<ServerMessage>): Map<number, string> =>
      new Map(socket.of('lines').flatMap(({ lines }) => lines.map((line) => [line[0], line[4]])));

    const first = await start();
    const { id, next_seq } = await following(first, 1);
    const { run } = await first.socket.next('subscribed');
    await waitFor(() => textsOf(first.socket).size > next_seq, 'the new lines');
    await server?.kill();
    await first.socket.untilClosed();
    const had = textsOf(first.socket);
    const last = Math.max(...had.keys());

    const second = await start();
    await following(second, last + 5);
    const again = await second.socket.next('subscribed');
    expect(again.run).toBeGreaterThan(run);
    // As if the client had received five more lines, which were lost. Their numbers are reused.
    second.socket.send({ type: 'subscribe', source: id, after: last + 5, run });
    await waitFor(() => second.socket.of('subscribed').length === 2, 'the place to go on from');
    const from = second.socket.of('subscribed')[1]?.from ?? 0;
    expect(from).toBeLessThanOrEqual(last + 1);
    expect(from).toBeGreaterThan(1);
    await waitFor(() => textsOf(second.socket).has(last + 6), 'the rest');
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
    const received = [...textsOf(second.socket)].filter(([seq]) => seq >= from && stored.has(seq));
    expect(received.length).toBeGreaterThan(5);
    for (const [seq, text] of [...kept, ...received]) expect([seq, text]).toEqual([seq, stored.get(seq)]);
    second.socket.close();
  });
});

/** Lines that compress badly, in Docker's format. A reader that reconnects gets them again. */
function numbered(name: string, count: number): Iterable<Buffer> {
  // In the past: a reader takes lines of the future for those of a clock that was set back.
  const from = Date.now() - count;
  return { [Symbol.iterator]: () => numberedFrom(from, name, count) };
}

function* numberedFrom(from: number, name: string, count: number): Generator<Buffer> {
  for (let first = 0; first < count; first += 100) {
    const frames = Array.from({ length: 100 }, (_, index) => {
      const number = first + index;
      const text = `${name} ${number} ${createHash('sha512').update(`${number}`).digest('base64')}`;
      return frame('stdout', Buffer.from(`${new Date(from + number).toISOString()} ${text}\n`));
    });
    yield Buffer.concat(frames);
  }
}

describe('the disk of the log board', () => {
  let machine: ScriptedMachine;
  let data: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: ServerProcess | undefined;
  let session: SignedIn;

  beforeEach(async () => {
    machine = await ScriptedMachine.start({ withoutKind: true });
    data = await temporaryFolder();
  });

  afterEach(async () => {
    await server?.kill();
    server = undefined;
    await machine.close();
    await data.remove();
  });

  const start = async (environment: Record<string, string> = {}): Promise<ServerProcess> => {
    server = await ServerProcess.start(
      { ...machine.environment, APP_DATA_DIR: data.path, APP_PASS: LOG_BOARD_PASSWORD, ...environment },
      ['log-board'],
    );
    session = await signIn({ client: server.board });
    return server;
  };
  const get = async (path: string): Promise<unknown> =>
    (await server?.board.send('GET', path, { headers: session.bearer }))?.body;
  const sources = async (): Promise<LogSourceDto[]> => (await get('/api/sources')) as LogSourceDto[];
  const textsOf = async (name: string): Promise<string[]> => {
    const source = (await sources()).find((one) => one.name === name);
    const page = source && ((await get(`/api/sources/${source.id}/lines`)) as LinePageDto);
    return (page?.lines ?? []).map(({ text }) => text);
  };

  it('takes no more space than the limits per source and in total, counting every file', async () => {
    const COUNT = 60_000;
    const names = ['one', 'two', 'three', 'four'];
    for (const name of names) machine.engine('docker').logs.add(name, { raw: numbered(name, COUNT) });
    await start({ APP_LOG_HISTORY_SIZE: '10MB', APP_LOG_SOURCE_SIZE: '3MB' });
    const folder = data.path;
    let most = 0;
    const measure = async (): Promise<number> => {
      const bytes = bytesIn(folder, (name) => name.startsWith('logs.db'));
      most = Math.max(most, bytes);
      return bytes;
    };
    await waitFor(
      async () => {
        await measure();
        const read = (await sources()).filter(({ next_seq }) => next_seq > COUNT);
        return read.length === names.length;
      },
      'all lines',
      120_000,
    );
    // Lines reach the disk soon after they are read.
    await waitFor(async () => (await measure()) > 7_000_000, 'what may stay');
    await waitFor(async () => (await measure()) <= 10_000_000, 'the limit in all');
    // During a checkpoint, the pages of the WAL count twice: a tenth of the smallest limit.
    expect(most).toBeLessThanOrEqual(12_500_000);
    // Half of a line is random, so that a line takes at least 60 bytes. The limit of a source is enforced each second.
    const oldest = COUNT - 3_000_000 / 60;
    const areWithin = async (): Promise<boolean> =>
      (await sources()).every(({ first_seq }) => first_seq > oldest);
    await waitFor(areWithin, 'the limit of each source');
    for (const name of names) {
      expect((await textsOf(name)).at(-1)).toMatch(new RegExp(`^${name} ${COUNT - 1} `));
    }
  });

  it('reports storage_unavailable while the store cannot be opened, and continues when it can', async () => {
    const { logs } = machine.engine('docker');
    logs.write(logs.add('shop', { running: true }).id, 'before\n');
    const inTheWay = join(data.path, 'logs.db');
    await mkdir(inTheWay, { recursive: true });
    await start();
    const refused = await server?.board.send('GET', '/api/sources', { headers: session.bearer });
    expect([refused?.status, refused?.body]).toEqual([
      503,
      expect.objectContaining({ code: 'storage_unavailable' }),
    ]);
    await rm(inTheWay, { recursive: true });
    await waitFor(async () => (await textsOf('shop').catch(() => [])).length === 1, 'its line');
  });

  it('deletes lines that are older than the limit, without new lines', async () => {
    const { logs } = machine.engine('docker');
    const aged = logs.add('aged', { running: true });
    const fresh = logs.add('fresh', { running: true });
    const ago = (hours: number): Date => new Date(Date.now() - hours * 60 * 60 * 1000);
    for (let number = 1; number <= 3; number += 1) {
      logs.write(aged.id, `aged ${number}\n`, 'stdout', ago(48));
      logs.write(fresh.id, `fresh ${number}\n`, 'stdout', ago(23));
    }
    await start();
    await waitFor(
      async () => (await textsOf('aged')).length === 3 && (await textsOf('fresh')).length === 3,
      'all lines, which two weeks allow',
    );
    await server?.stop();
    await start({ APP_LOG_HISTORY_DAYS: '1' });
    await waitFor(async () => (await textsOf('aged')).length === 0, 'the old lines to go');
    logs.write(aged.id, 'of today\n');
    await waitFor(async () => (await textsOf('aged')).length > 0, 'a line of today');
    expect(await textsOf('aged')).toEqual(['of today']);
    expect(await textsOf('fresh')).toEqual(['fresh 1', 'fresh 2', 'fresh 3']);
    // Numbers are not reused.
    const [source] = (await sources()).filter(({ name }) => name === 'aged');
    expect(source).toMatchObject({ first_seq: 4, next_seq: 5 });
  });

  it('keeps lines pending with a warning while it is full, and stores them when it has space', async () => {
    const { logs } = machine.engine('docker');
    const [shop, ending] = [logs.add('shop', { running: true }), logs.add('ending', { running: true })];
    logs.write(shop.id, 'before\n');
    const { pid } = await start();
    const limitFiles = (bytes: number | 'unlimited'): unknown =>
      execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:unlimited`]);
    await waitFor(async () => (await textsOf('shop')).length === 1, 'its first line');
    // Lines are flushed within a tenth of a second.
    await delay(300);
    limitFiles(1);
    logs.write(shop.id, 'meanwhile\n');
    // Containers are looked for when the log of one ends: one is new to the history too.
    logs.write(logs.add('other', { running: true }).id, 'of another\n');
    ending.running = false;
    logs.write(ending.id, 'the last\n');
    await waitFor(async () => (await textsOf('other')).length === 1, 'the line of a new source');
    await waitFor(() => server?.log.includes('the log store does not work') === true, 'the warning');
    expect(await textsOf('shop')).toEqual(['before', 'meanwhile']);
    limitFiles('unlimited');
    logs.write(shop.id, 'after\n');
    await waitFor(async () => (await textsOf('shop')).length === 3, 'its last line');
    // A failed write is retried after a second.
    await delay(2500);
    // After a kill, only the data on the disk remains.
    await server?.kill();
    await start({ APP_LOG_INTAKE: 'off' });
    const kept = new Map<string, string[]>();
    for (const { name } of await sources()) kept.set(name, await textsOf(name));
    expect(Object.fromEntries(kept)).toEqual({
      shop: ['before', 'meanwhile', 'after'],
      ending: ['the last'],
      other: ['of another'],
    });
  });
});
