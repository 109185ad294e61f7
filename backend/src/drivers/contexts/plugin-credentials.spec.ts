import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseExecPlugin } from './exec-plugin.js';
import { CredentialPlugin, type CredentialPluginOptions } from './plugin-credentials.js';

const V1 = 'client.authentication.k8s.io/v1';
const NOW = Date.parse('2026-03-01T12:00:00Z');
const PATH = '/usr/bin:/bin';

describe('CredentialPlugin', () => {
  let folder: string;
  let open: CredentialPlugin[];
  let now: number;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-plugin-'));
    open = [];
    now = NOW;
  });

  afterEach(() => {
    for (const plugin of open) plugin.close();
    rmSync(folder, { recursive: true });
  });

  const inFolder = (name: string): string => join(folder, name);

  /** A plugin that is a shell script, with `$DIR` as the folder of the test. */
  function pluginOf(
    script: string,
    exec: object = {},
    options: Partial<CredentialPluginOptions> = {},
  ): CredentialPlugin {
    const path = inFolder('login');
    writeFileSync(path, `#!/bin/sh\nDIR=${folder}\n${script}\n`, { mode: 0o755 });
    const plugin = new CredentialPlugin({
      plugin: parseExecPlugin({ apiVersion: V1, command: './login', interactiveMode: 'Never', ...exec }),
      path,
      cluster: { server: 'https://shop.example:6443' },
      environment: { PATH },
      now: () => now,
      ...options,
    });
    open.push(plugin);
    return plugin;
  }

  /** Prints a credential whose token counts the runs. */
  function printing(status = ''): string {
    return `echo run >> $DIR/runs
N=$(wc -l < $DIR/runs)
echo '{"kind":"ExecCredential","apiVersion":"${V1}","status":{"token":"token-'$((N))'"${status}}}'`;
  }

  const expiring = (seconds: number): string =>
    printing(`,"expirationTimestamp":"${new Date(NOW + seconds * 1000).toISOString()}"`);

  async function waitForPid(name: string): Promise<number> {
    const file = inFolder(name);
    for (let tries = 0; tries < 200; tries += 1) {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      if (text.endsWith('\n')) return Number(text);
      await delay(10);
    }
    throw new Error(`${name} was not written`);
  }

  /** Waits until a process no longer runs. The init of a container may leave a zombie of a descendant. */
  async function hasEnded(pid: number): Promise<boolean> {
    const stat = `/proc/${pid}/stat`;
    for (let tries = 0; tries < 200; tries += 1) {
      try {
        process.kill(pid, 0);
        if (existsSync(stat) && readFileSync(stat, 'utf8').includes(') Z ')) return true;
      } catch {
        return true;
      }
      await delay(10);
    }
    return false;
  }

  it('returns the token of one run to concurrent and later calls, until forget', async () => {
    const plugin = pluginOf(printing());
    const [first, second] = await Promise.all([plugin.credentials(), plugin.credentials()]);
    expect(first).toEqual({ token: 'token-1', expiresAt: null });
    expect(second).toBe(first);
    now += 1e9;
    expect(await plugin.credentials()).toBe(first);
    plugin.forget(first);
    const later = await plugin.credentials();
    expect(later.token).toBe('token-2');
    // Of a request that was sent before.
    plugin.forget(first);
    expect(await plugin.credentials()).toBe(later);
  });

  it('runs the plugin again 10 s before its credentials expire', async () => {
    const plugin = pluginOf(expiring(60));
    expect(await plugin.credentials()).toEqual({ token: 'token-1', expiresAt: NOW + 60_000 });
    now = NOW + 49_999;
    expect((await plugin.credentials()).token).toBe('token-1');
    now = NOW + 50_000;
    expect((await plugin.credentials()).token).toBe('token-2');
  });

  it('rejects credentials that have expired', async () => {
    await expect(pluginOf(expiring(-1)).credentials()).rejects.toMatchObject({
      code: 'command_failed',
      message:
        'The credential plugin login printed no usable credentials: they expired at 2026-03-01T11:59:59.000Z. Check the clock of this machine. Run it on a terminal to check what it prints.',
    });
  });

  it('passes on only listed variables, then those of the kubeconfig, and KUBERNETES_EXEC_INFO', async () => {
    const exec = {
      env: [
        { name: 'AWS_PROFILE', value: 'shop' },
        { name: 'LD_BIND_NOW', value: '1' },
        { name: 'KUBERNETES_EXEC_INFO', value: '' },
      ],
      args: ['$HOME; a', '--b'],
      provideClusterInfo: true,
    };
    const environment = {
      PATH,
      HOME: folder,
      LC_ALL: 'C',
      XDG_CACHE_HOME: '/x',
      https_proxy: 'http://proxy',
      AWS_PROFILE: 'other',
      AWS_REGION: 'eu',
      GOOGLE_X: undefined,
      APP_PASS: 'secret',
      SLIPWAY_OWNER: 'job',
      NODE_OPTIONS: '',
      LD_PRELOAD: '/evil.so',
      KUBECONFIG: '/config',
    };
    const cluster = {
      server: 'https://shop.example:6443',
      certificateAuthorityData: 'Q0E=',
      tlsServerName: 'shop',
      proxyUrl: 'http://proxy',
      insecureSkipTlsVerify: false,
      config: { audience: 'shop' },
    };
    const script = `env -0 > $DIR/env; pwd > $DIR/cwd; printf '%s|' "$@" > $DIR/args; ${printing()}`;
    await pluginOf(script, exec, { environment, cluster }).credentials();
    const lines = readFileSync(inFolder('env'), 'utf8').split('\0');
    const { KUBERNETES_EXEC_INFO: info = '', ...variables } = Object.fromEntries(
      lines
        .filter((line) => line !== '')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ) as Record<string, string>;
    // Of the shell. cspell:ignore shlvl
    for (const name of ['PWD', 'OLDPWD', 'SHLVL', '_']) Reflect.deleteProperty(variables, name);
    expect(variables).toEqual({
      PATH,
      HOME: folder,
      LC_ALL: 'C',
      XDG_CACHE_HOME: '/x',
      https_proxy: 'http://proxy',
      AWS_PROFILE: 'shop',
      AWS_REGION: 'eu',
      LD_BIND_NOW: '1',
    });
    expect(JSON.parse(info)).toEqual({
      kind: 'ExecCredential',
      apiVersion: V1,
      spec: {
        interactive: false,
        cluster: {
          server: 'https://shop.example:6443',
          'certificate-authority-data': 'Q0E=',
          'tls-server-name': 'shop',
          'proxy-url': 'http://proxy',
          'insecure-skip-tls-verify': false,
          config: { audience: 'shop' },
        },
      },
    });
    expect(readFileSync(inFolder('args'), 'utf8')).toBe('$HOME; a|--b|');
    expect(readFileSync(inFolder('cwd'), 'utf8')).toBe('/\n');
  });

  it('gives no cluster to a plugin without provideClusterInfo', async () => {
    const apiVersion = 'client.authentication.k8s.io/v1beta1';
    const script = `printf %s "$KUBERNETES_EXEC_INFO" > $DIR/info; ${printing().replace(V1, apiVersion)}`;
    expect((await pluginOf(script, { apiVersion }).credentials()).token).toBe('token-1');
    const info: unknown = JSON.parse(readFileSync(inFolder('info'), 'utf8'));
    expect(info).toEqual({ kind: 'ExecCredential', apiVersion, spec: { interactive: false } });
  });

  it('names exit status and reason of a plugin that fails, without secrets, and runs it again', async () => {
    const script = `echo run >> $DIR/runs
echo '{"token":"secret-of-stdout"}'
printf 'warning: old\\nError: \\033[31msession secret-of-stdout has expired\\342\\200\\256: authorization: Bearer abcdefghijkl\\n' >&2
exit 3`;
    const plugin = pluginOf(script);
    const failures = await Promise.allSettled([plugin.credentials(), plugin.credentials()]);
    const expected = {
      code: 'command_failed',
      message:
        'The credential plugin login failed with exit status 3: session [removed] has expired\ufffd: authorization: Bearer [removed]. If it requires you to sign in, do so on a terminal, for example with `kubectl --context NAME get --raw /version`, and check the cluster again.',
    };
    for (const failure of failures) expect(failure).toMatchObject({ status: 'rejected', reason: expected });
    expect(readFileSync(inFolder('runs'), 'utf8')).toBe('run\n');
    await expect(plugin.credentials()).rejects.toMatchObject(expected);
    expect(readFileSync(inFolder('runs'), 'utf8')).toBe('run\nrun\n');
  });

  it('keeps only the ends of a long stderr', async () => {
    const script =
      'head -c 300000 /dev/zero | tr "\\0" x >&2; echo >&2; echo "Error: no account" >&2; exit 1';
    await expect(pluginOf(script).credentials()).rejects.toThrow(
      'failed with exit status 1: no account. If it',
    );
  });

  it('says that a signal ended a plugin', async () => {
    await expect(pluginOf('kill -TERM $$').credentials()).rejects.toThrow(
      'login was ended by a signal. If it',
    );
  });

  it('ends a plugin that reads stdin at once, as it has none', async () => {
    const script = 'printf "Password: " >&2; read password || { echo "Error: no terminal" >&2; exit 1; }';
    await expect(pluginOf(script).credentials()).rejects.toThrow('exit status 1: no terminal');
  });

  it('kills a plugin with its descendants at the deadline, and says its last message', async () => {
    const script = `trap '' TERM
sleep 60 & echo $! > $DIR/child; echo $$ > $DIR/plugin
echo 'Open https://sign-in.example and enter ABCD' >&2
wait`;
    const failure = pluginOf(script, {}, { deadlineMs: 400 }).credentials();
    await expect(failure).rejects.toMatchObject({
      code: 'command_unavailable',
      message: expect.stringContaining(
        'did not end within 0.4 s and was stopped. Its last message: Open https://sign-in.example and enter ABCD. If it',
      ) as unknown,
    });
    expect(await hasEnded(await waitForPid('plugin'))).toBe(true);
    expect(await hasEnded(await waitForPid('child'))).toBe(true);
  });

  it('kills a plugin that prints 10 MB', async () => {
    const script = 'echo $$ > $DIR/plugin; head -c 10000000 /dev/zero | tr "\\0" x; sleep 60';
    await expect(pluginOf(script).credentials()).rejects.toThrow('printed more than 1 MB and was stopped');
    expect(await hasEnded(await waitForPid('plugin'))).toBe(true);
  });

  it('rejects output that is no credential, without quoting it', async () => {
    const failure = pluginOf('echo my-secret').credentials();
    await expect(failure).rejects.toThrow(
      'login printed no usable credentials: its output is not a JSON object. Run it on a terminal',
    );
    await expect(failure).rejects.not.toThrow('my-secret');
  });

  it('rejects interactiveMode Always without running the plugin', async () => {
    const plugin = pluginOf(printing(), { interactiveMode: 'Always' });
    await expect(plugin.credentials()).rejects.toThrow('requires a terminal (interactiveMode: Always)');
    expect(existsSync(inFolder('runs'))).toBe(false);
  });

  it('says why a plugin cannot be started', async () => {
    const options = { path: inFolder('missing') };
    await expect(pluginOf('', {}, options).credentials()).rejects.toMatchObject({
      code: 'command_unavailable',
      message:
        'The credential plugin login could not be started: the file or its folder does not exist. Check exec in the kubeconfig.',
    });
  });

  it('kills a running plugin with close, and runs it no more', async () => {
    const plugin = pluginOf('sleep 60 & echo $! > $DIR/child; echo $$ > $DIR/plugin; wait');
    const failure = expect(plugin.credentials()).rejects.toThrow('was stopped, because the connection');
    const [leader, child] = [await waitForPid('plugin'), await waitForPid('child')];
    plugin.close();
    await failure;
    // A zombie would still exist.
    expect(() => process.kill(leader, 0)).toThrow('ESRCH');
    expect(await hasEnded(child)).toBe(true);
    await expect(plugin.credentials()).rejects.toThrow('was stopped, because the connection');
  });

  it('does not wait for a descendant that keeps the pipes open', async () => {
    const plugin = pluginOf(`sleep 60 & echo $! > $DIR/child; ${printing()}`);
    expect((await plugin.credentials()).token).toBe('token-1');
    process.kill(await waitForPid('child'), 'SIGKILL');
  });
});
