import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Database, type DatabaseNotice } from '../../../core/storage/index.js';
import type { SourceIdentity } from '../../../drivers/log-store/index.js';
import type { Entry } from './entry.js';
import { Frame, type FrameHeader } from './frame.js';
import type { Opening } from './openings.js';

const MIGRATIONS = [
  `CREATE TABLE sources (
     id INTEGER PRIMARY KEY,
     key TEXT NOT NULL UNIQUE,
     identity TEXT NOT NULL,
     first_seq INTEGER NOT NULL,
     next_seq INTEGER NOT NULL,
     last_time INTEGER NOT NULL
   ) STRICT;
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
     ascii INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX blocks_of_source ON blocks (source, end_seq);
   CREATE TABLE block_texts (
     id INTEGER PRIMARY KEY REFERENCES blocks (id) ON DELETE CASCADE,
     filter BLOB NOT NULL,
     columns BLOB NOT NULL,
     text BLOB NOT NULL
   ) STRICT;
   CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;`,
];

/** Of earlier openings so many are known; who was away for longer goes on where the oldest of them began. */
const KEPT_OPENINGS = 20;

/**
 * Lines become a seventh, at 60 MB a second or more. Lower levels are quicker to write, and slower to read again, which
 * happens more often; higher ones take longer than they save.
 */
const COMPRESSION_LEVEL = 6;
/** A frame is half a megabyte, unless a line is very long. What a damaged row says is not believed beyond this. */
const MOST_AT_ONCE = 4 * 1024 * 1024;
/** Of a line in the columns, as a rule. */
const COLUMN_BYTES = 6;

/** What the database keeps of a source besides its lines. */
export interface SourceRow {
  id: number;
  identity: SourceIdentity;
  /** Lines before this one are gone, also where a segment still holds them. */
  firstSeq: number;
  /** At least this one is next. */
  nextSeq: number;
  lastTime: number;
}

interface BlockRow {
  source: number;
  first_seq: number;
  end_seq: number;
  first_time: number;
  last_time: number;
  levels: number;
  ascii: number;
}

/** The older lines: frames, compressed, each a row, in a database of their own. */
export class BlockStore {
  /** Highest number of a block so far: those of blocks that are gone are in the memory of readers. */
  private lastBlock: number | undefined;

  private constructor(private readonly database: Database) {}

  /** Opens it for the one who writes. Only its small tables are checked: a block tells itself when it is read. */
  static open(path: string): BlockStore {
    return new BlockStore(
      Database.open(path, MIGRATIONS, {
        synchronous: 'NORMAL',
        checkedTables: ['sources', 'blocks', 'counters'],
        shrinks: true,
        checkpointsByHand: true,
        erases: true,
      }),
    );
  }

  /** Opens it for one who reads, while another has it open to write. */
  static reader(path: string): BlockStore {
    return new BlockStore(Database.open(path, MIGRATIONS, { readOnly: true }));
  }

  get notice(): DatabaseNotice | undefined {
    return this.database.notice;
  }

  sources(): SourceRow[] {
    return this.database
      .all<{ id: number; identity: string; first_seq: number; next_seq: number; last_time: number }>(
        'SELECT id, identity, first_seq, next_seq, last_time FROM sources',
      )
      .map((row) => ({
        id: row.id,
        identity: JSON.parse(row.identity) as SourceIdentity,
        firstSeq: row.first_seq,
        nextSeq: row.next_seq,
        lastTime: row.last_time,
      }));
  }

  /** Highest number that a source ever had. */
  lastSource(): number {
    return (
      this.database.get<{ value: number }>("SELECT value FROM counters WHERE name = 'source'")?.value ?? 0
    );
  }

  saveSource({ id, identity, firstSeq, nextSeq, lastTime }: SourceRow): void {
    this.database.transaction(() => {
      // One whose removal was lost must not stand in the way of who has its key now.
      this.database.run('DELETE FROM sources WHERE key = ? AND id < ?', identity.key, id);
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
      this.database.run(
        `INSERT INTO counters (name, value) VALUES ('source', ?)
         ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`,
        id,
      );
    });
  }

  /** Every opening that is known, the oldest first. */
  openings(): Opening[] {
    return this.database
      .all<{ name: string; value: number }>("SELECT name, value FROM counters WHERE name LIKE 'next/%'")
      .map(({ name, value }) => {
        const [, run, source] = name.split('/');
        return { run: Number(run), source: Number(source), nextSeq: value };
      })
      .sort((one, other) => one.run - other.run);
  }

  /** Keeps the newest openings. Among the counters: with a new table all lines would be copied once. */
  saveOpenings(openings: readonly Opening[]): void {
    const oldest = [...new Set(openings.map(({ run }) => run))].at(-KEPT_OPENINGS) ?? 0;
    this.database.transaction(() => {
      this.database.run("DELETE FROM counters WHERE name LIKE 'next/%'");
      for (const { run, source, nextSeq } of openings) {
        if (run < oldest) continue;
        const name = `next/${run}/${source}`;
        this.database.run('INSERT INTO counters (name, value) VALUES (?, ?)', name, nextSeq);
      }
    });
  }

  /** Removes what is before the first line of a source that is kept. */
  dropBefore(source: number, firstSeq: number): void {
    this.database.run('DELETE FROM blocks WHERE source = ? AND end_seq <= ?', source, firstSeq);
  }

  removeSource(id: number): void {
    this.database.transaction(() => {
      this.database.run('DELETE FROM blocks WHERE source = ?', id);
      this.database.run('DELETE FROM sources WHERE id = ?', id);
      this.database.run("DELETE FROM counters WHERE name LIKE 'next/%/' || ?", id);
    });
  }

  transaction<TResult>(work: () => TResult): TResult {
    return this.database.transaction(work);
  }

  /** Bytes that blocks and tables take, that removed ones took and still hold, and that are in the log. */
  size(): { used: number; free: number; log: number } {
    return this.database.size();
  }

  /** Gives room back that removed blocks took, 8 MB at most: a tenth of a second. */
  shrink(): void {
    this.database.giveBack(2000);
  }

  /** After this a log that is cut loses nothing of what was committed before. @throws Error where the disk does not let it */
  checkpoint(): void {
    this.database.checkpoint();
  }

  /** Compresses a frame and keeps it. */
  add(frame: Frame, filter: Uint8Array): Entry {
    const { header } = frame;
    const columns = compress(frame.packedColumns);
    const text = compress(frame.text);
    const entry: Omit<Entry, 'place'> = {
      source: header.source,
      firstSeq: header.firstSeq,
      endSeq: frame.endSeq,
      firstTime: header.firstTime,
      lastTime: header.lastTime,
      textBytes: frame.text.length - header.count,
      diskBytes: filter.length + columns.length + text.length + ROW_BYTES,
      levels: header.levels,
    };
    this.lastBlock ??= this.database.get<{ id: number | null }>('SELECT max(id) AS id FROM blocks')?.id ?? 0;
    this.lastBlock += 1;
    const id = this.lastBlock;
    this.database.run(
      `INSERT INTO blocks (id, source, first_seq, end_seq, first_time, last_time, text_bytes, disk_bytes, levels, ascii)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      entry.source,
      entry.firstSeq,
      entry.endSeq,
      entry.firstTime,
      entry.lastTime,
      entry.textBytes,
      entry.diskBytes,
      entry.levels,
      header.ascii ? 1 : 0,
    );
    this.database.run(
      'INSERT INTO block_texts (id, filter, columns, text) VALUES (?, ?, ?, ?)',
      id,
      filter,
      columns,
      text,
    );
    return { ...entry, place: { kind: 'block', id } };
  }

  entries(): Entry[] {
    return this.database
      .all<BlockRow & { id: number; text_bytes: number; disk_bytes: number }>(
        `SELECT id, source, first_seq, end_seq, first_time, last_time, text_bytes, disk_bytes, levels, ascii
         FROM blocks ORDER BY source, first_seq`,
      )
      .map((row) => ({
        source: row.source,
        firstSeq: row.first_seq,
        endSeq: row.end_seq,
        firstTime: row.first_time,
        lastTime: row.last_time,
        textBytes: row.text_bytes,
        diskBytes: row.disk_bytes,
        levels: row.levels,
        place: { kind: 'block', id: row.id },
      }));
  }

  filter(id: number): Uint8Array | undefined {
    return this.database.get<{ filter: Uint8Array }>('SELECT filter FROM block_texts WHERE id = ?', id)
      ?.filter;
  }

  /**
   * @returns undefined where the block is gone.
   * @throws Error where it is damaged.
   */
  frame(id: number, withText = true): Frame | undefined {
    const row = this.database.get<BlockRow & { text_bytes: number; columns: Uint8Array; text?: Uint8Array }>(
      `SELECT source, first_seq, end_seq, first_time, last_time, text_bytes, levels, ascii,
         columns${withText ? ', text' : ''}
       FROM blocks JOIN block_texts USING (id) WHERE id = ?`,
      id,
    );
    if (!row) return undefined;
    const count = row.end_seq - row.first_seq;
    const columns = decompress(row.columns, count * COLUMN_BYTES);
    const text = row.text ? decompress(row.text, row.text_bytes + count) : Buffer.alloc(0);
    const header: FrameHeader = {
      kind: 'lines',
      ascii: row.ascii === 1,
      source: row.source,
      count,
      firstSeq: row.first_seq,
      firstTime: row.first_time,
      lastTime: row.last_time,
      payloadBytes: columns.length + text.length,
      filterBytes: 0,
      columnsBytes: columns.length,
      levels: row.levels,
    };
    return new Frame(header, columns, text);
  }

  close(): void {
    this.database.close();
  }
}

/** What SQLite takes for the two rows of a block beside what is in them. */
const ROW_BYTES = 120;

function compress(bytes: Uint8Array): Buffer {
  return zstdCompressSync(bytes, {
    params: {
      [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL,
      [constants.ZSTD_c_checksumFlag]: 1,
    },
  });
}

/** @param size of what it was, as a rule: room for all of it is made at once, and it is not put together of parts. */
function decompress(bytes: Uint8Array, size: number): Buffer {
  // One that is filled to its last byte is asked for more.
  return zstdDecompressSync(bytes, { chunkSize: Math.max(1024, Math.min(size + 64, MOST_AT_ONCE)) });
}
