import type { RetentionLimits } from '../log-store.js';
import type { BlockInfo, StoredBlock } from './block.js';
import type { RunStart, SourceRow } from './block.store.js';

/** How the writer's thread is started. */
export interface WriterOptions {
  path: string;
  limits: RetentionLimits;
  /** Bytes of the newest blocks that stay uncompressed. */
  uncompressedBytes: number;
  /** Continues this run, with a complete check of the file, because the thread ended; null begins a new run. */
  resumedRun: number | null;
}

/** A change to the database. Each can be applied twice, so that it can be sent again when nothing is known of it. */
export type WriteRequest =
  | { type: 'write'; blocks: (BlockInfo & Partial<Pick<StoredBlock, 'data'>>)[] }
  | { type: 'source'; row: SourceRow }
  | { type: 'delete'; source: number; firstSeq: number; nextSeq: number; lastTime: number }
  | { type: 'remove'; source: number }
  | { type: 'maintain' };

/** Requests are numbered. The writer applies them in order, and ignores those after one that failed. */
export type WriterMessage = { id: number; request: WriteRequest } | 'close';

export interface OpenedDatabase {
  type: 'opened';
  run: number;
  runs: RunStart[];
  sources: SourceRow[];
  lastSource: number;
  blocks: BlockInfo[];
  notice: string | null;
}

export type WriterEvent =
  | OpenedDatabase
  | { type: 'done'; id: number; bytesOnDisk: number }
  | { type: 'failed'; reason: string }
  /** Blocks were merged into this one. */
  | { type: 'merged'; block: BlockInfo }
  /** The retention limits removed the lines of a source before this one. */
  | { type: 'dropped'; source: number; firstSeq: number };
