import type { Worker } from 'node:worker_threads';
import { reasonOf } from '../../../core/errors/reason-of.js';
import { startThread } from '../../../core/threads/start-thread.js';
import type { RetentionLimits } from '../log-store.js';
import type { BlockData, BlockInfo } from './block.js';
import type { BlockRow, RunStart, SourceRow } from './block.store.js';

/** A block as the main thread knows it, with its data until that is written. */
export type KnownBlock = BlockInfo & { data?: BlockData };

export interface WriterOptions {
  path: string;
  limits: RetentionLimits;
  /** Bytes of the newest blocks that stay uncompressed. */
  uncompressedBytes: number;
  /** Continues this run, after a complete check of the file, because the thread ended; null begins a new run. */
  resumedRun: number | null;
}

/** A change to the database. Each can be applied twice, so that it can be sent again when nothing is known of it. */
export type WriteRequest =
  | { type: 'write'; blocks: KnownBlock[] }
  | { type: 'source'; row: SourceRow }
  | { type: 'delete'; source: number; firstSeq: number; lastTime: number }
  | { type: 'remove'; source: number }
  | { type: 'maintain' };

/** Requests are numbered. The thread applies them in order, and ignores those after one that failed. */
export type WriterMessage = { id: number; request: WriteRequest } | 'close';

export interface OpenedDatabase {
  type: 'opened';
  run: number;
  runs: RunStart[];
  sources: SourceRow[];
  lastSource: number;
  blocks: BlockRow[];
  notice: string | null;
}

/** Blocks were merged into this one; or retention dropped the lines of a source before this number. */
export type BlockChange =
  { type: 'merged'; block: BlockInfo } | { type: 'dropped'; source: number; firstSeq: number };

export type WriterEvent =
  | OpenedDatabase
  | BlockChange
  | { type: 'done'; id: number; bytesOnDisk: number }
  | { type: 'failed'; reason: string };

/** Who learns what the writer did. */
export interface WriterListener {
  written: (blocks: KnownBlock[]) => void;
  changed: (change: BlockChange) => void;
  /** The thread was restarted. @returns requests to apply before those that are pending */
  reopened: (opened: OpenedDatabase) => WriteRequest[];
}

/** Bytes that wait to be written before sources have to wait, and the most that wait while the disk refuses them. */
const BUSY_BYTES = 8 * 1024 * 1024;
export const MAX_PENDING_BYTES = 32 * 1024 * 1024;
const RETRY_MS = 1000;

/** Sends requests to the writer's thread until they are applied: they wait here while the disk refuses them. */
export class Writer {
  private worker: Worker | undefined;
  private readonly pending: { request: WriteRequest; bytes: number }[] = [];
  /** Number of the first pending request. */
  private firstId = 1;
  private waiting: (() => void)[] = [];
  private retry: NodeJS.Timeout | undefined;
  private isClosed = false;
  listener: WriterListener | undefined;
  pendingBytes = 0;
  bytesOnDisk = 0;
  /** Why requests cannot be applied now; null if they can. */
  failure: string | null = null;

  private constructor(private readonly options: WriterOptions) {}

  /** @throws Error if the file cannot be opened now, or was written by a newer version */
  static async open(options: WriterOptions): Promise<{ writer: Writer; opened: OpenedDatabase }> {
    const writer = new Writer(options);
    try {
      const opened = await writer.start();
      options.resumedRun = opened.run;
      return { writer, opened };
    } catch (error) {
      await writer.close();
      throw error;
    }
  }

  send(request: WriteRequest): void {
    const blocks = request.type === 'write' ? request.blocks : [];
    const bytes = blocks.reduce((sum, { diskBytes }) => sum + diskBytes, 0);
    this.pending.push({ request, bytes });
    this.pendingBytes += bytes;
    if (!this.retry) this.post(this.pending.length - 1);
  }

  /** Resolves when the disk keeps up, and also if it refuses: then waiting would not help. */
  async room(): Promise<void> {
    while (this.pendingBytes > BUSY_BYTES && this.failure === null && !this.isClosed) await this.change();
  }

  /** Resolves when everything sent so far is applied. @returns false if the disk refused it, or the store was closed */
  async flush(): Promise<boolean> {
    const end = this.firstId + this.pending.length;
    while (this.firstId < end && this.failure === null && !this.isClosed) await this.change();
    return this.firstId >= end;
  }

  async close(): Promise<void> {
    await this.flush();
    this.isClosed = true;
    clearTimeout(this.retry);
    const { worker } = this;
    if (!worker) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('close' satisfies WriterMessage);
    await ended;
    this.wake();
  }

  private async start(): Promise<OpenedDatabase> {
    const worker = startThread(import.meta.url, 'writer-thread', this.options);
    return await new Promise<OpenedDatabase>((resolve, reject) => {
      worker.on('error', (error) => {
        this.fail(reasonOf(error));
        reject(error);
      });
      worker.once('exit', () => {
        if (this.worker !== worker) return;
        this.worker = undefined;
        this.retryLater();
      });
      worker.on('message', (event: WriterEvent) => {
        if (event.type === 'opened') {
          this.worker = worker;
          resolve(event);
        } else if (event.type === 'done') this.done(event.id, event.bytesOnDisk);
        else if (event.type === 'failed') this.fail(event.reason);
        else this.listener?.changed(event);
      });
    });
  }

  private done(id: number, bytesOnDisk: number): void {
    if (id !== this.firstId) return;
    const { request, bytes = 0 } = this.pending.shift() ?? {};
    this.firstId += 1;
    this.pendingBytes -= bytes;
    this.bytesOnDisk = bytesOnDisk;
    this.failure = null;
    if (request?.type === 'write') this.listener?.written(request.blocks);
    this.wake();
  }

  private fail(reason: string): void {
    this.failure = reason;
    this.retryLater();
    this.wake();
  }

  private retryLater(): void {
    if (!this.isClosed) this.retry ??= setTimeout(() => void this.tryAgain(), RETRY_MS);
  }

  private async tryAgain(): Promise<void> {
    try {
      if (!this.worker) {
        const requests = this.listener?.reopened(await this.start()) ?? [];
        this.pending.unshift(...requests.map((request) => ({ request, bytes: 0 })));
        this.firstId -= requests.length;
      }
      this.retry = undefined;
      this.post(0);
    } catch {
      this.retry = undefined;
      this.retryLater();
    }
  }

  private post(from: number): void {
    this.pending.slice(from).forEach(({ request }, index) => {
      this.worker?.postMessage({ id: this.firstId + from + index, request } satisfies WriterMessage);
    });
  }

  private async change(): Promise<void> {
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
