import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError } from '../../core/errors/index.js';
import { UserKubeconfigFile } from './user-kubeconfig-file.js';

const CONTENT = 'apiVersion: v1\nkind: Config\ncurrent-context: work\n';
const CHANGED = CONTENT.replace('work', 'kind-staging');

describe('UserKubeconfigFile', () => {
  let folder: string;
  let path: string;
  let file: UserKubeconfigFile;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-kubeconfig-'));
    path = join(folder, '.kube', 'config');
    file = new UserKubeconfigFile(path, 300);
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(content: string | Buffer, mode = 0o600): void {
    mkdirSync(join(folder, '.kube'), { recursive: true });
    writeFileSync(path, content);
    chmodSync(path, mode);
  }

  async function change(context = 'kind-staging'): Promise<boolean> {
    return await file.change({ type: 'use', context });
  }

  async function failure(work: Promise<unknown>): Promise<DomainError> {
    const error: unknown = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof DomainError)) throw new Error(`not a DomainError: ${String(error)}`);
    return error;
  }

  function contentOf(name: string): string {
    try {
      return readFileSync(name, 'utf8').trim();
    } catch {
      return 'gone';
    }
  }

  function names(): string[] {
    return readdirSync(join(folder, '.kube')).sort();
  }

  it.each([
    ['nothing', ''],
    ['only comments', '# mine'],
    ['only null', '~'],
    ['only null and a comment', '# mine\nnull # or not\n'],
    ['a marker', '---\n'],
    ['an empty map', '{}\n'],
    ['a byte order mark', '\ufeff'],
    ['line breaks', '\r\n\r\n'],
    ['only its header', 'apiVersion: v1\nkind: Config\n'],
    ['sections without a value', 'kind: Config\nclusters:\ncontexts: ~\nusers: null\ncurrent-context:\n'],
    ['comments in sections', 'clusters: # none\n  # yet\nusers:\n# none\n'],
    ['no contexts and users', 'apiVersion: v1\nclusters:\n- name: a\n  cluster: {server: https://a}\n'],
    ['JSON without sections', '{"kind":"Config","apiVersion":"v1"}'],
    ['JSON with some sections', '{\n\t"clusters": null,\n\t"users": [ ],\n\t"preferences": {}\n}\n'],
    ['empty lists', 'clusters: [ ]\ncontexts: [\n]\nusers: []'],
    ["current-context: ''", "kind: Config\ncurrent-context: ''\n"],
    ['a second document', 'kind: Config\n---\nclusters: []\n'],
    ['lone carriage returns', 'kind: Config\rclusters:\rusers: []\r'],
  ])('has the same bytes after an entry was added and removed: %s', async (_what, text) => {
    const entry = { name: 'kind-a', server: 'https://127.0.0.1:1', authority: 'Q0E=', user: { token: 'a' } };
    const remove = async (context: string): Promise<boolean> =>
      await file.change({ type: 'remove', context }, { type: 'leave', context });
    write(text);
    for (const current of [false, true]) {
      const use = current ? [{ type: 'use', context: 'kind-a' } as const] : [];
      await file.change({ type: 'put', entry }, ...use);
      await file.change({ type: 'put', entry: { ...entry, server: 'https://127.0.0.1:2' } });
      expect(await file.read()).toMatchObject({ currentContext: current ? 'kind-a' : '' });
      await file.change({ type: 'put', entry: { ...entry, name: 'kind-b' } });
      await remove('kind-b');
      await remove('kind-a');
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
  });

  it('creates a private file and folder without a backup', async () => {
    expect([await file.read(), await file.latestBackup()]).toEqual([undefined, null]);
    expect(await change()).toBe(true);
    expect((await file.read())?.currentContext).toBe('kind-staging');
    expect([statSync(path).mode & 0o777, statSync(join(folder, '.kube')).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    expect(names()).toEqual(['config']);
    expect(await file.latestBackup()).toBeNull();
  });

  it('writes a backup for the owner of the file and keeps its mode', async () => {
    write(CONTENT, 0o640);
    // Only root can give it away. Any other user owns both files anyway.
    if (process.getuid?.() === 0) chownSync(path, 1000, 1000);
    const { uid, gid } = statSync(path);
    expect(await change()).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe(CHANGED);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    const backup = (await file.latestBackup()) ?? '';
    expect(backup).toMatch(/\.kube\/config\.slipway-backup-\d{8}T\d{9}Z$/);
    expect(readFileSync(backup, 'utf8')).toBe(CONTENT);
    expect(statSync(backup)).toMatchObject({ uid, gid });
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(names()).toHaveLength(2);
  });

  it('does not write an unchanged file', async () => {
    write(CHANGED);
    const { mtimeMs, ino } = statSync(path);
    expect(await change()).toBe(false);
    expect(statSync(path)).toMatchObject({ mtimeMs, ino });
    expect(names()).toEqual(['config']);
  });

  it('keeps three backups', async () => {
    write(CONTENT);
    for (let number = 1; number <= 5; number += 1) {
      await change(`number-${number}`);
      // The names of backups have milliseconds.
      await delay(2);
    }
    const kept = names().filter((name) => name !== 'config');
    expect(
      kept.map((name) => /number-(\d)/.exec(readFileSync(join(folder, '.kube', name), 'utf8'))?.[1]),
    ).toEqual(['2', '3', '4']);
  });

  it.each(['dotfiles/config', '../elsewhere/config'])('keeps a symbolic link to %s', async (to) => {
    const target = join(folder, '.kube', to);
    mkdirSync(join(folder, '.kube'), { recursive: true });
    mkdirSync(join(target, '..'), { recursive: true });
    writeFileSync(target, CONTENT, { mode: 0o600 });
    symlinkSync(to, path);
    await change();
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe(CHANGED);
    expect(readdirSync(join(target, '..'))).not.toContain('config.lock');
  });

  it('creates the missing target of a symbolic link', async () => {
    mkdirSync(join(folder, '.kube'));
    symlinkSync('later', path);
    await change();
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, '.kube', 'later'), 'utf8')).toContain('kind-staging');
  });

  it('rejects a circular symbolic link', async () => {
    mkdirSync(join(folder, '.kube'));
    symlinkSync('config', path);
    expect((await failure(change())).message).toContain('it is a circular link');
  });

  it.each([
    ['invalid YAML', 'kind: [Config\n', /line \d/],
    ['binary data', Buffer.from([0x6b, 0xff, 0xfe, 0x00]), /UTF-8/],
    ['more than 4 MB', `# ${'x'.repeat(4_000_001)}\n`, /larger than 4 MB/],
  ])('does not change a file with %s', async (_what, content, reason) => {
    write(content);
    for (const work of [file.read(), change()]) {
      const error = await failure(work);
      expect([error.code, error.message]).toEqual(['kubeconfig_unusable', expect.stringMatching(reason)]);
      expect([error.message, error.details]).toEqual([expect.not.stringContaining('..'), { file: path }]);
    }
    // `toEqual` compares four million numbers one by one.
    expect(readFileSync(path).equals(Buffer.from(content))).toBe(true);
    expect(names()).toEqual(['config']);
  });

  it('rejects two entries of one name', async () => {
    write('kind: Config\nusers:\n- {name: a}\n- {name: a}\n');
    for (const work of [file.read(), change()]) {
      const error = await failure(work);
      expect(error).toMatchObject({ code: 'kubeconfig_taken', details: { file: path } });
      expect(error.message).toMatch(
        /^Could not use .*users has the name a more than once.*\. It was not changed\.$/,
      );
    }
  });

  it.each([0o444, 0o400, 0o440])('rejects a read-only file with the mode %o, also for root', async (mode) => {
    write(CONTENT, mode);
    const error = await failure(change());
    expect(error.code).toBe('kubeconfig_unusable');
    expect(error.message).toBe(
      `Could not use ${path}: it is read-only. To allow changes: chmod u+w ${path}. It was not changed.`,
    );
    expect([contentOf(path), statSync(path).mode & 0o777]).toEqual([CONTENT.trim(), mode]);
    expect(readdirSync(join(folder, '.kube'))).toEqual(['config']);
  });

  it('rejects a folder', async () => {
    mkdirSync(path, { recursive: true });
    expect((await failure(change())).message).toContain('it is not a file');
  });

  it('fails with kubeconfig_not_written if its folder is a file', async () => {
    writeFileSync(join(folder, '.kube'), 'a file where the folder should be');
    const error = await failure(change());
    expect(error.code).toBe('kubeconfig_not_written');
    expect(error.message).toContain(`Could not write to ${join(folder, '.kube')}: `);
    expect([error.details, error.cause]).toMatchObject([{ file: path }, { code: 'EEXIST' }]);
  });

  it('fails with kubeconfig_locked while another program holds the lock', async () => {
    write(CONTENT);
    writeFileSync(`${path}.lock`, '', { mode: 0 });
    const began = performance.now();
    const error = await failure(change());
    expect(performance.now() - began).toBeGreaterThan(290);
    expect(error.code).toBe('kubeconfig_locked');
    expect(error.message).toContain(`rm '${path}.lock'`);
    expect(error.details).toEqual({ lock: `${path}.lock` });
    expect(readFileSync(path, 'utf8')).toBe(CONTENT);
    expect(existsSync(`${path}.lock`)).toBe(true);
  });

  it('writes the file once the other program releases the lock', async () => {
    write(CONTENT);
    writeFileSync(`${path}.lock`, '');
    const changing = change();
    await delay(120);
    expect(readFileSync(path, 'utf8')).toBe(CONTENT);
    rmSync(`${path}.lock`);
    expect(await changing).toBe(true);
    expect(names().some((name) => name.endsWith('.lock'))).toBe(false);
  });

  it('creates its lock with the owner inside, so that the lock of a crashed process can be identified', async () => {
    write(CONTENT);
    const marks: string[] = [];
    const watcher = watch(join(path, '..'), (_event, name) => {
      if (name === 'config.lock') marks.push(contentOf(`${path}.lock`));
    });
    for (let turn = 0; turn < 20; turn += 1) await change(`cluster-${turn}`);
    watcher.close();
    const held = marks.filter((mark) => mark !== 'gone');
    expect(held).not.toEqual([]);
    const ours = new RegExp(`^slipway ${process.pid} [\\w-]{16}$`);
    expect(held.filter((mark) => !ours.test(mark))).toEqual([]);
  });

  it('removes old temporary files of Slipway and no others', async () => {
    write(CONTENT);
    const [left, fresh, foreign] = [
      '.slipway-0123456789ab.tmp',
      '.slipway-ba9876543210.tmp',
      '.0123456789ab.tmp',
    ];
    for (const name of [left, fresh, foreign]) writeFileSync(join(path, '..', name), 'half');
    for (const name of [left, foreign]) utimesSync(join(path, '..', name), 0, 0);
    await change();
    expect(names()).not.toContain(left);
    expect(names()).toEqual(expect.arrayContaining([fresh, foreign]));
  });

  it('breaks the lock of a dead Slipway process, and no others', async () => {
    write(CONTENT);
    // Above the maximum process ID of Linux.
    writeFileSync(`${path}.lock`, 'slipway 4194305\n');
    expect(await change()).toBe(true);
    // The parent process is alive.
    writeFileSync(`${path}.lock`, `slipway ${process.ppid}\n`);
    expect((await failure(change('other'))).code).toBe('kubeconfig_locked');
  });
});
