import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { LinePageDto } from '../../backend/src/modules/logs/lines/line-page.dto.js';
import type { SearchResultDto } from '../../backend/src/modules/logs/search/search.dto.js';
import type { ServerMessage } from '../../backend/src/modules/logs/socket-messages.js';
import type { LogSourceDto } from '../../backend/src/modules/logs/sources/log-source.dto.js';
import { EventSocket } from '../support/app/event-socket.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { ServerProcess } from '../support/server/server-process.js';
import { waitFor } from '../support/wait-for.js';
import { deleteWithKind, engines, makeWithKind, run } from './support/engines.js';

jest.setTimeout(300_000);

const IMAGE = process.env['APP_TEST_NODE_IMAGE'] ?? 'kindest/node:v1.37.0';
/** Files so small that they are rotated while a test looks. */
const ROTATION = {
  docker: ['--log-opt=max-size=64k', '--log-opt=max-file=3'],
  podman: ['--log-opt=max-size=64k'],
};
/** Some containers write as they are started; a busy machine takes its time. */
const PATIENCE_MS = 60_000;

/** The log board alone, on a data folder that stays when it ends. */
class Board {
  private server: ServerProcess | undefined;
  private headers = {};
  private token = '';

  constructor(private readonly folder: string) {}

  async start(): Promise<void> {
    this.server = await ServerProcess.start(
      { ...process.env, APP_RUNTIME: 'auto', APP_DATA_DIR: this.folder, APP_PASS: LOG_BOARD_PASSWORD },
      ['log-board'],
    );
    const body = { username: 'admin', password: LOG_BOARD_PASSWORD };
    const answer = await this.running.board.send('POST', '/api/auth/login', { body });
    this.token = (answer.body as { access_token: string }).access_token;
    this.headers = { authorization: `Bearer ${this.token}`, accept: 'application/json' };
  }

  async get<T>(path: string): Promise<T> {
    const answer = await this.running.board.send('GET', path, { headers: this.headers });
    if (answer.status !== 200) throw new Error(`GET ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body as T;
  }

  async source(fits: (source: LogSourceDto) => boolean): Promise<LogSourceDto> {
    let found: LogSourceDto | undefined;
    let all: LogSourceDto[] = [];
    const isThere = async (): Promise<boolean> => {
      all = await this.get<LogSourceDto[]>('/api/sources');
      found = all.find(fits);
      return found !== undefined;
    };
    await waitFor(
      isThere,
      () =>
        `a source among ${all.map(({ key, name, state, next_seq }) => `${key} ${name} ${state} ${next_seq}`).join('\n')}`,
      PATIENCE_MS,
    );
    if (!found) throw new Error('there is none');
    return found;
  }

  /** Every line that is kept of a source. */
  async texts(id: number): Promise<string[]> {
    const texts: string[] = [];
    for (let after = 0; ;) {
      const { lines } = await this.get<LinePageDto>(`/api/sources/${id}/lines?after=${after}&limit=5000`);
      texts.push(...lines.map(({ text }) => text));
      const last = lines.at(-1);
      if (!last) return texts;
      after = last.seq;
    }
  }

  async connect(): Promise<EventSocket<ServerMessage>> {
    return await EventSocket.open<ServerMessage>(this.running.board.port, {}, `/ws?token=${this.token}`);
  }

  async stop(): Promise<void> {
    await this.server?.stop();
  }

  async kill(): Promise<void> {
    await this.running.kill();
  }

  private get running(): ServerProcess {
    if (!this.server) throw new Error('the log board was not started');
    return this.server;
  }
}

/** What a writer of this many numbered lines wrote. */
const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}`);

/**
 * It crashes soon the first time, and late later on: as long as it waits to be started again, the cluster gives the
 * instance that ended last for the one before as well.
 */
const CRASHER = `
echo "level=error msg=\\"going down at $(date +%s)\\""
if mkdir /marks/once 2>/dev/null; then sleep 2; else sleep 20; fi
exit 3`;

describe.each(engines)('logs on %s', (engine) => {
  let folder: string;
  let board: Board;
  const made: string[] = [];

  /** Starts a container that runs a script of the shell. @returns its name. */
  async function start(name: string, script: string, ...flags: string[]): Promise<string> {
    const full = `logs-${engine}-${name}`;
    await run(engine, ['rm', '--force', full]).catch(() => undefined);
    made.push(full);
    await run(engine, [
      'run',
      '--detach',
      `--name=${full}`,
      ...flags,
      '--entrypoint=sh',
      IMAGE,
      '-c',
      script,
    ]);
    return full;
  }

  const write = (count: number, pause: string): string =>
    `i=0; while [ $i -lt ${count} ]; do i=$((i+1)); echo "line $i"; sleep ${pause}; done; sleep 600`;
  const named = (name: string) => (source: LogSourceDto) => source.runtime === engine && source.name === name;
  const keeps = (name: string, count: number) => (source: LogSourceDto) =>
    named(name)(source) && source.next_seq > count;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-real-logs-'));
    board = new Board(folder);
    await board.start();
  });

  afterAll(async () => {
    await board.stop();
    for (const name of made) await run(engine, ['rm', '--force', name]).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  });

  it('are told live, in order and without a gap, and are there after the container is gone', async () => {
    const name = await start('live', write(200, '0.05'));
    const { id } = await board.source(named(name));
    const socket = await board.connect();
    try {
      socket.send({ type: 'subscribe', source: id, after: 0 });
      const told = (): string[] =>
        socket.of('lines').flatMap(({ lines }) => lines.map(([, , , , text]) => text));
      await waitFor(
        () => told().length >= 200,
        () => `all lines, after ${told().length},`,
        PATIENCE_MS,
      );
      expect(told()).toEqual(numbered(200));
      const seqs = socket.of('lines').flatMap(({ lines }) => lines.map(([seq]) => seq));
      expect(seqs).toEqual(numbered(200).map((_, index) => index + 1));
      expect(socket.of('skipped')).toEqual([]);
    } finally {
      socket.close();
    }
    await run(engine, ['rm', '--force', name]);
    await board.source((source) => source.id === id && source.state === 'gone');
    expect(await board.texts(id)).toEqual(numbered(200));
    const { matches } = await board.get<SearchResultDto>(`/api/search?q=line%20137&sources=${id}`);
    expect(matches.map(({ text }) => text)).toEqual(['line 137']);
  });

  it('have no gap and nothing twice where the log board is stopped, and killed, meanwhile', async () => {
    const name = await start('restart', write(300, '0.05'));
    const { id } = await board.source(keeps(name, 20));
    await board.stop();
    await board.start();
    await board.source(keeps(name, 100));
    await board.kill();
    await board.start();
    const { id: again } = await board.source(keeps(name, 300));
    expect(again).toBe(id);
    expect(await board.texts(id)).toEqual(numbered(300));
  });

  it('go on in order, and nothing twice, where their files are rotated', async () => {
    const script =
      'i=0; while [ $i -lt 4000 ]; do i=$((i+1)); echo "line $i"; [ $((i % 40)) = 0 ] && sleep 0.05; done; sleep 600';
    const name = await start('rotated', script, ...ROTATION[engine]);
    const { id } = await board.source(named(name));
    const newest = async (): Promise<string | undefined> =>
      (await board.get<LinePageDto>(`/api/sources/${id}/lines?limit=1`)).lines[0]?.text;
    await waitFor(async () => (await newest()) === 'line 4000', 'the last line', PATIENCE_MS);
    const texts = await board.texts(id);
    const numbers = texts.map((text) => Number(text.replace('line ', '')));
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
    // Podman empties the file, and looks into it four times a second: its own program loses what was written between.
    if (engine === 'docker') expect(texts).toEqual(numbered(4000));
  });

  it('are those of a terminal, of both streams, of a line without an end, and of one of 100,000 bytes', async () => {
    const terminal = await start('terminal', 'printf "\\033[31mred\\033[0m\\n"; sleep 600', '--tty');
    const red = await board.source(keeps(terminal, 1));
    expect(await board.texts(red.id)).toEqual(['\u001b[31mred\u001b[0m']);
    const script = 'echo out; echo err >&2; head -c 100000 /dev/zero | tr "\\0" x; echo; printf "no end"';
    const name = await start('streams', script);
    const { id } = await board.source((source) => keeps(name, 4)(source) && source.state === 'ended');
    const { lines } = await board.get<LinePageDto>(`/api/sources/${id}/lines?after=0`);
    const short = lines.map(({ stream, text, cut }) => [stream, text.length > 99 ? text.length + cut : text]);
    expect(short.sort()).toEqual([
      ['stderr', 'err'],
      ['stdout', 100_000],
      ['stdout', 'no end'],
      ['stdout', 'out'],
    ]);
  });

  it('tell of a container within a second of its engine', async () => {
    const socket = await board.connect();
    try {
      socket.send({ type: 'watch_sources' });
      await socket.next('sources', ({ whole }) => whole);
      const began = performance.now();
      const name = await start('quick', 'sleep 600');
      const started = performance.now();
      await socket.next('sources', ({ whole, sources }) => !whole && sources.some(named(name)), PATIENCE_MS);
      // Its own program returns when it runs; what the engine told before counts as at once.
      expect(performance.now() - Math.max(began, started)).toBeLessThan(1000);
    } finally {
      socket.close();
    }
  });

  describe('of a cluster', () => {
    const cluster = `logs-${engine}`;
    const inCluster = (source: LogSourceDto): boolean =>
      source.runtime === engine && source.cluster === cluster;

    const kubectl = async (...args: string[]): Promise<string> =>
      await run('kubectl', [`--kubeconfig=${join(folder, 'kubeconfig')}`, ...args]);

    beforeAll(async () => {
      await deleteWithKind(engine, cluster);
      await makeWithKind(engine, cluster, join(folder, 'kubeconfig'));
    });

    afterAll(async () => {
      await deleteWithKind(engine, cluster);
    });

    it('are those of its nodes’ services', async () => {
      for (const service of ['kubelet', 'containerd']) {
        const source = await board.source(
          (one) => inCluster(one) && one.service === service && one.next_seq > 1,
        );
        expect(source).toMatchObject({ kind: 'node', name: `${cluster}-control-plane`, state: 'live' });
      }
    });

    it('are not taken in again after a restart of the log board', async () => {
      const ofService = (one: LogSourceDto): boolean => inCluster(one) && one.service === 'containerd';
      const { id } = await board.source((one) => ofService(one) && one.next_seq > 1);
      await board.stop();
      await board.start();
      await board.source((one) => one.id === id && one.state === 'live');
      const [first = '', ...others] = await board.texts(id);
      expect(others).not.toContain(first);
    });

    it('are those of a crashed pod’s instances, and of its init container', async () => {
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'crasher' },
        spec: {
          initContainers: [
            {
              name: 'first',
              image: 'busybox:1.36',
              imagePullPolicy: 'Never',
              command: ['echo', 'made ready'],
            },
          ],
          containers: [
            {
              name: 'main',
              image: 'busybox:1.36',
              imagePullPolicy: 'Never',
              command: ['sh', '-c', CRASHER],
              volumeMounts: [{ name: 'marks', mountPath: '/marks' }],
            },
          ],
          volumes: [{ name: 'marks', emptyDir: {} }],
        },
      };
      await writeFile(join(folder, 'pod.json'), JSON.stringify(pod));
      await waitFor(
        async () => (await kubectl('get', 'serviceaccount', 'default').catch(() => '')) !== '',
        'the default service account',
        PATIENCE_MS,
      );
      // It crashes while nobody follows it.
      await board.stop();
      await kubectl('apply', `--filename=${join(folder, 'pod.json')}`);
      const count = '--output=jsonpath={.status.containerStatuses[0].restartCount}';
      await waitFor(
        async () => Number(await kubectl('get', 'pod', 'crasher', count).catch(() => '0')) > 0,
        'its first restart',
        PATIENCE_MS,
      );
      await board.start();
      const ofPod = (source: LogSourceDto): boolean => inCluster(source) && source.name === 'crasher';
      const init = await board.source((one) => ofPod(one) && one.role === 'init' && one.next_seq > 1);
      expect(await board.texts(init.id)).toEqual(['made ready']);
      const previous = await board.source((one) => ofPod(one) && one.previous !== null && one.next_seq > 1);
      const texts = await board.texts(previous.id);
      expect(texts).toHaveLength(1);
      expect(texts[0]).toMatch(/^level=error msg="going down at \d+"$/);
      const { matches } = await board.get<SearchResultDto>(
        `/api/search?q=going%20down&level=error&sources=${previous.id}`,
      );
      expect(matches).toHaveLength(1);
      // It crashes again while it is followed: whatever it wrote is found once.
      let found: string[] = [];
      const hasCrashed = async (): Promise<boolean> => {
        const ids = (await board.get<LogSourceDto[]>('/api/sources')).filter(ofPod).map(({ id }) => id);
        const address = `/api/search?q=going%20down&sources=${ids.join()}`;
        found = (await board.get<SearchResultDto>(address)).matches.map(({ text }) => text);
        return new Set(found).size >= 3;
      };
      await waitFor(hasCrashed, 'its next crash', 2 * PATIENCE_MS);
      expect(found).toEqual([...new Set(found)]);
      await kubectl('delete', 'pod', 'crasher', '--now');
      await board.source((one) => one.id === previous.id && one.state === 'gone');
      expect(await board.texts(previous.id)).toEqual(texts);
    });
  });
});
