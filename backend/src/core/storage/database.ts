import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';
import { reasonOf } from '../errors/reason-of.js';
import {
  isDatabaseDamage,
  isDatabaseLocked,
  primaryCode,
  storageFailure,
} from '../errors/storage-failure.js';
import { copyDatabase } from './copy-database.js';
import { newerFormat } from './newest-version.js';

/** SQL that upgrades the schema. `user_version` counts the applied migrations, so they are only ever appended. */
export type Migration = string;

export interface DatabaseNotice {
  /** New path of the damaged file. */
  setAside: string;
  reason: string;
}

/** Time that opening a file waits for a lock of another connection. Nothing is served yet. */
const OPEN_WAIT_MS = 5000;
/** Time that a migration waits for that of another process, which copies the file first. */
const MIGRATION_WAIT_MS = 60_000;
/** Longest wait for a lock. The main thread serves nothing meanwhile. */
const LOCK_WAIT_MS = isMainThread ? 100 : OPEN_WAIT_MS;
/** After a wait without success, writes fail without waiting for this time: many short waits would block the thread too. */
const NO_WAIT_MS = 1000;

const BEFORE_SCHEMA = '.before-schema-';
const COPY_MS = 30 * 24 * 3600_000;

/** Value of the pragma `auto_vacuum=INCREMENTAL`. */
const INCREMENTAL = 2;

/** Runs a write that can be left out while the database cannot be written, such as the time of the last use. */
export function writeIfPossible(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (storageFailure(error) === undefined) throw error;
  }
}

/** How long the result of a trial write holds: health may be requested often, and a write syncs the disk. */
const TRIAL_MS = 2000;

/** The state of the database, for injection. */
export class StorageHealth {
  /** Whether it was damaged when it was opened. */
  readonly notice: DatabaseNotice | undefined;
  private triedAt = -Infinity;
  private problem: string | undefined;

  constructor(private readonly database: Database) {
    this.notice = database.notice;
  }

  /** @throws Error if the database cannot be read */
  verify(): void {
    this.database.verifyReadable();
  }

  /** Why nothing can be written now, as a sentence, by a trial of the last 2 s; undefined if it was written. */
  writeProblem(): string | undefined {
    if (performance.now() - this.triedAt < TRIAL_MS) return this.problem;
    this.triedAt = performance.now();
    try {
      this.database.verifyWritable();
      this.problem = undefined;
    } catch (error) {
      this.problem = storageFailure(error) ?? `Could not write to the database: ${reasonOf(error)}.`;
    }
    return this.problem;
  }
}

interface RunResult {
  changes: number;
  id: number;
}

/** Options for files other than slipway.db. */
export interface DatabaseOptions {
  /** NORMAL: a power cut may lose the last commits, a killed process none; the file stays valid. */
  synchronous?: 'FULL' | 'NORMAL';
  /** Tables that are too large for an integrity check on opening. By default, the whole file is checked. */
  uncheckedTables?: readonly string[];
  /** Allows `shrink`. */
  shrinks?: boolean;
  /**
   * Only `checkpoint` copies the WAL into the file, completely. An automatic checkpoint keeps the copied WAL: if that is
   * truncated afterwards, it is older than the file and damages it.
   */
  checkpointsByHand?: boolean;
  /** Overwrites the content of deleted rows in pages that stay in the file; `shrink` removes the other pages. */
  erases?: boolean;
  /** For a second connection; another one creates the file and its schema. */
  readOnly?: boolean;
}

/**
 * One SQLite file in WAL mode with `synchronous=FULL`: committed jobs and journal entries survive power loss. FULL is the
 * default of SQLite, but set explicitly because Slipway depends on it.
 */
export class Database {
  private readonly statements = new Map<string, StatementSync>();
  private depth = 0;
  /** Until when writes do not wait for a lock; 0 if they wait. */
  private impatientUntil = 0;

  private constructor(
    private readonly database: DatabaseSync,
    private readonly path: string,
    readonly notice: DatabaseNotice | undefined,
    private readonly readOnly: boolean,
  ) {
    this.database.exec(`PRAGMA busy_timeout=${LOCK_WAIT_MS}`);
  }

  /**
   * Opens or creates the file and migrates its schema. A damaged file is renamed, never deleted, and replaced by a new
   * one, with a notice.
   * @throws Error if a newer version wrote the file, or if it cannot be opened now, for example because of a full disk or
   * a lock of another process.
   */
  static open(path: string, migrations: readonly Migration[], options: DatabaseOptions = {}): Database {
    if (options.readOnly) {
      const reader = new DatabaseSync(path, { timeout: OPEN_WAIT_MS, readOnly: true });
      return new Database(reader, path, undefined, true);
    }
    let notice: DatabaseNotice | undefined;
    let database: DatabaseSync;
    try {
      database = openChecked(path, options);
    } catch (error) {
      if (!isDamage(error)) throw notOpened(path, error);
      notice = { setAside: setAside(path), reason: reasonOf(error) };
      database = openChecked(path, options);
    }
    migrate(database, path, migrations);
    removeOldCopies(path);
    return new Database(database, path, notice, false);
  }

  run(sql: string, ...parameters: SQLInputValue[]): RunResult {
    const { changes, lastInsertRowid } = this.locking(() => this.prepare(sql).run(...parameters));
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  /** Inserts a row of column values. @returns as `run` */
  insert(table: string, row: object, onConflict: 'abort' | 'ignore' | 'replace' = 'abort'): RunResult {
    const columns = Object.keys(row);
    const values = Object.values(row) as SQLInputValue[];
    const sql = `INSERT OR ${onConflict} INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
    return this.run(sql, ...values);
  }

  get<TRow>(sql: string, ...parameters: SQLInputValue[]): TRow | undefined {
    return this.prepare(sql).get(...parameters) as TRow | undefined;
  }

  all<TRow>(sql: string, ...parameters: SQLInputValue[]): TRow[] {
    return this.prepare(sql).all(...parameters) as TRow[];
  }

  /**
   * Runs `work`, which must be synchronous, in one transaction. Nested transactions join the outer one. Those of a reader see
   * one state of the file, whatever is written meanwhile.
   */
  transaction<TResult>(work: () => TResult): TResult {
    if (this.depth > 0) return work();
    this.locking(() => this.database.exec(this.readOnly ? 'BEGIN' : 'BEGIN IMMEDIATE'));
    this.depth += 1;
    try {
      const result = work();
      // A reader has nothing to commit, and after an error that `work` has handled, COMMIT would fail with it again.
      this.database.exec(this.readOnly ? 'ROLLBACK' : 'COMMIT');
      return result;
    } catch (error) {
      if (this.database.isTransaction) this.database.exec('ROLLBACK');
      throw error;
    } finally {
      this.depth -= 1;
    }
  }

  /** Removes up to `pages` free pages from the file. Does nothing without the option `shrinks`. */
  shrink(pages: number): void {
    this.database.exec(`PRAGMA incremental_vacuum(${pages})`);
  }

  /**
   * Copies the WAL into the file, syncs the file and truncates the WAL. Waits for readers.
   * @throws Error if the disk fails, or readers do not finish in time.
   */
  checkpoint(): void {
    const { busy } = this.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
    if (busy !== 0) throw new Error(`could not truncate the WAL of ${this.path}: other connections read it`);
  }

  /** Bytes in use, bytes that `shrink` can free, and bytes of the WAL. */
  size(): { used: number; free: number; log: number } {
    const pageBytes = this.number('page_size');
    const free = this.number('freelist_count') * pageBytes;
    const used = this.number('page_count') * pageBytes - free;
    const canShrink = this.number('auto_vacuum') === INCREMENTAL;
    const log = statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    return canShrink ? { used, free, log } : { used: used + free, free: 0, log };
  }

  /** Reads through a new connection, since this one has pages in memory. @throws Error if the file cannot be read */
  verifyReadable(): void {
    if (!this.database.isOpen) throw new Error('it is closed');
    const reader = new DatabaseSync(this.path, { timeout: LOCK_WAIT_MS, readOnly: true });
    try {
      reader.prepare('SELECT count(*) FROM sqlite_master').get();
    } finally {
      reader.close();
    }
  }

  /** Writes one page, which changes nothing. @throws Error if it cannot be written */
  verifyWritable(): void {
    this.transaction(() => this.database.exec(`PRAGMA user_version = ${schemaOf(this.database)}`));
  }

  /** Closes the file after a checkpoint. If that is not possible, the next opening does it. @throws Error of the disk */
  close(): void {
    if (!this.database.isOpen) return;
    try {
      // A read-only connection cannot do a checkpoint.
      if (!this.readOnly) this.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } finally {
      this.statements.clear();
      this.database.close();
    }
  }

  /** Runs what takes the lock. @throws Error of SQLite, without a further wait if another connection keeps the lock */
  private locking<TResult>(work: () => TResult): TResult {
    if (this.impatientUntil > 0 && performance.now() > this.impatientUntil) {
      this.database.exec(`PRAGMA busy_timeout=${LOCK_WAIT_MS}`);
      this.impatientUntil = 0;
    }
    try {
      return work();
    } catch (error) {
      if (isDatabaseLocked(error) && this.impatientUntil === 0) {
        this.database.exec('PRAGMA busy_timeout=0');
        this.impatientUntil = performance.now() + NO_WAIT_MS;
      }
      throw error;
    }
  }

  private number(pragma: string): number {
    return Object.values(this.prepare(`PRAGMA ${pragma}`).get() ?? {})[0] as number;
  }

  private prepare(sql: string): StatementSync {
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = this.database.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }
}

/** The integrity check of a file failed. */
class DamagedDatabase extends Error {}

function isDamage(error: unknown): boolean {
  return error instanceof DamagedDatabase || isDatabaseDamage(error);
}

/** Adds the path to the error of SQLite and keeps its result code. */
function notOpened(path: string, cause: unknown): Error {
  const error = new Error(
    `Could not open ${path}: ${reasonOf(cause)}. The file is unchanged. Fix this, and try again.`,
    { cause },
  );
  if (primaryCode(cause) === undefined) return error;
  return Object.assign(error, { errcode: (cause as { errcode: number }).errcode });
}

function setAside(path: string): string {
  const place = `${path}.damaged-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, place + suffix);
  }
  return place;
}

function openChecked(path: string, options: DatabaseOptions): DatabaseSync {
  // SQLite uses the same mode for the WAL and its index.
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const database = new DatabaseSync(path, { timeout: OPEN_WAIT_MS, enableForeignKeyConstraints: true });
  try {
    // Only takes effect before the first table is created.
    if (options.shrinks) database.exec('PRAGMA auto_vacuum=INCREMENTAL');
    database.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=${options.synchronous ?? 'FULL'};`);
    if (options.erases) database.exec('PRAGMA secure_delete=FAST');
    if (options.checkpointsByHand) database.exec('PRAGMA wal_autocheckpoint=0');
    for (const argument of checksOf(database, options)) {
      const check = database.prepare(`PRAGMA quick_check(${argument})`).get() as { quick_check: string };
      if (check.quick_check !== 'ok') throw new DamagedDatabase(check.quick_check);
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Arguments of `quick_check`: quoted tables, or 1 for the whole file with at most one reported problem. */
function checksOf(database: DatabaseSync, { uncheckedTables }: DatabaseOptions): (string | number)[] {
  if (!uncheckedTables) return [1];
  // Includes internal tables such as `sqlite_sequence`.
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const names = tables
    .map((table) => String(table['name']))
    .filter((name) => !uncheckedTables.includes(name));
  return names.map((name) => `"${name.replaceAll('"', '""')}"`);
}

function migrate(database: DatabaseSync, path: string, migrations: readonly Migration[]): void {
  const isCurrent = (): boolean => {
    const applied = schemaOf(database);
    if (applied <= migrations.length) return applied === migrations.length;
    throw newerFormat(path, `schema ${applied}`, `schemas up to ${migrations.length}`);
  };
  try {
    if (isCurrent()) return;
    // The process of the other application may migrate it at the same time. The lock protects its copy, too.
    database.exec(`PRAGMA busy_timeout=${MIGRATION_WAIT_MS}; BEGIN IMMEDIATE`);
    if (!isCurrent()) {
      const applied = schemaOf(database);
      if (applied > 0) keepCopy(path, migrations.length);
      for (const migration of migrations.slice(applied)) database.exec(migration);
      database.exec(`PRAGMA user_version = ${migrations.length}`);
    }
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    database.close();
    throw error;
  }
}

/** Replaces the copy of a migration that was interrupted. */
function keepCopy(path: string, schema: number): void {
  const copy = path + BEFORE_SCHEMA + String(schema);
  // SQLite would create it with the default mode.
  closeSync(openSync(copy, 'w', 0o600));
  copyDatabase(path, copy);
}

/**
 * Keeps only the newest copy from before a migration, and for a limited time: copies have passwords, tokens and secrets that
 * are no longer valid or were deleted. Never fails.
 */
function removeOldCopies(path: string): void {
  try {
    const [folder, prefix] = [dirname(path), basename(path) + BEFORE_SCHEMA];
    const copies = readdirSync(folder)
      .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
      .map((name) => ({ copy: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
      .sort((one, other) => other.at - one.at);
    for (const [index, { copy, at }] of copies.entries()) {
      if (index > 0 || Date.now() - at > COPY_MS) rmSync(copy);
    }
  } catch {
    // The next start tries again.
  }
}

function schemaOf(database: DatabaseSync): number {
  return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}
