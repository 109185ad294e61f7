import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from './database.js';
import { migrations } from './migrations.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'storage-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('Database', () => {
  const FIRST = 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;';
  const SECOND = "ALTER TABLE notes ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';";
  const path = (): string => join(folder, 'test.db');
  const withDatabase = <TResult>(
    steps: readonly string[],
    work: (database: Database) => TResult,
  ): TResult => {
    const database = Database.open(path(), steps);
    try {
      return work(database);
    } finally {
      database.close();
    }
  };

  it('verifyReadable reads the file itself', () => {
    withDatabase([FIRST], (database) => {
      database.verifyReadable();
      database.checkpoint();
      const content = readFileSync(path());
      writeFileSync(path(), 'x'.repeat(content.length));
      expect(() => database.verifyReadable()).toThrow('not a database');
      writeFileSync(path(), content);
      database.verifyReadable();
      renameSync(path(), `${path()}.away`);
      expect(() => database.verifyReadable()).toThrow('unable to open');
      renameSync(`${path()}.away`, path());
      database.close();
      expect(() => database.verifyReadable()).toThrow('closed');
    });
  });

  it('creates its files with mode 0600', () => {
    writeFileSync(path(), '', { mode: 0o644 });
    withDatabase([FIRST], () => {
      const modes = ['', '-wal', '-shm'].map((ending) => statSync(path() + ending).mode & 0o777);
      expect(modes).toEqual([0o600, 0o600, 0o600]);
    });
  });

  it('uses WAL mode and syncs each commit', () => {
    withDatabase([FIRST], (database) => {
      expect(database.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' });
      expect(database.get('PRAGMA synchronous')).toEqual({ synchronous: 2 });
      expect(database.get('PRAGMA foreign_keys')).toEqual({ foreign_keys: 1 });
    });
  });

  it('keeps only the newest copy from before a migration, for 30 days', () => {
    const copies = (): string[] => readdirSync(folder).filter((name) => name.includes('.before-schema-'));
    const daysAgo = (days: number): Date => new Date(Date.now() - days * 24 * 3600_000);
    const old = ['test.db.before-schema-1', 'other.db.before-schema-1', 'test.db.before-schema-1.mine'];
    withDatabase([FIRST], () => undefined);
    for (const [days, name] of old.entries()) {
      writeFileSync(join(folder, name), '');
      utimesSync(join(folder, name), daysAgo(days), daysAgo(days));
    }
    withDatabase([FIRST, SECOND], () => undefined);
    const [other, mine, newest] = copies();
    expect([other, mine, newest]).toEqual([
      'other.db.before-schema-1',
      'test.db.before-schema-1.mine',
      'test.db.before-schema-2',
    ]);
    utimesSync(join(folder, newest ?? ''), daysAgo(29), daysAgo(29));
    withDatabase([FIRST, SECOND], () => expect(copies()).toHaveLength(3));
    utimesSync(join(folder, newest ?? ''), daysAgo(31), daysAgo(31));
    withDatabase([FIRST, SECOND], () => expect(copies()).toEqual([other, mine]));
  });

  it('migrates an older file, with its rows, and keeps a copy of it', () => {
    withDatabase([FIRST], (database) => database.run('INSERT INTO notes (text) VALUES (?)', 'kept'));
    withDatabase([FIRST, SECOND], (database) => {
      expect(database.all('SELECT text, mood FROM notes')).toEqual([{ text: 'kept', mood: 'calm' }]);
    });
    expect(existsSync(`${path()}.before-schema-2`)).toBe(true);
    withDatabase([FIRST, SECOND], (database) =>
      expect(database.get('PRAGMA user_version')).toEqual({ user_version: 2 }),
    );
  });

  /** The rows of the copy from before the migration. */
  const copied = (): unknown => {
    const copy = new DatabaseSync(`${path()}.before-schema-2`, { readOnly: true });
    try {
      return copy.prepare('SELECT * FROM notes').all();
    } finally {
      copy.close();
    }
  };

  it('leaves a file unchanged when a migration fails, and a copy that the next migration replaces', () => {
    withDatabase([FIRST], (database) => database.run('INSERT INTO notes (text) VALUES (?)', 'kept'));
    expect(() => Database.open(path(), [FIRST, `${SECOND} CREATE NONSENSE;`])).toThrow(/NONSENSE/);
    expect(copied()).toEqual([{ id: 1, text: 'kept' }]);
    withDatabase([FIRST], (database) => {
      expect(database.all('SELECT * FROM notes')).toEqual([{ id: 1, text: 'kept' }]);
      database.run('INSERT INTO notes (text) VALUES (?)', 'since');
    });
    withDatabase([FIRST, SECOND], () => undefined);
    expect(copied()).toEqual([
      { id: 1, text: 'kept' },
      { id: 2, text: 'since' },
    ]);
    expect(statSync(`${path()}.before-schema-2`).mode & 0o777).toBe(0o600);
  });

  it('copies rows of the WAL, too, while another connection reads', () => {
    const reader = new DatabaseSync(path());
    withDatabase([FIRST], (database) => {
      reader.exec('BEGIN');
      reader.prepare('SELECT * FROM notes').all();
      database.run('INSERT INTO notes (text) VALUES (?)', 'kept');
      withDatabase([FIRST, SECOND], () => expect(copied()).toEqual([{ id: 1, text: 'kept' }]));
    });
    reader.close();
  });

  /** Returns while another process migrates the file. It commits half a second later, when this one waits for its lock. */
  async function migrateElsewhere(version: number): Promise<void> {
    const other = `const { DatabaseSync } = require('node:sqlite');
      const database = new DatabaseSync(${JSON.stringify(path())});
      database.exec("BEGIN IMMEDIATE; ${SECOND} PRAGMA user_version = ${version}");
      process.stdout.write('migrating');
      setTimeout(() => database.exec('COMMIT'), 500);`;
    const child = spawn(process.execPath, ['-e', other], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
  }

  it('keeps the copy of another process that migrates the file at the same time', async () => {
    withDatabase([FIRST], (database) => database.run('INSERT INTO notes (text) VALUES (?)', 'kept'));
    copyFileSync(path(), `${path()}.before-schema-2`);
    await migrateElsewhere(2);
    withDatabase([FIRST, SECOND], (database) =>
      expect(database.all('SELECT mood FROM notes')).toEqual([{ mood: 'calm' }]),
    );
    expect(copied()).toEqual([{ id: 1, text: 'kept' }]);
  });

  it('rejects a file that another process migrates to a newer version at the same time', async () => {
    withDatabase([FIRST], () => undefined);
    await migrateElsewhere(3);
    expect(() => Database.open(path(), [FIRST, SECOND])).toThrow(/\(schema 3\)/);
    expect(existsSync(`${path()}.before-schema-2`)).toBe(false);
  });

  it('rejects a file of a newer version without changing it', () => {
    withDatabase([FIRST, SECOND], () => undefined);
    const before = readFileSync(path());
    expect(() => Database.open(path(), [FIRST])).toThrow(
      /^A newer version of Slipway wrote .*test\.db \(schema 2\)\. Slipway [\d.]+ supports schemas up to 1 .* Start that version/,
    );
    writeFileSync(join(folder, 'version.json'), '{"version":"99.0.0"}');
    expect(() => Database.open(path(), [FIRST])).toThrow(/^Slipway 99\.0\.0 wrote .* Start Slipway 99\.0\.0/);
    expect(readFileSync(path()).equals(before)).toBe(true);
    withDatabase([FIRST, SECOND], () => undefined);
  });

  it('renames a file that is not a database, and creates a new one', () => {
    writeFileSync(path(), 'this is a text, and a long one at that '.repeat(100));
    withDatabase([FIRST], (database) => {
      expect(database.notice?.reason).toMatch(/not a database/);
      expect(readFileSync(database.notice?.setAside ?? '', 'utf8')).toContain('this is a text');
      expect(database.all('SELECT * FROM notes')).toEqual([]);
    });
  });

  it('renames a file with a damaged page', () => {
    withDatabase([FIRST], (database) => {
      for (let count = 0; count < 200; count += 1) {
        database.run('INSERT INTO notes (text) VALUES (?)', 'x'.repeat(1000));
      }
    });
    const bytes = readFileSync(path());
    bytes.fill(0xff, 5 * 4096, 6 * 4096);
    writeFileSync(path(), bytes);
    withDatabase([FIRST], (database) => {
      expect(readFileSync(database.notice?.setAside ?? '').equals(bytes)).toBe(true);
    });
  });

  it('keeps a valid file that cannot be opened now, and says so', () => {
    withDatabase([FIRST], (database) => database.run('INSERT INTO notes (text) VALUES (?)', 'kept'));
    // A folder at the path of the WAL.
    mkdirSync(`${path()}-wal`);
    expect(() => Database.open(path(), [FIRST])).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(
          /Could not open .*test\.db: .*unable to open database file\. The file is unchanged/,
        ),
        errcode: 14,
      }),
    );
    expect(readdirSync(folder).filter((name) => name.includes('damaged'))).toEqual([]);
    rmSync(`${path()}-wal`, { recursive: true });
    withDatabase([FIRST], (database) =>
      expect(database.all('SELECT text FROM notes')).toEqual([{ text: 'kept' }]),
    );
  });

  it('commits all of a transaction or nothing, also with a nested one', () => {
    withDatabase([FIRST], (database) => {
      const add = (text: string): unknown => database.run('INSERT INTO notes (text) VALUES (?)', text);
      const count = (): unknown => database.get('SELECT count(*) AS n FROM notes');
      expect(() =>
        database.transaction(() => {
          add('one');
          database.transaction(() => add('two'));
          throw new Error('no');
        }),
      ).toThrow('no');
      expect(count()).toEqual({ n: 0 });
      expect(database.transaction(() => database.run('INSERT INTO notes (text) VALUES (?)', 'x'))).toEqual({
        changes: 1,
        id: 1,
      });
      expect(count()).toEqual({ n: 1 });
    });
  });

  it('waits 100 ms for a lock of another connection, then fails at once for a second', () => {
    withDatabase([FIRST], (database) => {
      const insert = (): unknown => database.run("INSERT INTO notes (text) VALUES ('x')");
      const other = new DatabaseSync(path());
      other.exec('BEGIN EXCLUSIVE');
      const waited = (work: () => unknown): number => {
        const start = performance.now();
        expect(work).toThrow('database is locked');
        return performance.now() - start;
      };
      const first = waited(insert);
      const next = Array.from({ length: 20 }, () => waited(() => database.transaction(insert)));
      // SQLite sleeps between its attempts; a busy machine adds to that, but not the 5 s of before.
      expect([first > 50, first < 2000]).toEqual([true, true]);
      // Far less than 20 waits.
      expect(next.reduce((sum, one) => sum + one, 0)).toBeLessThan(1000);
      expect(database.all('SELECT * FROM notes')).toEqual([]);
      other.exec('ROLLBACK');
      insert();
      expect(database.all('SELECT text FROM notes')).toEqual([{ text: 'x' }]);
      other.close();
    });
  });

  it('shows a reader one state of the file during a transaction', () => {
    withDatabase([FIRST], (database) => {
      const reader = Database.open(path(), [], { readOnly: true });
      const count = (): unknown => reader.get('SELECT count(*) AS n FROM notes');
      reader.transaction(() => {
        expect(count()).toEqual({ n: 0 });
        database.run("INSERT INTO notes (text) VALUES ('one')");
        expect(count()).toEqual({ n: 0 });
      });
      expect(count()).toEqual({ n: 1 });
      reader.close();
    });
  });

  it('applies all migrations in order', () => {
    for (let known = 1; known <= migrations.length; known += 1) {
      withDatabase(migrations.slice(0, known), (database) =>
        expect(database.get('PRAGMA user_version')).toEqual({ user_version: known }),
      );
    }
  });

  it('names jobs of earlier versions, and takes their outcome from the journal', () => {
    withDatabase(
      migrations.slice(
        0,
        migrations.findIndex((step) => step.includes('COLUMN title')),
      ),
      (database) => {
        const add = (kind: string, cluster: string, state: string): unknown =>
          database.run(
            "INSERT INTO jobs (kind, runtime, cluster, state, input_json, steps_json, created_at) VALUES (?, 'docker', ?, ?, '{}', '[]', '')",
            ...[kind, cluster, state],
          );
        add('load-images', 'shop', 'succeeded');
        add('prune', '', 'cancelled');
        add('stop', 'shop', 'running');
        database.run(
          "INSERT INTO journal (time, kind, outcome, message, job_id) VALUES ('', 'load-images', 'succeeded', 'Loaded web:1.', 1)",
        );
      },
    );
    withDatabase(migrations, (database) =>
      expect(database.all('SELECT title, message FROM jobs ORDER BY id')).toEqual([
        { title: 'Load images: shop', message: 'Loaded web:1.' },
        { title: 'Prune: docker', message: 'Cancelled.' },
        { title: 'Stop: shop', message: null },
      ]),
    );
  });

  it('allows one active job per cluster and runtime', () => {
    withDatabase(migrations, (database) => {
      const add = (runtime: string, cluster: string, state: string, kind = 'delete'): unknown =>
        database.run(
          "INSERT INTO jobs (kind, runtime, cluster, state, input_json, steps_json, created_at) VALUES (?, ?, ?, ?, '{}', '[]', '')",
          kind,
          runtime,
          cluster,
          state,
        );
      add('docker', 'a', 'running');
      expect(() => add('docker', 'a', 'queued')).toThrow(/UNIQUE/);
      add('docker', 'a', 'failed');
      add('podman', 'a', 'running');
      add('docker', 'b', 'queued', 'create');
      expect(() => add('podman', 'b', 'queued', 'create')).toThrow(/UNIQUE/);
      expect(() => add('docker', 'c', 'dancing')).toThrow(/CHECK/);
    });
  });
});
