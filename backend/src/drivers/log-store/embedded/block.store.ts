import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { parseOwnJson } from '../../../core/parsing/index.js';
import { Database } from '../../../core/storage/index.js';
import type { RunStart, SourceIdentity } from '../log-source.js';
import { COLUMN_BYTES, ROW_BYTES, type BlockData, type BlockInfo } from './block.js';
import { trigramFilterOf } from './trigram-filter.js';

const MIGRATIONS = [
  `CREATE TABLE sources (
     id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, identity TEXT NOT NULL,
     first_seq INTEGER NOT NULL, next_seq INTEGER NOT NULL, last_time INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE runs (
     run INTEGER NOT NULL, source INTEGER NOT NULL, next_seq INTEGER NOT NULL, PRIMARY KEY (run, source)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE blocks (
     id INTEGER PRIMARY KEY, source INTEGER NOT NULL, first_seq INTEGER NOT NULL, end_seq INTEGER NOT NULL,
     first_time INTEGER NOT NULL, last_time INTEGER NOT NULL, text_bytes INTEGER NOT NULL,
     disk_bytes INTEGER NOT NULL, levels INTEGER NOT NULL, compressed INTEGER NOT NULL
   ) STRICT;
   CREATE UNIQUE INDEX blocks_by_source ON blocks (source, end_seq);
   CREATE INDEX blocks_by_time ON blocks (last_time);
   CREATE INDEX uncompressed_blocks ON blocks (last_time, source, text_bytes, disk_bytes) WHERE compressed = 0;
   CREATE TABLE block_data (
     id INTEGER PRIMARY KEY REFERENCES blocks (id) ON DELETE CASCADE, filter BLOB, columns BLOB NOT NULL, text BLOB NOT NULL
   ) STRICT;`,
];

const KEPT_RUNS = 20;
/** Smaller blocks are read as quickly as their filter. */
const MIN_FILTERED_BYTES = 16 * 1024;
/** Level 1 compresses log lines to 16 % at 380 MB/s, level 3 to 18 % at 330 MB/s, and level 6 to 15 % at 100 MB/s. */
const COMPRESSION_LEVEL = 1;
/** Limits what a damaged row can make zstd allocate. */
const MAX_DATA_BYTES = 64 * 1024 * 1024;

/** The metadata of a source in the database. */
export interface SourceRow {
  id: number;
  identity: SourceIdentity;
  /** Lines before this one are deleted. */
  firstSeq: number;
  nextSeq: number;
  lastTime: number;
}

export type BlockRow = BlockInfo & { id: number; compressed: number };

const ROW = `id, source, first_seq AS firstSeq, end_seq AS endSeq, first_time AS firstTime, last_time AS lastTime,
  text_bytes AS textBytes, disk_bytes AS diskBytes, levels, compressed`;

/** The database of the embedded store. One connection writes; others read, each in its own thread. */
export class BlockStore {
  private constructor(
    /** For what concerns the whole file: transactions, its size, and closing it. */
    readonly database: Database,
  ) {}

  /**
   * Opens the file for the writer.
   * @param checksData looks for damage in the data of blocks too, which takes seconds per gigabyte
   * @throws Error if it cannot be opened now, or was written by a newer version. A damaged file is set aside.
   */
  static open(path: string, checksData: boolean): BlockStore {
    const uncheckedTables = checksData ? [] : ['block_data'];
    const options = { shrinks: true, checkpointsByHand: true, erases: true, synchronous: 'NORMAL' } as const;
    return new BlockStore(Database.open(path, MIGRATIONS, { ...options, uncheckedTables }));
  }

  static openReader(path: string): BlockStore {
    return new BlockStore(Database.open(path, MIGRATIONS, { readOnly: true }));
  }

  /** Says where a damaged file was put; null if no file was damaged. */
  get notice(): string | null {
    const { notice } = this.database;
    if (!notice) return null;
    return `The log history was damaged (${notice.reason}) and was moved to ${notice.setAside}. Slipway started an empty one. Delete the file when you no longer need it.`;
  }

  sources(): SourceRow[] {
    const rows = this.database.all<Omit<SourceRow, 'identity'> & { json: string }>(
      `SELECT id, identity AS json, first_seq AS firstSeq, last_time AS lastTime,
         max(next_seq, ifnull((SELECT max(end_seq) FROM blocks WHERE source = sources.id), 1)) AS nextSeq FROM sources`,
    );
    return rows.map(({ json, ...row }) => ({ ...row, identity: parseOwnJson<SourceIdentity>(json) }));
  }

  /** Highest id that a source ever had. */
  lastSource(): number {
    return this.number("SELECT seq AS value FROM sqlite_sequence WHERE name = 'sources'") ?? 0;
  }

  saveSource({ id, identity, firstSeq, nextSeq, lastTime }: SourceRow): void {
    this.database.run('DELETE FROM sources WHERE key = ? AND id <> ?', identity.key, id);
    this.database.run(
      `INSERT INTO sources (id, key, identity, first_seq, next_seq, last_time) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET identity = excluded.identity`,
      ...[id, identity.key, JSON.stringify(identity), firstSeq, nextSeq, Math.floor(lastTime)],
    );
  }

  removeSource(id: number): void {
    for (const table of ['blocks', 'runs']) this.database.run(`DELETE FROM ${table} WHERE source = ?`, id);
    this.database.run('DELETE FROM sources WHERE id = ?', id);
  }

  runs(): RunStart[] {
    return this.database.all('SELECT run, source, next_seq AS nextSeq FROM runs ORDER BY run');
  }

  beginRun(run: number, sources: readonly SourceRow[]): void {
    for (const { id, nextSeq } of sources) {
      this.database.run('INSERT INTO runs (run, source, next_seq) VALUES (?, ?, ?)', run, id, nextSeq);
    }
    const oldest = 'SELECT min(run) FROM (SELECT DISTINCT run FROM runs ORDER BY run DESC LIMIT ?)';
    this.database.run(`DELETE FROM runs WHERE run < (${oldest})`, KEPT_RUNS);
  }

  /** Whether a block is still wanted: its source is known, and its lines are neither deleted nor stored. */
  isNew({ source, endSeq }: BlockInfo): boolean {
    const end = this.number(
      `SELECT max(first_seq, ifnull((SELECT max(end_seq) FROM blocks WHERE source = sources.id), 1)) AS value
       FROM sources WHERE id = ?`,
      source,
    );
    return end !== undefined && endSeq > end;
  }

  add(info: BlockInfo, data: BlockData, compressed: boolean): void {
    const filter = data.text.length < MIN_FILTERED_BYTES ? null : trigramFilterOf(data.text);
    const columns = compressed ? compress(data.columns) : data.columns;
    const text = compressed ? compress(data.text) : data.text;
    const diskBytes = columns.length + text.length + (filter?.length ?? 0) + ROW_BYTES;
    const { source, firstSeq, endSeq, firstTime, lastTime, textBytes, levels } = info;
    const { id } = this.database.run(
      `INSERT INTO blocks (source, first_seq, end_seq, first_time, last_time, text_bytes, disk_bytes, levels, compressed)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[source, firstSeq, endSeq, firstTime, lastTime, textBytes, diskBytes, levels, compressed ? 1 : 0],
    );
    const insert = 'INSERT INTO block_data (id, filter, columns, text) VALUES (?, ?, ?, ?)';
    this.database.run(insert, id, filter, columns, text);
  }

  remove({ id }: BlockRow): void {
    this.database.run('DELETE FROM blocks WHERE id = ?', id);
  }

  /** Removes the blocks before a line, and does not store such lines again. */
  removeBefore(source: number, firstSeq: number, lastTime: number): void {
    this.database.run('DELETE FROM blocks WHERE source = ? AND end_seq <= ?', source, firstSeq);
    this.database.run(
      `UPDATE sources SET first_seq = max(first_seq, ?1), next_seq = max(next_seq, ?1), last_time = max(last_time, ?2)
       WHERE id = ?3`,
      ...[firstSeq, Math.floor(lastTime), source],
    );
  }

  /** Where the lines of each source end that are older than a time. */
  before(time: number): Pick<BlockRow, 'source' | 'endSeq' | 'lastTime'>[] {
    return this.database.all(
      `SELECT source, max(end_seq) AS endSeq, max(last_time) AS lastTime FROM blocks WHERE last_time < ? GROUP BY source`,
      Math.floor(time),
    );
  }

  /** All blocks, by source and number. */
  all(): BlockRow[] {
    return this.rows('ORDER BY source, end_seq');
  }

  /** The oldest blocks of one source, or of all. */
  oldest(source: number | null, limit: number): BlockRow[] {
    if (source === null) return this.rows('ORDER BY last_time LIMIT ?', limit);
    return this.rows('WHERE source = ? ORDER BY end_seq LIMIT ?', source, limit);
  }

  oldestUncompressed(limit: number): BlockRow[] {
    return this.rows('WHERE compressed = 0 ORDER BY last_time LIMIT ?', limit);
  }

  uncompressedBytes(): number {
    return this.number('SELECT sum(disk_bytes) AS value FROM blocks WHERE compressed = 0') ?? 0;
  }

  /** Sources with more bytes on disk than a limit, and by how much. */
  sourcesAbove(limit: number): { source: number; excess: number }[] {
    return this.database.all(
      'SELECT source, sum(disk_bytes) - ?1 AS excess FROM blocks GROUP BY source HAVING sum(disk_bytes) > ?1',
      limit,
    );
  }

  /** Sources with many small uncompressed blocks, or with some that fill a whole one together. */
  sourcesToMerge(smallBytes: number, count: number): { source: number }[] {
    return this.database.all(
      `SELECT source FROM blocks WHERE compressed = 0 AND text_bytes < ?1 GROUP BY source
       HAVING count(*) >= ?2 OR (count(*) > 1 AND sum(text_bytes) >= ?1)`,
      ...[smallBytes, count],
    );
  }

  /** The newest blocks of a source, newest first. */
  newest(source: number, limit: number): BlockRow[] {
    return this.rows('WHERE source = ? ORDER BY end_seq DESC LIMIT ?', source, limit);
  }

  /** Blocks with lines from one number up to, but not including, another. */
  find(source: number, from: number, to: number): BlockRow[] {
    return this.rows('WHERE source = ? AND end_seq > ? AND first_seq < ? ORDER BY end_seq', source, from, to);
  }

  filter(id: number): Uint8Array | null {
    const query = 'SELECT filter FROM block_data WHERE id = ?';
    return this.database.get<{ filter: Uint8Array | null }>(query, id)?.filter ?? null;
  }

  /**
   * Reads the data of a block.
   * @param withText false if only times, levels and streams are needed; the text is empty then
   * @throws Error if it is damaged, or was deleted since
   */
  data(row: BlockRow, withText = true): BlockData {
    const select = `SELECT columns${withText ? ', text' : ''} FROM block_data WHERE id = ?`;
    const found = this.database.get<{ columns: Uint8Array; text?: Uint8Array }>(select, row.id);
    if (!found) throw new Error(`block ${row.id} is missing`);
    const count = row.endSeq - row.firstSeq;
    const unpack = row.compressed ? decompress : (bytes: Uint8Array) => bytes;
    return {
      columns: unpack(found.columns, count * COLUMN_BYTES),
      text: found.text ? unpack(found.text, row.textBytes + count) : new Uint8Array(),
    };
  }

  private rows(rest: string, ...parameters: number[]): BlockRow[] {
    return this.database.all(`SELECT ${ROW} FROM blocks ${rest}`, ...parameters);
  }

  /** Undefined if there is no such row, or no value in it. */
  private number(sql: string, ...parameters: number[]): number | undefined {
    return this.database.get<{ value: number | null }>(sql, ...parameters)?.value ?? undefined;
  }
}

function compress(bytes: Uint8Array): Uint8Array {
  const { ZSTD_c_compressionLevel: level, ZSTD_c_checksumFlag: checksum } = constants;
  return zstdCompressSync(bytes, { params: { [level]: COMPRESSION_LEVEL, [checksum]: 1 } });
}

/** @param size of the result: zlib then allocates it at once */
function decompress(bytes: Uint8Array, size: number): Uint8Array {
  const chunkSize = Math.max(1024, Math.min(size + 64, MAX_DATA_BYTES));
  return zstdDecompressSync(bytes, { chunkSize, maxOutputLength: MAX_DATA_BYTES });
}
