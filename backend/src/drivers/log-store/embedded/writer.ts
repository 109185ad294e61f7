import type { Worker } from 'node:worker_threads';
import { reasonOf } from '../../../core/errors/reason-of.js';
import { startThread } from '../../../core/threads/start-thread.js';
import type {
  OpenedDatabase,
  WriteRequest,
  WriterEvent,
  WriterMessage,
  WriterOptions,
} from './writer-messages.js';

/** Bytes that wait to be written before sources have to wait, and the most that a disk which refuses makes us keep. */
const BUSY_BYTES = 8 * 1024 * 1024;
const MAX_PENDING_BYTES = 32 * 1024 * 1024;
const RETRY_MS = 1000;
const CLOSE_MS = 10_000;

interface Pending {
  request: WriteRequest;
  bytes: number;
}

/** Who learns what the writer did. */
export interface WriterListener {
  /** A request was applied. */
  done: (request: WriteRequest) => void;
  /** Lines could not be written for too long, and are given up. */
  discarded: (request: WriteRequest) => void;
  changed: (event: Extract<WriterEvent, { type: 'merged' | 'dropped' }>) => void;
  /** The thread was restarted. @returns requests to apply before those that are pending */
  reopened: (opened: OpenedDatabase) => WriteRequest[];
}

/**
 * Sends requests to the writer's thread, one after the other, until they are applied. Requests wait here while the disk
 * refuses them or the thread restarts.
 */
export class Writer {
  private worker: Worker | undefined;
  private readonly pending: Pending[] = [];
  /** Number of the first pending request. */
  private firstId = 1;
  private bytes = 0;
  private waiting: { until: () => boolean; resolve: () => void }[] = [];
  private retry: NodeJS.Timeout | undefined;
  private listener: WriterListener | undefined;
  private isClosed = false;
  /** Why requests cannot be applied now; null if they can. */
  failure: string | null = null;
  bytesOnDisk = 0;

  private constructor(private readonly options: WriterOptions) {}

  /** @throws Error if the file cannot be opened now, or was written by a newer version */
  static async open(options: WriterOptions): Promise<{ writer: Writer; opened: OpenedDatabase }> {
    const writer = new Writer(options);
    const opened = await writer.start();
    writer.options.resumedRun = opened.run;
    return { writer, opened };
  }

  set events(listener: WriterListener) {
    this.listener = listener;
  }

  get pendingBytes(): number {
    return this.bytes;
  }

  send(request: WriteRequest): void {
    const blocks = request.type === 'write' ? request.blocks : [];
    const bytes = blocks.reduce((sum, { diskBytes }) => sum + diskBytes, 0);
    this.pending.push({ request, bytes });
    this.bytes += bytes;
    if (this.bytes > MAX_PENDING_BYTES) this.discardOldest();
    if (!this.retry) this.post(this.pending.length - 1);
  }

  /** Resolves when the disk keeps up, and also if it refuses: then waiting would not help. */
  async room(): Promise<void> {
    await this.until(() => this.bytes < BUSY_BYTES || this.failure !== null);
  }

  /** Resolves when everything sent so far is applied. @returns false if the disk refused it, or the store was closed */
  async flush(): Promise<boolean> {
    const last = this.firstId + this.pending.length;
    await this.until(() => this.firstId >= last || this.failure !== null || this.isClosed);
    return this.firstId >= last;
  }

  async close(): Promise<void> {
    const late = setTimeout(() => this.end(), CLOSE_MS);
    await this.flush();
    clearTimeout(late);
    const { worker } = this;
    this.isClosed = true;
    clearTimeout(this.retry);
    if (worker) {
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      worker.postMessage('close' satisfies WriterMessage);
      await ended;
    }
    this.end();
  }

  private end(): void {
    this.isClosed = true;
    void this.worker?.terminate();
    this.worker = undefined;
    this.wake();
  }

  private async start(): Promise<OpenedDatabase> {
    const worker = startThread(import.meta.url, 'writer-thread', this.options);
    worker.unref();
    return await new Promise<OpenedDatabase>((resolve, reject) => {
      worker.on('error', (error) => {
        this.fail(reasonOf(error));
        reject(error);
      });
      worker.once('exit', () => {
        if (this.worker !== worker || this.isClosed) return;
        this.worker = undefined;
        this.retryLater();
      });
      worker.on('message', (event: WriterEvent) => {
        if (event.type !== 'opened') this.hear(event);
        else {
          this.worker = worker;
          resolve(event);
        }
      });
    });
  }

  private hear(event: Exclude<WriterEvent, OpenedDatabase>): void {
    switch (event.type) {
      case 'done':
        this.done(event.id, event.bytesOnDisk);
        return;
      case 'failed':
        this.fail(event.reason);
        this.retryLater();
        return;
      default:
        this.listener?.changed(event);
    }
  }

  private done(id: number, bytesOnDisk: number): void {
    if (id !== this.firstId) return;
    const applied = this.pending.shift();
    if (!applied) return;
    this.firstId += 1;
    this.bytes -= applied.bytes;
    this.bytesOnDisk = bytesOnDisk;
    this.failure = null;
    this.listener?.done(applied.request);
    this.wake();
  }

  private fail(reason: string): void {
    this.failure = reason;
    this.wake();
  }

  private retryLater(): void {
    if (this.isClosed) return;
    this.retry ??= setTimeout(() => void this.tryAgain(), RETRY_MS).unref();
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
      // `start` has told why.
      this.retry = undefined;
      this.retryLater();
    }
  }

  /** Sends the pending requests from an index on. The thread ignores those that it has not reached. */
  private post(from: number): void {
    for (let index = from; index < this.pending.length; index += 1) {
      const { request } = this.pending[index] as Pending;
      this.worker?.postMessage({ id: this.firstId + index, request } satisfies WriterMessage);
    }
  }

  /** Gives up the oldest lines that wait. Their request stays, without lines, so that numbers have no gap. */
  private discardOldest(): void {
    for (const pending of this.pending) {
      if (this.bytes <= MAX_PENDING_BYTES) return;
      if (pending.bytes === 0) continue;
      this.listener?.discarded(pending.request);
      this.bytes -= pending.bytes;
      pending.bytes = 0;
      pending.request = { type: 'write', blocks: [] };
    }
  }

  private async until(holds: () => boolean): Promise<void> {
    if (holds()) return;
    await new Promise<void>((resolve) => this.waiting.push({ until: holds, resolve }));
  }

  private wake(): void {
    const { waiting } = this;
    this.waiting = waiting.filter(({ until }) => !until());
    for (const { until, resolve } of waiting) if (until()) resolve();
  }
}
