import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createBackup } from '../../backend/src/apps/backup/create-backup.js';
import { restoreBackup } from '../../backend/src/apps/backup/restore-backup.js';
import { TarWriter } from '../../backend/src/core/archive/tar-writer.js';
import { Database } from '../../backend/src/core/storage/database.js';
import { InstanceLock } from '../../backend/src/core/storage/instance-lock.js';
import { migrations } from '../../backend/src/core/storage/migrations.js';
import type { JournalEntry } from '../../backend/src/modules/journal/index.js';
import { JournalStore } from '../../backend/src/modules/journal/journal.store.js';
import { contentOf, FIXTURE_PASSWORDS, fixtureData, removeData } from '../support/app/data-fixture.js';
import { startLogBoard } from '../support/app/start-app.js';

const PASSPHRASE = 'tidy-otter-plays-chess';

describe('a backup', () => {
  let folder: { parent: string; data: string };
  let file: string;
  let target: string;

  beforeEach(async () => {
    folder = await fixtureData('0.2');
    file = join(folder.parent, 'backup.tar.gz');
    target = join(folder.parent, 'restored');
  });

  afterEach(() => removeData(folder));

  const backUp = async (options: { passphrase?: string; replaces?: boolean } = {}): Promise<string[]> =>
    (await createBackup({ dataDirectory: folder.data, file, ...options })).files.map(({ path }) => path);
  const restore = async (
    given?: string,
    replaces = false,
    more: { dataDirectory?: string; keepsAccess?: boolean } = {},
  ): Promise<string | null> =>
    (
      await restoreBackup({
        file,
        dataDirectory: target,
        passphrase: () => Promise.resolve(given ?? ''),
        replaces,
        ...more,
      })
    ).movedTo;
  /** Names beside the data folder: a failed restore must leave nothing there. */
  const left = (): string[] => readdirSync(folder.parent).sort();

  it('of a running Slipway restores everything that the applications read', async () => {
    const board = await startLogBoard({
      dataDirectory: folder.data,
      environment: { APP_PASS: '', APP_LOG_INTAKE: 'on', APP_DEMO_SPEED: '5' },
    });
    writeFileSync(join(folder.data, 'dashboard.json'), '{"token":"secret"}');
    mkdirSync(join(folder.data, 'helm'));
    writeFileSync(join(folder.data, 'helm', 'index.yaml'), '');
    let files: string[];
    try {
      files = await backUp();
    } finally {
      await board.stop();
    }
    expect(files).toEqual([
      ...['applied.yaml', 'cluster.yaml', 'kubeconfig', 'meta.json', 'provision_log.json'].map(
        (name) => `clusters/shop/${name}`,
      ),
      'demo.json',
      'logs.db',
      'secrets.json',
      'slipway.db',
      'version.json',
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await restore(undefined, false, { keepsAccess: true });
    expect(readdirSync(target).sort()).toEqual(
      ['clusters', 'demo.json', 'logs.db', 'secrets.json', 'slipway.db', 'version.json'].sort(),
    );
    const modes = readdirSync(target, { recursive: true, withFileTypes: true }).map((entry) => {
      const { mode } = statSync(join(entry.parentPath, entry.name));
      return `${entry.isFile() ? 'file' : 'folder'} ${(mode & 0o777).toString(8)}`;
    });
    expect([statSync(target).mode & 0o777, new Set(modes)]).toEqual([
      0o700,
      new Set(['folder 700', 'file 600']),
    ]);
    const { lines, ...restored } = await contentOf(target, FIXTURE_PASSWORDS['0.2']);
    const { lines: allLines, ...original } = await contentOf(folder.data, FIXTURE_PASSWORDS['0.2']);
    expect(restored).toEqual(original);
    expect(restored.webhook).toContain('shared secret');
    expect(lines.length).toBeGreaterThanOrEqual(26);
    expect(allLines.slice(0, lines.length)).toEqual(lines);
  });

  it('ends sessions and access tokens when it is restored, and keeps the password', async () => {
    const before = await contentOf(folder.data, FIXTURE_PASSWORDS['0.2']);
    await backUp();
    await restore();
    const after = await contentOf(target, FIXTURE_PASSWORDS['0.2']);
    expect([before.tokenStatus, after.tokenStatus]).toEqual([200, 401]);
  });

  it('continues the journal of the data that it replaces, with an entry about the restore', async () => {
    await backUp();
    const write = (message: string, time: string, outcome: 'started' | 'succeeded' = 'succeeded'): void => {
      const database = Database.open(join(folder.data, 'slipway.db'), migrations);
      new JournalStore(database).insert({
        ...{ time, kind: 'token-revoke', cluster: null, runtime: null, subject: null, duration_ms: null },
        ...{ message, outcome, job_id: outcome === 'started' ? 3 : null, actor: null },
      });
      database.close();
    };
    write('An old entry that the backup has too.', '2001-01-01T00:00:00.000Z');
    write('Revoked the access token ci.', '2101-01-01T00:00:00.000Z');
    write('Creating shop.', '2101-01-02T00:00:00.000Z', 'started');
    const movedTo = await restore(undefined, true, { dataDirectory: folder.data });
    const entriesOf = (path: string): JournalEntry[] => {
      const database = Database.open(join(path, 'slipway.db'), migrations);
      const journal = new JournalStore(database);
      const entries = journal.byId({}, 0, journal.ids().last);
      database.close();
      return entries;
    };
    const [first, second, last] = entriesOf(folder.data).slice(-3);
    expect([first, second]).toMatchObject([
      { message: '[Before the restore] Revoked the access token ci.', time: '2101-01-01T00:00:00.000Z' },
      { message: '[Before the restore] Creating shop.', outcome: 'interrupted', job_id: null },
    ]);
    expect(last).toMatchObject({ kind: 'restore', actor: { kind: 'local' } });
    expect(last?.message).toMatch(
      /^Restored the backup backup\.tar\.gz of \S+Z \(Slipway \d\S+\)\. This ended all sessions, access tokens, known browsers and sign-in links\. Copied 2 newer journal entries of the replaced data\.$/,
    );
    expect(entriesOf(movedTo ?? '').at(-1)).toMatchObject({ message: 'Creating shop.' });
    expect(left().filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('is encrypted with a passphrase in the age format', async () => {
    await backUp({ passphrase: PASSPHRASE });
    expect(readFileSync(file, 'latin1')).toMatch(/^age-encryption\.org\/v1\n-> scrypt /);
    const before = left();
    await expect(restore('another passphrase')).rejects.toThrow(
      'the passphrase is wrong, or the file is damaged',
    );
    expect(left()).toEqual(before);
    await restore(PASSPHRASE, false, { keepsAccess: true });
    const secrets = 'secrets.json';
    expect(readFileSync(join(target, secrets))).toEqual(readFileSync(join(folder.data, secrets)));
  });

  it('is rejected if it is not encrypted but must be', async () => {
    await backUp();
    const options = { file, dataDirectory: target, passphrase: () => Promise.resolve(PASSPHRASE) };
    await expect(restoreBackup({ ...options, mustBeEncrypted: true })).rejects.toThrow('is not encrypted');
    expect(existsSync(target)).toBe(false);
  });

  it('replaces neither a file nor data without --force, and moves data aside with it', async () => {
    await backUp();
    await expect(backUp()).rejects.toThrow(
      'already exists. Choose another file, or replace it with --force.',
    );
    await backUp({ replaces: true });
    mkdirSync(target);
    writeFileSync(join(target, 'kept'), '');
    await expect(restore()).rejects.toThrow('is not empty');
    const lock = InstanceLock.acquire(target, 'log-board');
    await expect(restore(undefined, true)).rejects.toThrow('Another Slipway');
    lock.release();
    const movedTo = (await restore(undefined, true)) ?? '';
    expect([existsSync(join(movedTo, 'kept')), existsSync(join(target, 'slipway.db'))]).toEqual([true, true]);
    expect(left().filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('is not made of another folder, nor without space, and leaves no file', async () => {
    const before = left();
    const missing = { dataDirectory: join(folder.parent, 'missing'), file };
    await expect(createBackup(missing)).rejects.toThrow('There is nothing to back up');
    writeFileSync(join(folder.data, 'logs.db'), Buffer.alloc(10_000, 'x'));
    await expect(backUp()).rejects.toThrow(
      /Could not back up .*: file is not a database\. No file was written\./,
    );
    expect(left()).toEqual(before);
  });

  describe('that is not intact', () => {
    const FILE = { path: 'secrets.json', size: 2, sha256: createHash('sha256').update('{}').digest('hex') };
    const MANIFEST = {
      format: 1,
      version: '0.2.0',
      created_at: '2026-11-26T00:00:00Z',
      schemas: {},
      files: [FILE],
    };

    async function write(
      manifest: unknown,
      entries: Record<string, string> = { 'secrets.json': '{}' },
    ): Promise<void> {
      const writer = new TarWriter();
      const packed = buffer(writer.stream);
      await writer.text('manifest.json', JSON.stringify(manifest));
      for (const [path, content] of Object.entries(entries)) await writer.text(path, content);
      writer.end();
      writeFileSync(file, await packed);
    }

    it.each<[string, () => Promise<void> | void, string]>([
      ['no archive', () => writeFileSync(file, 'a text'), 'it is damaged, or is not a backup ('],
      ['empty', () => writeFileSync(file, ''), 'Nothing was restored'],
      [
        'cut off',
        async () => {
          await backUp();
          writeFileSync(file, readFileSync(file).subarray(0, 100_000));
        },
        'unexpected end of file',
      ],
      [
        'changed in one byte',
        async () => {
          await backUp();
          const tar = gunzipSync(readFileSync(file));
          const at = tar.indexOf('role: worker');
          tar.write('X', at);
          writeFileSync(file, gzipSync(tar));
        },
        'the content of "clusters/shop/applied.yaml" is damaged',
      ],
      [
        'a file outside',
        () => write({ ...MANIFEST, files: [{ ...FILE, path: 'clusters/../../x' }] }),
        'which is not allowed',
      ],
      [
        'an absolute path',
        () => write({ ...MANIFEST, files: [{ ...FILE, path: '/etc/x' }] }),
        'which is not allowed',
      ],
      [
        'an unlisted file',
        () => write(MANIFEST, { 'secrets.json': '{}', '../x': '' }),
        '"../x" is not as in its manifest',
      ],
      [
        'a file of another size',
        () => write(MANIFEST, { 'secrets.json': '{} ' }),
        '"secrets.json" is not as in its manifest',
      ],
      ['a missing file', () => write(MANIFEST, {}), '"secrets.json" is missing in it'],
      ['too large', () => write({ ...MANIFEST, files: [{ ...FILE, size: 1e15 }] }), 'it needs 1000000000 MB'],
      [
        'a newer version',
        () => write({ ...MANIFEST, version: '99.1.0' }),
        'Restore it with Slipway 99.1.0 or newer',
      ],
      ['a newer format', () => write({ format: 2, version: '99.1.0' }), 'it has the format 2'],
    ])('is rejected and leaves nothing: %s', async (_what, prepare, message) => {
      await prepare();
      const before = left();
      await expect(restore()).rejects.toThrow(message);
      expect(left()).toEqual(before);
    });

    it('cannot be restored where no folder can be created', async () => {
      if (process.getuid?.() === 0) return;
      await write(MANIFEST);
      chmodSync(folder.parent, 0o500);
      await expect(restore()).rejects.toThrow('set APP_DATA_DIR to a folder in it');
      chmodSync(folder.parent, 0o700);
    });
  });
});
