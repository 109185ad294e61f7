import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { JournalPageDto } from '../../backend/src/modules/journal/index.js';
import { createToken } from '../support/app/access-tokens.js';
import { createCluster, jobEnded } from '../support/app/clusters.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { ShellSocket } from '../support/app/shell-socket.js';
import { startApp, startLogBoard, type TestApp } from '../support/app/start-app.js';
import { signIn } from '../support/app/signed-in.js';
import { waitFor } from '../support/wait-for.js';

interface Pods {
  rows: { name: string; namespace: string }[];
}

describe('/api/v1/clusters/{name}/shells', () => {
  let folder: string;
  let app: TestApp;
  let board: TestApp;
  let pod: string;
  const sockets: ShellSocket[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-shells-'));
    board = await startLogBoard({ dataDirectory: folder });
    app = await startApp({ environment: { APP_PASS: LOG_BOARD_PASSWORD }, dataDirectory: folder });
    await createCluster(app.client, 'shop');
    const { rows } = await app.client.get<Pods>(
      '/api/v1/clusters/shop/resources/core/v1/pods?namespace=shop',
    );
    pod = rows[0]?.name ?? '';
  });

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });

  afterAll(async () => {
    await app.stop();
    await board.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const inPod = (): Record<string, string> => ({ target: 'container', namespace: 'shop', pod });

  async function open(
    query: Record<string, string> = inPod(),
    options: Parameters<typeof ShellSocket.open>[1] = {},
    cluster = 'shop',
  ): Promise<ShellSocket> {
    const parameters = new URLSearchParams(query).toString();
    const url = `ws://localhost:${app.port}/api/v1/clusters/${cluster}/shells?${parameters}`;
    const socket = await ShellSocket.open(url, options);
    sockets.push(socket);
    return socket;
  }

  const journal = async (): Promise<(string | number | null)[][]> => {
    const { entries } = await app.client.get<JournalPageDto>('/api/v1/journal/recent?kind=shell');
    return entries.map(({ kind, subject, message, actor }) => [kind, subject, message, actor?.kind ?? null]);
  };

  it('runs a shell in a container, and records it', async () => {
    const shell = await open({ ...inPod(), columns: '100', rows: '30' });
    const { container } = await shell.next('ready');
    shell.type('echo héllo\r');
    await shell.untilText(/\nhéllo\n\/ # $/);
    // The process id is not shown.
    expect(shell.text).toMatch(/^\/ # echo/);
    shell.type('stty size\r');
    await shell.untilText(/\n30 100\n/);
    shell.send({ type: 'resize', columns: 71, rows: 17 });
    shell.type('stty size\r');
    await shell.untilText(/\n17 71\n/);
    shell.type('exit 3\r');
    expect(await shell.next('exit')).toEqual({
      type: 'exit',
      exit_code: 3,
      message: 'The shell ended with exit code 3.',
    });
    expect((await shell.untilClosed()).code).toBe(1000);
    const where = `container ${container} of Pod shop/${pod}`;
    await waitFor(async () => (await journal()).length === 2, 'the end in the journal');
    expect(await journal()).toEqual([
      ['shell-close', pod, `Ended the shell in ${where}.`, 'local'],
      ['shell-open', pod, `Opened a shell in ${where}.`, 'local'],
    ]);
  });

  it('runs a shell in a node', async () => {
    const shell = await open({ target: 'node', node: 'shop-control-plane' });
    expect(await shell.next('ready')).toEqual({ type: 'ready', container: null });
    shell.type('hostname\r');
    await shell.untilText(/\nshop-control-plane\n/);
  });

  it('rejects pages of other sites, and access tokens with the scope read', async () => {
    await expect(open(inPod(), { origin: 'http://evil.example' })).rejects.toThrow('403');
    await expect(open(inPod(), { headers: { 'sec-fetch-site': 'cross-site' } })).rejects.toThrow('403');
    const [reader, writer] = [await createToken(app), await createToken(app, { scope: 'full' })];
    await expect(open({ ...inPod(), token: 'x'.repeat(32) })).rejects.toThrow('401');
    await expect(open({ ...inPod(), token: reader.token })).rejects.toThrow('403');
    await expect(open(inPod(), { headers: reader.bearer })).rejects.toThrow('403');
    const shell = await open(inPod(), { headers: writer.bearer });
    await shell.next('ready');
  });

  it('closes within a second of the end of its session', async () => {
    const session = await signIn(board);
    const shell = await open(inPod(), { headers: session.bearer });
    await shell.next('ready');
    const revokedAt = performance.now();
    await board.client.send('DELETE', `/api/auth/sessions/${session.id}`, { headers: session.bearer });
    expect((await shell.untilClosed()).code).toBe(4401);
    expect(performance.now() - revokedAt).toBeLessThan(1000);
    await waitFor(async () => (await journal())[0]?.[0] === 'shell-close', 'the end in the journal');
    expect((await journal())[0]?.[3]).toBe('session');
  });

  // Case S06: one tab signs out of the session that both tabs use.
  it('closes in two tabs within a second of a sign-out', async () => {
    const { bearer } = await signIn(board);
    const shells = [await open(inPod(), { headers: bearer }), await open(inPod(), { headers: bearer })];
    for (const shell of shells) await shell.next('ready');
    const endedAt = performance.now();
    const { status } = await board.client.send('POST', '/api/auth/logout', { headers: bearer });
    expect(status).toBe(200);
    const codes = await Promise.all(shells.map(async (shell) => (await shell.untilClosed()).code));
    expect(codes).toEqual([4401, 4401]);
    expect(performance.now() - endedAt).toBeLessThan(1000);
    // The session started both; the shells end with it.
    const ends = async (): Promise<number> =>
      (await journal()).slice(0, 2).filter(([kind]) => kind === 'shell-close').length;
    await waitFor(async () => (await ends()) === 2, 'both ends in the journal');
  });

  it.each<[string, Record<string, string>, string, RegExp]>([
    ['no target', {}, 'invalid_input', /target must be one of container, node, debug/],
    [
      'a field that does not exist',
      { target: 'node', node: 'n', shell: 'zsh' },
      'invalid_input',
      /shell is not a field/,
    ],
    ['no Pod', { target: 'container', namespace: 'shop' }, 'invalid_input', /pod is required/],
    [
      'a path as a Pod',
      { target: 'container', namespace: 'shop', pod: '../x' },
      'invalid_input',
      /pod must be/,
    ],
    [
      'an unknown Pod',
      { target: 'container', namespace: 'shop', pod: 'none' },
      'resource_not_found',
      /none does not exist/,
    ],
    [
      'a node of another cluster',
      { target: 'node', node: 'other-worker' },
      'resource_not_found',
      /not a node of cluster shop/,
    ],
    [
      'an image that is a flag',
      { ...{ target: 'debug', namespace: 'shop', pod: 'x' }, image: '-x' },
      'invalid_input',
      /image must be/,
    ],
    ['a size out of range', { target: 'node', node: 'n', columns: '0' }, 'invalid_input', /columns must be/],
  ])('reports %s', async (_, query, code, message) => {
    const shell = await open(query);
    const error = await shell.next('error');
    expect(error).toMatchObject({ code, no_shell: false });
    expect(error.message).toMatch(message);
    expect((await shell.untilClosed()).code).toBe(1000);
  });

  it('reports a cluster that does not exist', async () => {
    for (const name of ['none', '..%2f']) {
      expect((await (await open(inPod(), {}, name)).next('error')).code).toBe('cluster_not_found');
    }
  });

  it.each<[string, (shell: ShellSocket) => void, number]>([
    ['a frame that is too large', (shell) => shell.type(Buffer.alloc(65_537)), 1009],
    ['an acknowledgment of more than it received', (shell) => shell.send({ type: 'ack', bytes: 1e9 }), 1008],
    ['a size that is no number', (shell) => shell.send({ type: 'resize', columns: '1', rows: 1 }), 1008],
    [
      'too many messages',
      (shell) => {
        for (let count = 0; count < 302; count += 1) shell.send({ type: 'resize', columns: 80, rows: 24 });
      },
      1008,
    ],
  ])('closes after %s', async (_, send, code) => {
    const shell = await open();
    await shell.next('ready');
    send(shell);
    expect((await shell.untilClosed()).code).toBe(code);
  });

  it('waits for acknowledgments of its output', async () => {
    const shell = await open(inPod(), { acknowledges: false });
    await shell.next('ready');
    const line = `echo ${'x'.repeat(4000)}\r`;
    for (let count = 0; count < 250; count += 1) shell.type(line);
    await waitFor(() => shell.output.length > 500_000, 'the first output');
    const before = shell.output.length;
    // A prompt that is sent is there before the response to another request.
    await app.client.get('/api/v1/clusters');
    expect(shell.output.length).toBe(before);
    expect(before).toBeLessThan(600_000);
    shell.send({ type: 'ack', bytes: before });
    await waitFor(() => shell.output.length > before, 'more output');
    // The input was acknowledged for a client that waits for it.
    expect(shell.messages.filter(({ type }) => type === 'ack').length).toBeGreaterThan(10);
  });

  it('closes when the cluster is stopped', async () => {
    const shell = await open({ target: 'node', node: 'shop-control-plane' });
    await shell.next('ready');
    const { body } = await app.client.send('POST', '/api/v1/clusters/shop/stop');
    const error = await shell.next('error');
    expect(error.message).toMatch(/^The shell was closed because job \d+ \(stop\) started\.$/);
    await shell.untilClosed();
    await jobEnded(app.client, (body as { job_id: number }).job_id);
    const refused = await open();
    expect((await refused.next('error')).code).toBe('cluster_state');
  });
});
