import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readProject } from '../../core/config/index.js';
import { redact } from '../../core/logging/index.js';
import { ContextAccess, pluginRun } from './context-access.js';
import { readContext, type ContextEntry } from './context-entry.js';
import { contextsOfText } from './kubeconfig-files.js';

const fixtures = join(readProject().root, 'test', 'fixtures', 'tls');
const fixture = (name: string): string => readFileSync(join(fixtures, name), 'utf8');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

type Part = Record<string, unknown>;

describe('ContextAccess', () => {
  let folder: string;
  const file = (name: string): string => join(folder, name);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-access-'));
  });

  afterEach(() => {
    jest.useRealTimers();
    rmSync(folder, { recursive: true, force: true });
  });

  function entryOf(user: Part, cluster: Part = {}, namespace: string | null = null): ContextEntry {
    return readContext({
      name: 'shop',
      file: file('config'),
      folder,
      shadowed: false,
      namespace,
      clusterName: 'c',
      userName: 'ada',
      cluster: { server: 'https://api.shop.test:6443', ...cluster },
      user: { ...user, folder },
    });
  }

  const open = (
    entry: ContextEntry,
    options: Partial<Parameters<typeof ContextAccess.open>[1]> = {},
  ): Promise<ContextAccess> =>
    ContextAccess.open(entry, { consent: null, namespaces: [], environment: {}, ...options });

  it('reads a token file again when it changes, and keeps the credentials while it does not', async () => {
    writeFileSync(file('token'), 'one\n');
    const access = await open(entryOf({ tokenFile: file('token') }));
    const first = await access.credentials();
    expect(first).toEqual({ headers: { authorization: 'Bearer one' } });
    expect(await access.credentials()).toBe(first);
    writeFileSync(file('token'), 'two');
    const second = await access.credentials();
    expect(second).toEqual({ headers: { authorization: 'Bearer two' } });
    // Another token than that of the file cannot be requested.
    expect([access.refused(first), access.refused(second)]).toEqual([true, false]);
  });

  it('masks a token of a file for an hour after it was replaced, and nothing after close', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'performance'] });
    writeFileSync(file('token'), 'first-token');
    const access = await open(entryOf({ tokenFile: file('token') }));
    await access.credentials();
    writeFileSync(file('token'), 'second-token');
    await access.credentials();
    jest.advanceTimersByTime(3599_000);
    expect(redact('first-token second-token')).toBe('[removed] [removed]');
    jest.advanceTimersByTime(1000);
    expect(redact('first-token second-token')).toBe('first-token [removed]');
    access.close();
    expect(redact('second-token')).toBe('[removed]');
    jest.advanceTimersByTime(3600_000);
    writeFileSync(file('token'), 'third-token');
    await access.credentials();
    expect(redact('second-token third-token')).toBe('second-token third-token');
  });

  it.each([
    ['token', { token: 'static-token' }, 'static-token'],
    ['password', { username: 'ada', password: 'pass-word' }, base64('ada:pass-word')],
  ])('masks the %s of a kubeconfig for good', async (_case, user, secret) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'performance'] });
    const access = await open(entryOf(user));
    await access.credentials();
    access.close();
    jest.advanceTimersByTime(24 * 3600_000);
    expect(redact(secret)).toBe('[removed]');
  });

  it.each<[string, string, string | undefined]>([
    ['does not exist', '{file} does not exist.', undefined],
    ['is empty', '{file} is empty.', '\n'],
    ['has a line break', 'The token of context shop has characters that no token has.', 'canary\r\nX: y'],
  ])('says that a token file %s', async (_, message, content) => {
    if (content !== undefined) writeFileSync(file('token'), content);
    const access = await open(entryOf({ tokenFile: file('token') }));
    await expect(access.credentials()).rejects.toMatchObject({
      code: 'kubeconfig_unusable',
      message: message.replace('{file}', file('token')),
    });
  });

  it.each<[string, Part, Part]>([
    ['a password', { username: 'ada', password: 'ä' }, { authorization: 'Basic YWRhOsOk' }],
    ['no credentials', {}, {}],
    [
      'impersonation',
      { token: 'x', as: 'bob', 'as-groups': ['a', 'b'], 'as-uid': '7' },
      {
        authorization: 'Bearer x',
        'impersonate-user': 'bob',
        'impersonate-group': ['a', 'b'],
        'impersonate-uid': '7',
      },
    ],
  ])('sends the headers of %s', async (_, user, headers) => {
    expect(await (await open(entryOf(user))).credentials()).toEqual({ headers });
  });

  it('writes a kubeconfig without files for other programs', async () => {
    for (const name of ['first.crt', 'first.key', 'second.crt']) writeFileSync(file(name), fixture(name));
    writeFileSync(file('token'), 'one\n');
    const access = await open(
      entryOf(
        {
          'client-certificate': file('first.crt'),
          'client-key': file('first.key'),
          tokenFile: file('token'),
          as: 'bob',
          'as-groups': ['a'],
        },
        { 'certificate-authority': file('second.crt'), 'tls-server-name': 'shop' },
      ),
      { environment: { HTTPS_PROXY: 'http://proxy.test:3128' } },
    );
    const { contexts, current } = await contextsOfText(await access.kubeconfigText());
    expect(current).toBe('shop');
    expect(contexts).toMatchObject([
      {
        name: 'shop',
        cluster: {
          server: 'https://api.shop.test:6443/',
          'certificate-authority-data': base64(fixture('second.crt')),
          'tls-server-name': 'shop',
          'proxy-url': 'http://proxy.test:3128/',
        },
        user: {
          'client-certificate-data': base64(fixture('first.crt')),
          'client-key-data': base64(fixture('first.key')),
          token: 'one',
          as: 'bob',
          'as-groups': ['a'],
        },
      },
    ]);
  });

  it.each<[string, Part, string, Part]>([
    ['its own proxy', { 'proxy-url': 'socks5://own.test:1' }, 'socks5://own.test:1', {}],
    ['the proxy of the environment', {}, 'http://proxy.test:3128/', {}],
    ['a server name', { 'tls-server-name': 'shop' }, 'http://proxy.test:3128/', { servername: 'shop' }],
    [
      'no verification',
      { 'insecure-skip-tls-verify': true },
      'http://proxy.test:3128/',
      { rejectUnauthorized: false },
    ],
  ])('connects with %s', async (_, cluster, proxy, tls) => {
    const environment = { HTTPS_PROXY: 'http://proxy.test:3128' };
    const access = await open(entryOf({}, cluster), { environment });
    expect([access.proxy?.href, access.tls]).toEqual([proxy, tls]);
  });

  it('uses the text of an authority that was read already', async () => {
    const entry = entryOf({}, { 'certificate-authority': file('ca') });
    const { tls } = await open({ ...entry, authority: { file: file('ca'), text: fixture('first.crt') } });
    expect(tls.ca).toBe(fixture('first.crt'));
    writeFileSync(file('ca'), '\n');
    await expect(open({ ...entry, authority: { file: file('ca'), text: '\n' } })).rejects.toMatchObject({
      message: `${file('ca')} is empty.`,
    });
  });

  it('has another identity for another server, consent, authority or namespace', async () => {
    writeFileSync(file('ca'), fixture('first.crt'));
    const trusting = { 'certificate-authority': file('ca') };
    const first = await open(entryOf({}, trusting, 'team'), { namespaces: ['shop', 'team'] });
    expect(first.namespaces).toEqual(['team', 'shop']);
    writeFileSync(file('ca'), fixture('second.crt'));
    const others = [
      await open(entryOf({}, trusting, 'team'), { namespaces: ['shop'] }),
      await open(entryOf({}, {}, 'team'), { namespaces: ['shop'] }),
      await open(entryOf({}, {}, 'team')),
      await open(entryOf({}, {}, 'team'), { consent: 'x' }),
      await open(entryOf({}, { server: 'https://other.test' }, 'team')),
    ];
    expect(new Set([first, ...others].map(({ identity }) => identity)).size).toBe(6);
  });

  describe('with a plugin', () => {
    const exec = (args: string[] = []): Part => ({
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: './login',
        args,
        interactiveMode: 'Never',
      },
    });

    /** A plugin that counts its runs, which its token says. */
    function writePlugin(): void {
      const content =
        '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}';
      const script = `#!/bin/sh\necho run >> ${file('runs')}\nprintf '${content}' run-$(grep -c run ${file('runs')})\n`;
      writeFileSync(file('login'), script);
      chmodSync(file('login'), 0o755);
    }

    it('runs it only after consent to exactly this command, and again when the server rejects its token', async () => {
      writePlugin();
      const { fingerprint: consent = '' } = (await pluginRun(entryOf(exec()), {})) ?? {};
      await expect(open(entryOf(exec()))).rejects.toMatchObject({ code: 'consent_required' });
      await expect(open(entryOf(exec(['x'])), { consent })).rejects.toMatchObject({
        code: 'consent_required',
      });
      const access = await open(entryOf(exec()), { consent });
      const first = await access.credentials();
      expect(first.headers).toEqual({ authorization: 'Bearer run-1' });
      expect(await access.credentials()).toBe(first);
      expect(access.refused(first)).toBe(true);
      const second = await access.credentials();
      expect(second.headers).toEqual({ authorization: 'Bearer run-2' });
      // A late 401 for the previous token is no reason to run it again, but to use the new token.
      expect(access.refused(first)).toBe(true);
      expect(await access.credentials()).toBe(second);
      access.close();
      await expect(access.credentials()).rejects.toMatchObject({ code: 'command_unavailable' });
    });

    it('remembers for 10 minutes that it failed, unless the user tries again', async () => {
      writeFileSync(file('login'), `#!/bin/sh\necho run >> ${file('runs')}\nexit 1\n`, { mode: 0o755 });
      const { fingerprint: consent = '' } = (await pluginRun(entryOf(exec()), {})) ?? {};
      const access = await open(entryOf(exec()), { consent });
      const startedAt = performance.now();
      const clock = jest.spyOn(performance, 'now');
      const runs = async (minutes: number): Promise<number> => {
        clock.mockReturnValue(startedAt + minutes * 60_000);
        await expect(access.credentials()).rejects.toMatchObject({ code: 'command_failed' });
        return readFileSync(file('runs'), 'utf8').split('\n').length - 1;
      };
      expect([await runs(0), await runs(9), await runs(11), await runs(12)]).toEqual([1, 1, 2, 2]);
      access.retry();
      expect(await runs(12)).toBe(3);
      clock.mockRestore();
    });

    it('does not run it for a user with a token or certificate', async () => {
      const access = await open(entryOf({ ...exec(), token: 'own' }));
      expect((await access.credentials()).headers).toEqual({ authorization: 'Bearer own' });
    });

    it('says that it is not installed', async () => {
      await expect(open(entryOf(exec()), { consent: 'x' })).rejects.toMatchObject({
        code: 'command_unavailable',
        message: expect.stringContaining(`${file('login')} does not exist`) as unknown,
      });
    });
  });
});
