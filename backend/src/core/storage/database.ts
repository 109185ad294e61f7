import { chmodSync, closeSync, copyFileSync, existsSync, openSync, renameSync, statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { reasonOf } from '../errors/reason-of.js';
import { isDatabaseDamage, primaryCode } from '../errors/storage-failure.js';

/** A step of the schema. Steps are only ever appended; `user_version` counts those that were applied. */
export type Migration = string;

export interface DatabaseNotice {
  /** Where a file that could not be opened was put. */
  setAside: string;
  reason: string;
}

/** What SQLite calls `auto_vacuum=INCREMENTAL`. */
const INCREMENTAL = 2;

/** What the rest of the product may know of how the database was opened. */
export class StorageHealth {
  constructor(readonly notice: DatabaseNotice | undefined) {}
}

/** How a file is opened that is not the product's own small one. */
export interface DatabaseOptions {
  /** NORMAL: a power cut may take the last commits back, a killed process none; the file stays sound. */
  synchronous?: 'FULL' | 'NORMAL';
  /** Tables that are too large to be checked when the file is opened. Without it, the whole file is checked. */
  uncheckedTables?: readonly string[];
  /** Room of removed rows can be given back by `giveBack`. */
  shrinks?: boolean;
  /**
   * The log goes into the file only by `checkpoint`, whole. Otherwise SQLite copies it in passing and leaves it there:
   * a log that is cut afterwards is older than the file, and the two do not fit.
   */
  checkpointsByHand?: boolean;
  /** What removed rows held is overwritten where the page stays in the file; `giveBack` sees to the other pages. */
  erases?: boolean;
  /** A second connection that only looks; the file must be there, and another connection keeps its schema. */
  readOnly?: boolean;
}

/**
 * One SQLite file in WAL mode with `synchronous=FULL`: a committed job or journal entry survives power
 * loss (node:sqlite keeps SQLite's default, but the product depends on it and so says it).
 */
export class Database {
  private readonly statements = new Map<string, StatementSync>();
  private depth = 0;

  private constructor(
    private readonly database: DatabaseSync,
    private readonly path: string,
    readonly notice: DatabaseNotice | undefined,
    private readonly readOnly: boolean,
  ) {}

  /**
   * Opens or makes the file and brings its schema up to date.
   * A file that is not a sound database is renamed, never deleted, and the product starts afresh with a notice.
   * @throws Error when the file comes from a newer version of the product, or cannot be opened now: a full disk, or a
   * lock of another process, says nothing against it, and it stays where it is.
   */
  static open(path: string, migrations: readonly Migration[], options: DatabaseOptions = {}): Database {
    if (options.readOnly) {
      const reader = new DatabaseSync(path, { timeout: 5000, readOnly: true });
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
    return new Database(database, path, notice, false);
  }

  /** Runs a statement that changes rows and tells how many it changed. */
  run(sql: string, ...parameters: SQLInputValue[]): { changes: number; id: number } {
    const { changes, lastInsertRowid } = this.prepare(sql).run(...parameters);
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  get<TRow>(sql: string, ...parameters: SQLInputValue[]): TRow | undefined {
    return this.prepare(sql).get(...parameters) as TRow | undefined;
  }

  all<TRow>(sql: string, ...parameters: SQLInputValue[]): TRow[] {
    return this.prepare(sql).all(...parameters) as TRow[];
  }

  /** Runs `work` in one transaction; a transaction within a transaction joins it. `work` must be synchronous. */
  transaction<TResult>(work: () => TResult): TResult {
    if (this.depth > 0) return work();
    this.database.exec('BEGIN IMMEDIATE');
    this.depth += 1;
    try {
      const result = work();
      this.database.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.database.isTransaction) this.database.exec('ROLLBACK');
      throw error;
    } finally {
      this.depth -= 1;
    }
  }

  /** Gives pages of removed rows back to the disk, at most so many in one go; does nothing unless opened so. */
  giveBack(pages: number): void {
    this.database.exec(`PRAGMA incremental_vacuum(${pages})`);
  }

  /**
   * Brings what was committed into the file and onto the disk, and empties the log. Waits for those who read.
   * @throws Error when the disk does not let it, or somebody reads on and on.
   */
  checkpoint(): void {
    const { busy } = this.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
    if (busy !== 0) throw new Error(`the log of ${this.path} is read by others and cannot be emptied`);
  }

  /** Bytes that are in use, of removed rows that `giveBack` can give back, and of the log beside the file. */
  size(): { used: number; free: number; log: number } {
    const pageBytes = this.number('page_size');
    const free = this.number('freelist_count') * pageBytes;
    const used = this.number('page_count') * pageBytes - free;
    const canShrink = this.number('auto_vacuum') === INCREMENTAL;
    const log = statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    return canShrink ? { used, free, log } : { used: used + free, free: 0, log };
  }

  /** Where the log cannot be emptied, it is the next opening's to do. @throws Error of the disk, when it is closed */
  close(): void {
    if (!this.database.isOpen) return;
    try {
      // One that another process reads stays as it is.
      if (!this.readOnly) this.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } finally {
      this.statements.clear();
      this.database.close();
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

/** The content of a file is not what it has to be. */
class DamagedDatabase extends Error {}

function isDamage(error: unknown): boolean {
  return error instanceof DamagedDatabase || isDatabaseDamage(error);
}

/** Says which file it is; what SQLite says in numbers stays with it. */
function notOpened(path: string, cause: unknown): Error {
  const error = new Error(
    `${path} cannot be opened: ${reasonOf(cause)}. It was left as it is: put that right, and try again.`,
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
  // SQLite gives the files beside it the same mode.
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const database = new DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: true });
  try {
    // Has to be said before the first table is made.
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

/** Arguments of `quick_check`: quoted tables, or 1 for the whole file with one complaint at most. */
function checksOf(database: DatabaseSync, { uncheckedTables }: DatabaseOptions): (string | number)[] {
  if (!uncheckedTables) return [1];
  // Tables of SQLite itself are among them: `sqlite_sequence` is read like any other.
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const names = tables
    .map((table) => String(table['name']))
    .filter((name) => !uncheckedTables.includes(name));
  return names.map((name) => `"${name.replaceAll('"', '""')}"`);
}

function migrate(database: DatabaseSync, path: string, migrations: readonly Migration[]): void {
  const applied = schemaOf(database);
  if (applied === migrations.length) return;
  if (applied > migrations.length) {
    database.close();
    throw new Error(
      `${path} was written by a newer version of Slipway (schema ${applied}, this version knows ${migrations.length}). Start that version again, or choose another APP_DATA_DIR.`,
    );
  }
  if (applied > 0) {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    copyFileSync(path, `${path}.before-schema-${migrations.length}`);
  }
  database.exec('BEGIN IMMEDIATE');
  try {
    // The other application may have done it since, in its own process.
    for (const migration of migrations.slice(schemaOf(database))) database.exec(migration);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    database.close();
    throw error;
  }
}

function schemaOf(database: DatabaseSync): number {
  return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}
