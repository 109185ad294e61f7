import { setTimeout as delay } from 'node:timers/promises';
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
  | { type: 'maintain' }
  | { type: 'close' };

export interface OpenedDatabase {
  run: number;
  runs: RunStart[];
  sources: SourceRow[];
  lastSource: number;
  blocks: BlockRow[];
  notice: string | null;
}

/** Blocks were merged into this one; or retention dropped the lines of a source before this number. */
export type BlockChange =
  { type: 'merged'; block: KnownBlock } | { type: 'dropped'; source: number; firstSeq: number };

/** What the thread sends: one response per request, and changes at any time. */
export type WriterEvent =
  | { type: 'opened'; opened: OpenedDatabase }
  | { type: 'applied'; bytesOnDisk: number }
  | { type: 'failed'; reason: string }
  | BlockChange;

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

/** Sends requests to the writer's thread, one after the other. They wait here while the disk refuses them. */
export class Writer {
  private worker: Worker | undefined;
  private readonly pending: WriteRequest[] = [];
  private readonly waiting: (() => void)[] = [];
  private isSending = false;
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
    const opened = await writer.start();
    options.resumedRun = opened.run;
    return { writer, opened };
  }

  send(request: WriteRequest): void {
    this.pending.push(request);
    this.pendingBytes += bytesOf(request);
    if (!this.isSending) void this.sendAll();
  }

  /** Resolves when the disk keeps up, and also if it refuses: then waiting would not help. */
  async room(): Promise<void> {
    while (this.pendingBytes > BUSY_BYTES && this.failure === null && !this.isClosed) await this.progress();
  }

  /** Resolves when everything sent so far is applied. @returns false if the disk refused it, or the store was closed */
  async flush(): Promise<boolean> {
    const last = this.pending.at(-1);
    const isPending = (): boolean => last !== undefined && this.pending.includes(last);
    while (isPending() && this.failure === null && !this.isClosed) await this.progress();
    return !isPending();
  }

  async close(): Promise<void> {
    await this.flush();
    this.isClosed = true;
    if (this.worker) await this.call({ type: 'close' }).catch(() => undefined);
    await this.worker?.terminate();
    this.wake();
  }

  private async sendAll(): Promise<void> {
    this.isSending = true;
    while (this.pending.length > 0 && !this.isClosed) {
      try {
        if (!this.worker) this.pending.unshift(...(this.listener?.reopened(await this.start()) ?? []));
        await this.apply(this.pending[0] as WriteRequest);
        this.failure = null;
      } catch (error) {
        this.failure = reasonOf(error);
        this.wake();
        await delay(RETRY_MS, undefined, { ref: false });
      }
      this.wake();
    }
    this.isSending = false;
  }

  private async apply(request: WriteRequest): Promise<void> {
    this.bytesOnDisk = await this.call(request);
    this.pending.shift();
    this.pendingBytes -= bytesOf(request);
    if (request.type === 'write') this.listener?.written(request.blocks);
  }

  private async start(): Promise<OpenedDatabase> {
    // It keeps nothing: a small heap is enough, and the default takes 20 MB more.
    const worker = startThread(import.meta.url, 'writer-thread', this.options, {
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    const opened = await new Promise<OpenedDatabase>((resolve, reject) => {
      worker.once('error', reject);
      worker.on('message', (event: WriterEvent) => {
        if (event.type === 'opened') resolve(event.opened);
        else if (event.type === 'merged' || event.type === 'dropped') this.listener?.changed(event);
      });
    });
    this.worker = worker;
    worker.on('error', () => undefined).once('exit', () => (this.worker = undefined));
    return opened;
  }

  /** @returns bytes on disk */
  private async call(request: WriteRequest): Promise<number> {
    const { worker } = this;
    if (!worker) throw new Error('the writer is not running');
    const settled = new AbortController();
    try {
      return await new Promise<number>((resolve, reject) => {
        const hear = (event: WriterEvent): void => {
          if (event.type === 'applied') resolve(event.bytesOnDisk);
          if (event.type === 'failed') reject(new Error(event.reason));
        };
        const ended = (): void => reject(new Error('the writer ended'));
        worker.on('message', hear).once('error', reject).once('exit', ended);
        settled.signal.onabort = () => worker.off('message', hear).off('error', reject).off('exit', ended);
        worker.postMessage(request);
      });
    } finally {
      settled.abort();
    }
  }

  private async progress(): Promise<void> {
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

function bytesOf(request: WriteRequest): number {
  return request.type === 'write' ? request.blocks.reduce((sum, { diskBytes }) => sum + diskBytes, 0) : 0;
}
