import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Database } from '../../../core/storage/index.js';
import type { SourceIdentity } from '../log-source.js';
import { Block, ROW_BYTES, type BlockData, type BlockInfo, type StoredBlock } from './block.js';

const MIGRATIONS = [
  `CREATE TABLE sources (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     key TEXT NOT NULL UNIQUE,
     identity TEXT NOT NULL,
     first_seq INTEGER NOT NULL,
     next_seq INTEGER NOT NULL,
     last_time INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE runs (
     run INTEGER NOT NULL,
     source INTEGER NOT NULL,
     next_seq INTEGER NOT NULL,
     PRIMARY KEY (run, source)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE blocks (
     id INTEGER PRIMARY KEY,
     source INTEGER NOT NULL,
     first_seq INTEGER NOT NULL,
     end_seq INTEGER NOT NULL,
     first_time INTEGER NOT NULL,
     last_time INTEGER NOT NULL,
     text_bytes INTEGER NOT NULL,
     disk_bytes INTEGER NOT NULL,
     levels INTEGER NOT NULL,
     compressed INTEGER NOT NULL
   ) STRICT;
   CREATE UNIQUE INDEX blocks_by_source ON blocks (source, end_seq);
   CREATE INDEX blocks_by_time ON blocks (last_time);
   CREATE INDEX uncompressed_blocks ON blocks (last_time) WHERE compressed = 0;
   CREATE TABLE block_data (
     id INTEGER PRIMARY KEY REFERENCES blocks (id) ON DELETE CASCADE,
     filter BLOB,
     columns BLOB NOT NULL,
     text BLOB NOT NULL
   ) STRICT;`,
];

const KEPT_RUNS = 20;
/** Level 3 compresses log lines to a fifth at 300 MB/s; level 6 saves a tenth more and takes three times as long. */
const COMPRESSION_LEVEL = 3;
/** Limits what a damaged row can make zstd allocate. */
const MAX_DATA_BYTES = 64 * 1024 * 1024;

const INFO_COLUMNS = `source, first_seq AS firstSeq, end_seq AS endSeq, first_time AS firstTime,
  last_time AS lastTime, text_bytes AS textBytes, disk_bytes AS diskBytes, levels`;

/** What the database stores about a source beside its lines. */
export interface SourceRow {
  id: number;
  identity: SourceIdentity;
  /** Lines before this one are deleted. */
  firstSeq: number;
  nextSeq: number;
  lastTime: number;
}

/** Where a source continued when the store was opened. */
export interface RunStart {
  run: number;
  source: number;
  nextSeq: number;
}

/** The database of the embedded store. One connection writes; others read, each in its own thread. */
export class BlockStore {
  private constructor(private readonly database: Database) {}

  /**
   * Opens the file for the writer.
   * @param checksEverything looks for damage in the data of blocks too, which takes seconds per gigabyte
   * @throws Error if it cannot be opened now, or was written by a newer version. A damaged file is set aside.
   */
  static open(path: string, checksEverything: boolean): BlockStore {
    const database = Database.open(path, MIGRATIONS, {
      synchronous: 'NORMAL',
      ...(checksEverything ? {} : { checkedTables: ['sources', 'runs', 'blocks'] }),
      shrinks: true,
      checkpointsByHand: true,
      erases: true,
    });
    return new BlockStore(database);
  }

  static openReader(path: string): BlockStore {
    return new BlockStore(Database.open(path, MIGRATIONS, { readOnly: true }));
  }

  /** Where a damaged file was put, and what was wrong with it. */
  get setAside(): { path: string; reason: string } | undefined {
    const { notice } = this.database;
    return notice && { path: notice.setAside, reason: notice.reason };
  }

  transaction<TResult>(work: () => TResult): TResult {
    return this.database.transaction(work);
  }

  sources(): SourceRow[] {
    return this.database
      .all<Omit<SourceRow, 'identity'> & { identity: string }>(
        `SELECT id, identity, first_seq AS firstSeq, next_seq AS nextSeq, last_time AS lastTime FROM sources`,
      )
      .map((row) => ({ ...row, identity: JSON.parse(row.identity) as SourceIdentity }));
  }

  /** Highest id that a source ever had. */
  lastSource(): number {
    const row = this.database.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'sources'");
    return row?.seq ?? 0;
  }

  saveSource({ id, identity, firstSeq, nextSeq, lastTime }: SourceRow): void {
    this.database.run('DELETE FROM sources WHERE key = ? AND id <> ?', identity.key, id);
    this.database.run(
      `INSERT INTO sources (id, key, identity, first_seq, next_seq, last_time) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET identity = excluded.identity,
         first_seq = max(first_seq, excluded.first_seq), next_seq = max(next_seq, excluded.next_seq),
         last_time = max(last_time, excluded.last_time)`,
      id,
      identity.key,
      JSON.stringify(identity),
      firstSeq,
      nextSeq,
      Math.floor(lastTime),
    );
  }

  removeSource(id: number): void {
    this.database.run('DELETE FROM blocks WHERE source = ?', id);
    this.database.run('DELETE FROM sources WHERE id = ?', id);
    this.database.run('DELETE FROM runs WHERE source = ?', id);
  }

  runs(): RunStart[] {
    return this.database.all<RunStart>('SELECT run, source, next_seq AS nextSeq FROM runs ORDER BY run');
  }

  beginRun(run: number, sources: readonly Pick<SourceRow, 'id' | 'nextSeq'>[]): void {
    for (const { id, nextSeq } of sources) {
      this.database.run('INSERT INTO runs (run, source, next_seq) VALUES (?, ?, ?)', run, id, nextSeq);
    }
    this.database.run(
      `DELETE FROM runs WHERE run < (SELECT min(run) FROM (SELECT DISTINCT run FROM runs ORDER BY run DESC LIMIT ?))`,
      KEPT_RUNS,
    );
  }

  infos(): (BlockInfo & { compressed: number })[] {
    return this.database.all(`SELECT ${INFO_COLUMNS}, compressed FROM blocks ORDER BY source, end_seq`);
  }

  /** Number after the last stored line of a source. */
  endOf(source: number): number {
    const row = this.database.get<{ end: number | null }>(
      'SELECT max(end_seq) AS end FROM blocks WHERE source = ?',
      source,
    );
    return row?.end ?? 1;
  }

  /** Stores a block. @returns its bytes on disk */
  add(block: StoredBlock, filter: Uint8Array | null, compressed: boolean): number {
    const columns = compressed ? compress(block.data.columns) : block.data.columns;
    const text = compressed ? compress(block.data.text) : block.data.text;
    const diskBytes = columns.length + text.length + (filter?.length ?? 0) + ROW_BYTES;
    const { id } = this.database.run(
      `INSERT INTO blocks (source, first_seq, end_seq, first_time, last_time, text_bytes, disk_bytes, levels, compressed)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      block.source,
      block.firstSeq,
      block.endSeq,
      block.firstTime,
      block.lastTime,
      block.textBytes,
      diskBytes,
      block.levels,
      compressed ? 1 : 0,
    );
    this.database.run(
      'INSERT INTO block_data (id, filter, columns, text) VALUES (?, ?, ?, ?)',
      id,
      filter,
      columns,
      text,
    );
    return diskBytes;
  }

  remove({ source, endSeq }: Pick<BlockInfo, 'source' | 'endSeq'>): void {
    this.database.run('DELETE FROM blocks WHERE source = ? AND end_seq = ?', source, endSeq);
  }

  /** Removes the blocks before a line, and does not store such lines again. */
  removeBefore(source: number, firstSeq: number, nextSeq: number, lastTime: number): void {
    this.database.run('DELETE FROM blocks WHERE source = ? AND end_seq <= ?', source, firstSeq);
    this.database.run(
      `UPDATE sources SET first_seq = max(first_seq, ?), next_seq = max(next_seq, ?), last_time = max(last_time, ?)
       WHERE id = ?`,
      firstSeq,
      nextSeq,
      Math.floor(lastTime),
      source,
    );
  }

  /** The block with the oldest last line; with `uncompressed`, only among those. */
  oldest(which: 'all' | 'uncompressed'): (BlockInfo & { compressed: number }) | undefined {
    return this.database.get(
      `SELECT ${INFO_COLUMNS}, compressed FROM blocks ${which === 'all' ? '' : 'WHERE compressed = 0'} ORDER BY last_time LIMIT 1`,
    );
  }

  /** The oldest block of a source. */
  oldestOf(source: number): (BlockInfo & { compressed: number }) | undefined {
    return this.database.get(
      `SELECT ${INFO_COLUMNS}, compressed FROM blocks WHERE source = ? ORDER BY end_seq LIMIT 1`,
      source,
    );
  }

  /** Blocks that hold lines from one number up to, but not including, another: other ones after a merge. */
  find(source: number, from: number, to: number): (BlockInfo & { id: number; compressed: number })[] {
    return this.database.all(
      `SELECT id, ${INFO_COLUMNS}, compressed FROM blocks WHERE source = ? AND end_seq > ? AND first_seq < ? ORDER BY end_seq`,
      source,
      from,
      to,
    );
  }

  filter(id: number): Uint8Array | null {
    return (
      this.database.get<{ filter: Uint8Array | null }>('SELECT filter FROM block_data WHERE id = ?', id)
        ?.filter ?? null
    );
  }

  /**
   * Reads a block.
   * @param withText false if only times, levels and streams are needed
   * @returns undefined if it was deleted since
   * @throws Error if it is damaged
   */
  read(info: BlockInfo & { id: number; compressed: number }, withText = true): Block | undefined {
    const row = this.database.get<{ columns: Uint8Array; text?: Uint8Array }>(
      `SELECT columns${withText ? ', text' : ''} FROM block_data WHERE id = ?`,
      info.id,
    );
    if (!row) return undefined;
    const count = info.endSeq - info.firstSeq;
    const unpack = (bytes: Uint8Array, size: number): Uint8Array =>
      info.compressed === 0 ? bytes : decompress(bytes, size);
    const data: BlockData = {
      columns: unpack(row.columns, count * 14),
      text: row.text ? unpack(row.text, info.textBytes + count) : new Uint8Array(),
    };
    return new Block(info, data);
  }

  size(): { used: number; free: number; log: number } {
    return this.database.size();
  }

  shrink(pages: number): void {
    this.database.giveBack(pages);
  }

  checkpoint(): void {
    this.database.checkpoint();
  }

  close(): void {
    this.database.close();
  }
}

function compress(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, {
    params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
  });
}

/** @param size expected result: with room for it, zlib does not need to join parts */
function decompress(bytes: Uint8Array, size: number): Uint8Array {
  return zstdDecompressSync(bytes, {
    chunkSize: Math.max(1024, Math.min(size + 64, MAX_DATA_BYTES)),
    maxOutputLength: MAX_DATA_BYTES,
  });
}
