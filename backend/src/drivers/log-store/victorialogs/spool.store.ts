import { parseOwnJson } from '../../../core/parsing/index.js';
import { Database, type Migration } from '../../../core/storage/index.js';
import type { RunStart, SourceIdentity } from '../log-source.js';

/** Lines of one source that are written together. */
export interface Block {
  id: number;
  source: number;
  firstSeq: number;
  endSeq: number;
  /** Effective times. */
  firstTime: number;
  lastTime: number;
  /** UTF-8 of its rows. */
  bytes: number;
}

/** The stored data of a source. */
export interface SourceRecord {
  id: number;
  identity: SourceIdentity;
  firstSeq: number;
  nextSeq: number;
  /** UTF-8 of the texts. */
  bytes: number;
  firstTime: number | null;
  /** Latest effective time ever; it does not go back when lines are deleted. */
  lastTime: number;
  /** Lines below this number were deleted and are hidden. */
  hiddenBelow: number;
}

/** Runs of which the numbers are kept; clients of earlier ones load everything again. */
const KEPT_RUNS = 100;

const migrations: readonly Migration[] = [
  `
  -- One row. The id distinguishes several Slipways that share a database.
  CREATE TABLE store (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    id TEXT NOT NULL,
    last_source INTEGER NOT NULL,
    last_block INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    identity_json TEXT NOT NULL,
    first_seq INTEGER NOT NULL,
    next_seq INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    first_time INTEGER,
    last_time INTEGER NOT NULL,
    hidden_below INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE runs (run INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE openings (
    source INTEGER NOT NULL,
    run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
    next_seq INTEGER NOT NULL,
    PRIMARY KEY (source, run)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX openings_by_run ON openings (run);

  -- Lines that the database may not have on its disk, in the order in which they were appended.
  CREATE TABLE blocks (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL,
    first_seq INTEGER NOT NULL,
    end_seq INTEGER NOT NULL,
    first_time INTEGER NOT NULL,
    last_time INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    rows TEXT NOT NULL
  ) STRICT;
  `,
];

/** The SQL of the local file. */
export class SpoolStore {
  private constructor(private readonly database: Database) {}

  /** Opens the file. NORMAL: a killed process loses nothing that was committed; only a power cut may. */
  static open(path: string): SpoolStore {
    return new SpoolStore(Database.open(path, migrations, { synchronous: 'NORMAL' }));
  }

  /** Damaged data that was set aside, as a sentence. */
  get notice(): string | null {
    const { notice } = this.database;
    return notice
      ? `The list of log sources was damaged and set aside as ${notice.setAside}. The log history starts over.`
      : null;
  }

  /** The id of this store; `makeId` makes it at the first opening. */
  identify(makeId: () => string): { id: string; lastSource: number; lastBlock: number } {
    const insert = 'INSERT OR IGNORE INTO store (only, id, last_source, last_block) VALUES (1, ?, 0, 0)';
    this.database.run(insert, makeId());
    const row = this.database.get<{ id: string; lastSource: number; lastBlock: number }>(
      'SELECT id, last_source AS lastSource, last_block AS lastBlock FROM store',
    );
    if (!row) throw new Error('the store has no id');
    return row;
  }

  sources(): SourceRecord[] {
    return this.database
      .all<Omit<SourceRecord, 'identity'> & { identity: string }>(
        `SELECT id, identity_json AS identity, first_seq AS firstSeq, next_seq AS nextSeq, bytes, first_time AS firstTime,
         last_time AS lastTime, hidden_below AS hiddenBelow FROM sources ORDER BY id`,
      )
      .map((row) => ({ ...row, identity: parseOwnJson<SourceIdentity>(row.identity) }));
  }

  blocks(): Block[] {
    return this.database.all<Block>(
      `SELECT id, source, first_seq AS firstSeq, end_seq AS endSeq, first_time AS firstTime, last_time AS lastTime, bytes
       FROM blocks ORDER BY id`,
    );
  }

  /** Begins a run, and records which number each source has next. */
  beginRun(run: number): RunStart[] {
    return this.database.transaction(() => {
      this.database.run('INSERT INTO runs (run) VALUES (?)', run);
      this.database.run(
        'INSERT INTO openings (source, run, next_seq) SELECT id, ?, next_seq FROM sources',
        run,
      );
      this.database.run(
        'DELETE FROM runs WHERE run NOT IN (SELECT run FROM runs ORDER BY run DESC LIMIT ?)',
        KEPT_RUNS,
      );
      return this.database.all<RunStart>(
        'SELECT source, run, next_seq AS nextSeq FROM openings ORDER BY source, run',
      );
    });
  }

  runs(): number[] {
    return this.database.all<{ run: number }>('SELECT run FROM runs ORDER BY run').map(({ run }) => run);
  }

  /** Writes blocks and what changed of sources, all or nothing. */
  write(blocks: readonly (Block & { rows: string })[], sources: Iterable<SourceRecord>): void {
    this.database.transaction(() => {
      for (const { id, source, firstSeq, endSeq, firstTime, lastTime, bytes, rows } of blocks) {
        this.database.run(
          `INSERT INTO blocks (id, source, first_seq, end_seq, first_time, last_time, bytes, rows)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          ...[id, source, firstSeq, endSeq, firstTime, lastTime, bytes, rows],
        );
      }
      const last = blocks.at(-1);
      if (last) this.database.run('UPDATE store SET last_block = MAX(last_block, ?)', last.id);
      for (const source of sources) this.save(source);
    });
  }

  rows(block: number): string {
    return this.database.get<{ rows: string }>('SELECT rows FROM blocks WHERE id = ?', block)?.rows ?? '';
  }

  removeBlocksBelow(id: number): void {
    this.database.run('DELETE FROM blocks WHERE id < ?', id);
  }

  removeSource(id: number): void {
    this.database.transaction(() => {
      this.database.run('DELETE FROM sources WHERE id = ?', id);
      this.database.run('DELETE FROM openings WHERE source = ?', id);
    });
  }

  close(): void {
    this.database.close();
  }

  private save(source: SourceRecord): void {
    const { id, identity, firstSeq, nextSeq, bytes, firstTime, lastTime, hiddenBelow } = source;
    this.database.run(
      `INSERT OR REPLACE INTO sources (id, identity_json, first_seq, next_seq, bytes, first_time, last_time, hidden_below)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[id, JSON.stringify(identity), firstSeq, nextSeq, bytes, firstTime, lastTime, hiddenBelow],
    );
    this.database.run('UPDATE store SET last_source = MAX(last_source, ?)', id);
  }
}
