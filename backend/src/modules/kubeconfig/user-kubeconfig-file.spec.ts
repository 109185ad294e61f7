import {
  chmodSync,
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

describe('a file of the user’s kubeconfig', () => {
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
    if (!(error instanceof DomainError)) throw new Error(`no domain error but ${String(error)}`);
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

  it('that is not there is made with its folder, for its user alone, and without a backup', async () => {
    expect(await file.read()).toBeUndefined();
    expect(await change()).toBe(true);
    expect((await file.read())?.currentContext).toBe('kind-staging');
    expect([statSync(path).mode & 0o777, statSync(join(folder, '.kube')).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    expect(names()).toEqual(['config']);
    expect(await file.latestBackup()).toBeNull();
  });

  it('is changed with a backup of what was before, and keeps its mode', async () => {
    write(CONTENT, 0o640);
    expect(await change()).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe(CHANGED);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    const backup = (await file.latestBackup()) ?? '';
    expect(backup).toMatch(/\.kube\/config\.slipway-backup-\d{8}T\d{9}Z$/);
    expect(readFileSync(backup, 'utf8')).toBe(CONTENT);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(names()).toHaveLength(2);
  });

  it('that is right already is not written', async () => {
    write(CHANGED);
    const { mtimeMs, ino } = statSync(path);
    expect(await change()).toBe(false);
    expect(statSync(path)).toMatchObject({ mtimeMs, ino });
    expect(names()).toEqual(['config']);
  });

  it('has the backups of its last three writes', async () => {
    write(CONTENT);
    for (let number = 1; number <= 5; number += 1) {
      await change(`number-${number}`);
      // Backups are told apart by the millisecond.
      await delay(2);
    }
    const kept = names().filter((name) => name !== 'config');
    expect(
      kept.map((name) => /number-(\d)/.exec(readFileSync(join(folder, '.kube', name), 'utf8'))?.[1]),
    ).toEqual(['2', '3', '4']);
  });

  it.each(['dotfiles/config', '../elsewhere/config'])('that is a link to %s stays one', async (to) => {
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

  it('that is a link to nothing yet is made where the link leads', async () => {
    mkdirSync(join(folder, '.kube'));
    symlinkSync('later', path);
    await change();
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, '.kube', 'later'), 'utf8')).toContain('kind-staging');
  });

  it('that is a link in a circle is left alone', async () => {
    mkdirSync(join(folder, '.kube'));
    symlinkSync('config', path);
    expect((await failure(change())).message).toContain('leads round in a circle');
  });

  it.each([
    ['broken', 'kind: [Config\n', /line \d/],
    ['no text', Buffer.from([0x6b, 0xff, 0xfe, 0x00]), /UTF-8/],
    ['huge', `# ${'x'.repeat(4_000_001)}\n`, /larger than 4 MB/],
  ])('that is %s is never touched', async (_what, content, reason) => {
    write(content);
    for (const work of [file.read(), change()]) {
      const error = await failure(work);
      expect([error.code, error.message]).toEqual(['kubeconfig_unusable', expect.stringMatching(reason)]);
    }
    // `toEqual` would compare four million numbers one by one.
    expect(readFileSync(path).equals(Buffer.from(content))).toBe(true);
    expect(names()).toEqual(['config']);
  });

  it('that is a folder is never touched', async () => {
    mkdirSync(path, { recursive: true });
    expect((await failure(change())).message).toContain('it is not a file');
  });

  it('in a place that takes no files is told as such', async () => {
    writeFileSync(join(folder, '.kube'), 'a file where the folder should be');
    const error = await failure(change());
    expect(error.code).toBe('kubeconfig_not_written');
    expect(error.message).toContain(`The folder ${join(folder, '.kube')} cannot be written: a file stands`);
  });

  it('is not written while another program has locked it, and says how to go on', async () => {
    write(CONTENT);
    writeFileSync(`${path}.lock`, '', { mode: 0 });
    const began = performance.now();
    const error = await failure(change());
    expect(performance.now() - began).toBeGreaterThan(290);
    expect(error.code).toBe('kubeconfig_locked');
    expect(error.message).toContain(`rm '${path}.lock'`);
    expect(readFileSync(path, 'utf8')).toBe(CONTENT);
    expect(existsSync(`${path}.lock`)).toBe(true);
  });

  it('is written as soon as the other program is done', async () => {
    write(CONTENT);
    writeFileSync(`${path}.lock`, '');
    const changing = change();
    await delay(120);
    expect(readFileSync(path, 'utf8')).toBe(CONTENT);
    rmSync(`${path}.lock`);
    expect(await changing).toBe(true);
    expect(names().some((name) => name.endsWith('.lock'))).toBe(false);
  });

  it('has its lock marked from the first moment, so that none that a crash leaves is nobody’s', async () => {
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

  it('is tidied of what a crash of ours left beside it, and of nothing else', async () => {
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

  it('is freed of a lock that a crash of ours left, and of no other’s', async () => {
    write(CONTENT);
    // Beyond the highest number that Linux gives a process.
    writeFileSync(`${path}.lock`, 'slipway 4194305\n');
    expect(await change()).toBe(true);
    // Alive, and another: the process that started this one.
    writeFileSync(`${path}.lock`, `slipway ${process.ppid}\n`);
    expect((await failure(change('other'))).code).toBe('kubeconfig_locked');
  });
});
