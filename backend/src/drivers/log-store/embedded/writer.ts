import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { reasonOf } from '../../../core/errors/reason-of.js';
import { startThread } from '../../../core/threads/start-thread.js';
import type { RetentionLimits } from '../log-store.js';
import type { BlockData, BlockInfo } from './block.js';
import type { RunStart } from '../log-source.js';
import type { BlockRow, SourceRow } from './block.store.js';

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

/** The first message of the thread. */
export interface OpenedDatabase {
  run: number;
  runs: RunStart[];
  sources: SourceRow[];
  lastSource: number;
  blocks: BlockRow[];
  notice: string | null;
}

/** Blocks of a source were merged into one; or retention dropped the lines before a number. */
export type BlockChange = Pick<BlockInfo, 'source' | 'firstSeq'> & { merged?: KnownBlock };

/** The reply of the thread to each request, except for `close`: then it ends. */
export interface WriteResponse {
  /** Why the request could not be applied; null if it was. */
  failure: string | null;
  bytesOnDisk: number;
  changes: BlockChange[];
}

export interface WriterListener {
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
  /** Resolves when a request was applied, or has failed. */
  private progress = Promise.withResolvers<unknown>();
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
    await this.waitWhile(() => this.pendingBytes > BUSY_BYTES);
  }

  /** Resolves when everything sent so far is applied. @returns false if the disk refused it, or the store was closed */
  async flush(): Promise<boolean> {
    const last = this.pending.at(-1);
    const isPending = (): boolean => last !== undefined && this.pending.includes(last);
    await this.waitWhile(isPending);
    return !isPending();
  }

  async close(): Promise<void> {
    await this.flush();
    this.isClosed = true;
    const { worker } = this;
    worker?.postMessage({ type: 'close' });
    if (worker) await new Promise((resolve) => worker.once('exit', resolve));
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

  private async start(): Promise<OpenedDatabase> {
    // It keeps nothing: the default heap would take 20 MB more.
    const resourceLimits = { maxYoungGenerationSizeMb: 4 };
    const worker = startThread(import.meta.url, 'writer-thread', this.options, { resourceLimits });
    worker.on('error', () => (this.worker = undefined));
    const [opened] = (await once(worker, 'message')) as [OpenedDatabase];
    this.worker = worker;
    return opened;
  }

  private async apply(request: WriteRequest): Promise<void> {
    if (!this.worker) throw new Error('the writer ended');
    // Rejects if the thread ends, which is always with an error.
    const responded = once(this.worker, 'message') as Promise<[WriteResponse]>;
    this.worker.postMessage(request);
    const [{ failure, bytesOnDisk, changes }] = await responded;
    this.bytesOnDisk = bytesOnDisk;
    for (const change of changes) this.listener?.changed(change);
    if (failure !== null) throw new Error(failure);
    this.pending.shift();
    this.pendingBytes -= bytesOf(request);
    if (request.type === 'write') for (const block of request.blocks) delete block.data;
  }

  private async waitWhile(isBusy: () => boolean): Promise<void> {
    while (isBusy() && this.failure === null && !this.isClosed) await this.progress.promise;
  }

  private wake(): void {
    this.progress.resolve(undefined);
    this.progress = Promise.withResolvers();
  }
}

function bytesOf(request: WriteRequest): number {
  return request.type === 'write' ? request.blocks.reduce((sum, { diskBytes }) => sum + diskBytes, 0) : 0;
}
