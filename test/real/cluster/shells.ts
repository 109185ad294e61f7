import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, expect, it } from '@jest/globals';
import type { JournalPageDto } from '../../../backend/src/modules/journal/index.js';
import { inDays } from '../../support/app/access-tokens.js';
import { ShellSocket } from '../../support/app/shell-socket.js';
import { ownerBearer } from '../../support/server/owner-token.js';
import { waitFor } from '../../support/wait-for.js';
import { run } from '../support/engines.js';
import type { RealCluster } from '../support/real-cluster.js';

const NAMESPACE = 'default';
const POD = 'shell-host';
const IMAGE = 'busybox:1.36';
const READY_MS = 60_000;
const MB = 1024 * 1024;

/** Random text in UTF-8, with characters of one to four bytes. */
function randomText(bytes: number): Buffer {
  const characters = [...'aZ0 \n\t~äß€漢字🦀'];
  const random = randomBytes(bytes);
  let text = '';
  for (const value of random) text += characters[value % characters.length] ?? '';
  return Buffer.from(text).subarray(0, bytes);
}

export function testShells(cluster: RealCluster): void {
  const { engine, name, nodes } = cluster;
  const sockets: ShellSocket[] = [];

  beforeAll(async () => {
    await cluster.serviceAccount();
    const overrides = JSON.stringify({ spec: { terminationGracePeriodSeconds: 0 } });
    const options = [`--image=${IMAGE}`, '--image-pull-policy=IfNotPresent', `--overrides=${overrides}`];
    await cluster.kubectl('run', POD, ...options, '--command', '--', 'sleep', '3600');
    await cluster.kubectl('wait', '--for=condition=Ready', `pod/${POD}`, '--timeout=60s');
  });

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });

  async function open(
    query: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<ShellSocket> {
    const parameters = new URLSearchParams({ runtime: engine, ...query }).toString();
    const address = `${cluster.product.url.replace('http', 'ws')}/api/v1/clusters/${name}/shells?${parameters}`;
    const socket = await ShellSocket.open(address, { headers });
    sockets.push(socket);
    return socket;
  }

  const inPod = { target: 'container', namespace: NAMESPACE, pod: POD };
  const inNode = { target: 'node', node: nodes[0] };

  const ready = async (...parameters: Parameters<typeof open>): Promise<ShellSocket> => {
    const shell = await open(...parameters);
    await shell.next('ready');
    await shell.untilText(/[#$] $/);
    return shell;
  };

  /** How many programs with an argument run where a shell is. */
  const running = async (shell: ShellSocket, argument: string): Promise<number> => {
    const mark = randomBytes(4).toString('hex');
    // The brackets keep the search from finding itself.
    const pattern = `[${argument[0]}]${argument.slice(1)}`;
    shell.type(
      `echo ${mark}=$(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -c '^${pattern}$')\r`,
    );
    await shell.untilText(new RegExp(`\\n${mark}=\\d+\\n`));
    return Number(new RegExp(`\\n${mark}=(\\d+)`).exec(shell.text)?.[1]);
  };

  it.each([
    ['a container', inPod],
    ['a node', inNode],
  ])('passes 10 MB to %s and back unchanged, and sets the size', async (_, query) => {
    const shell = await ready({ ...query, columns: '101', rows: '31' });
    // An engine sets a size a moment after the program has started.
    const untilSize = (size: string): Promise<void> =>
      waitFor(async () => {
        shell.type('stty size\r');
        await shell.untilText(/\n\d+ \d+\n[^\n]*$/);
        return shell.text.includes(`\n${size}\n`);
      }, `the size ${size}`);
    await untilSize('31 101');
    shell.send({ type: 'resize', columns: 72, rows: 19 });
    await untilSize('19 72');
    const sent = randomText(10 * MB);
    // Not at once: conmon of Podman 4 does not read output while a terminal does not read its input.
    shell.type(`stty raw -echo; echo st""art; head -c ${sent.length} >/tmp/sent; cat /tmp/sent\r`);
    await shell.untilText(/start\n$/);
    const before = shell.output.length;
    await shell.typeAll(sent);
    await waitFor(() => shell.output.length >= before + sent.length, 'the output');
    expect(shell.output.subarray(before, before + sent.length).equals(sent)).toBe(true);
  });

  it.each([
    ['a container', inPod],
    ['a node', inNode],
  ])('ends the programs of a shell in %s within 2 s of the end of its access token', async (_, query) => {
    const tokens = `${cluster.product.url}/api/auth/tokens`;
    const created = await fetch(tokens, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...ownerBearer(cluster.product.dataDirectory) },
      body: JSON.stringify({
        name: `shell-${randomBytes(4).toString('hex')}`,
        scope: 'full',
        expires_at: inDays(1),
      }),
    });
    const { id, token } = (await created.json()) as { id: string; token: string };
    const shell = await ready(query, { authorization: `Bearer ${token}` });
    const observer = await ready(query);
    // A program in the background, one that ignores the end of its terminal, and one in the foreground.
    const seconds = String(100_000 + Math.floor(Math.random() * 100_000));
    shell.type(`sleep ${seconds} & (trap '' HUP TERM; exec sleep ${seconds}) & sleep ${seconds}\r`);
    await waitFor(async () => (await running(observer, seconds)) === 3, 'three programs');
    const revokedAt = performance.now();
    expect((await fetch(`${tokens}/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await shell.untilClosed()).code).toBe(4401);
    expect(performance.now() - revokedAt).toBeLessThan(1000);
    await waitFor(async () => (await running(observer, seconds)) === 0, 'the end of the programs');
    expect(performance.now() - revokedAt).toBeLessThan(2000);
  });

  it('offers a debug container for an image without a shell, which ends with its shell', async () => {
    const pod = await cluster.kubectl(
      ...['get', 'pods', '-n', 'kube-system', '-l', 'k8s-app=kube-dns'],
      '--output=jsonpath={.items[0].metadata.name}',
    );
    const inDns = { namespace: 'kube-system', pod };
    const none = await open({ ...inDns, target: 'container' });
    expect(await none.next('error')).toEqual({
      type: 'error',
      code: 'resource_refused',
      message: `Could not open a shell in container coredns of Pod kube-system/${pod}. Its image has no shell.`,
      no_shell: true,
    });
    const shell = await ready({ ...inDns, target: 'debug', image: IMAGE });
    const { container } = await shell.next('ready');
    // It shows the processes of the other container.
    shell.type("tr '\\0' ' ' </proc/1/cmdline; echo\r");
    await shell.untilText(/\n\S*coredns [^\n]*\n/);
    // And its files, although it runs as another user.
    shell.type('ls /proc/1/root/etc/coredns\r');
    await shell.untilText(/\nCorefile/);
    shell.close();
    const state = async (): Promise<string> =>
      await cluster.kubectl(
        ...['get', 'pod', '-n', 'kube-system', pod],
        `--output=jsonpath={.status.ephemeralContainerStatuses[?(@.name=="${container}")].state.terminated.reason}`,
      );
    await waitFor(async () => (await state()) !== '', 'the end of the debug container', READY_MS);
    // The other container still runs.
    expect(
      await cluster.kubectl(
        'get',
        'pod',
        '-n',
        'kube-system',
        pod,
        '--output=jsonpath={.status.containerStatuses[0].restartCount}',
      ),
    ).toBe('0');
  });

  it('records who opened shells, where and for how long', async () => {
    const { body } = await cluster.product.call<JournalPageDto>(
      'GET',
      `/journal/recent?kind=shell-close&cluster=${name}`,
    );
    const ended = body.entries.find(({ actor }) => actor?.kind === 'token');
    expect(ended?.message).toMatch(/^Closed the shell in (container|node) [^.]+\.$/);
    expect(ended?.duration_ms).toBeGreaterThan(0);
    await run(engine, ['version']);
    await cluster.kubectl('delete', 'pod', POD, '--wait=false');
  });
}
