import type { Worker } from 'node:worker_threads';
import { startThread } from '../../../core/threads/index.js';
import type { Entry } from './entry.js';
import type { OwnerAnswer, OwnerData, OwnerRequest } from './owner-messages.js';

/** Bytes that may be on their way to the disk before readers have to wait, and when they may go on. */
const FULL_BYTES = 8 * 1024 * 1024;
const ROOM_BYTES = 4 * 1024 * 1024;
const AGAIN_MS = 1000;

type MemoryEntry = Entry & { place: { kind: 'memory'; bytes: Buffer } };

interface Batch {
  entries: MemoryEntry[];
  bytes: number;
}

/** The owner's thread as the main thread sees it. */
export class OwnerClient {
  private readonly worker: Worker;
  private readonly batches = new Map<number, Batch>();
  private readonly requests = new Map<number, () => void>();
  private waiting: (() => void)[] = [];
  private unwritten = 0;
  private lastBatch = 0;
  private lastRequest = 0;
  private closed: (() => void) | undefined;
  private ended: Error | undefined;

  private constructor(
    data: OwnerData,
    private readonly heard: (answer: OwnerAnswer & { type: 'replaced' | 'trouble' }) => void,
    opened: (answer: OwnerAnswer & { type: 'opened' }) => void,
    failed: (error: Error) => void,
  ) {
    this.worker = startThread(import.meta.url, 'owner-thread', data, {
      // What it makes is short-lived; Node's own size lets several segments of it pile up.
      resourceLimits: { maxYoungGenerationSizeMb: 2 },
    });
    this.worker.on('message', (answer: OwnerAnswer) => {
      if (answer.type === 'opened') opened(answer);
      else this.take(answer);
    });
    this.worker.on('error', (error: Error) => {
      this.end(error);
      failed(error);
    });
    this.worker.on('exit', () => {
      this.end(new Error('the thread that writes log lines has ended'));
    });
  }

  static async start(
    data: OwnerData,
    heard: (answer: OwnerAnswer & { type: 'replaced' | 'trouble' }) => void,
  ): Promise<{ owner: OwnerClient; opened: OwnerAnswer & { type: 'opened' } }> {
    const { promise, resolve, reject } = Promise.withResolvers<OwnerAnswer & { type: 'opened' }>();
    const owner = new OwnerClient(data, heard, resolve, reject);
    return { owner, opened: await promise };
  }

  send(request: OwnerRequest): void {
    this.worker.postMessage(request);
  }

  /** Has frames written; each entry tells its new place once that is done. */
  write(entries: MemoryEntry[]): void {
    const bytes = Buffer.concat(entries.map(({ place }) => place.bytes));
    this.lastBatch += 1;
    this.batches.set(this.lastBatch, { entries, bytes: bytes.length });
    this.unwritten += bytes.length;
    this.post(this.lastBatch, bytes, entries);
  }

  /** Resolves at once, or when enough of what was written has reached the file. */
  async room(): Promise<void> {
    if (this.unwritten < FULL_BYTES || this.ended) return;
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Resolves when everything that was asked for so far is done. */
  async settled(): Promise<void> {
    if (this.ended) return;
    this.lastRequest += 1;
    const request = this.lastRequest;
    await new Promise<void>((resolve) => {
      this.requests.set(request, resolve);
      this.send({ type: 'sync', request });
    });
  }

  async close(): Promise<void> {
    if (this.ended) return;
    await new Promise<void>((resolve) => {
      this.closed = resolve;
      this.send({ type: 'close' });
    });
    await this.worker.terminate();
  }

  private post(batch: number, bytes: Buffer, entries: MemoryEntry[]): void {
    const sources = [...new Set(entries.map(({ source }) => source))];
    // Handed over, not copied. What is small shares its memory with others, and is.
    const isOwn = bytes.buffer.byteLength === bytes.byteLength;
    this.worker.postMessage(
      { type: 'write', batch, bytes, sources } satisfies OwnerRequest,
      isOwn ? [bytes.buffer as ArrayBuffer] : [],
    );
  }

  private take(answer: Exclude<OwnerAnswer, { type: 'opened' }>): void {
    switch (answer.type) {
      case 'written':
        this.written(answer);
        break;
      case 'failed':
        this.heard({ type: 'trouble', reason: answer.reason });
        setTimeout(() => this.again(answer.batch), AGAIN_MS).unref();
        break;
      case 'done':
        this.requests.get(answer.request)?.();
        this.requests.delete(answer.request);
        break;
      case 'closed':
        this.end(new Error('the history is closed'));
        this.closed?.();
        break;
      case 'replaced':
      case 'trouble':
        this.heard(answer);
        break;
    }
  }

  private written({ batch, file, at }: OwnerAnswer & { type: 'written' }): void {
    const known = this.batches.get(batch);
    if (!known) return;
    this.batches.delete(batch);
    let place = at;
    for (const entry of known.entries) {
      const { length } = entry.place.bytes;
      (entry as Entry).place = { kind: 'segment', file, at: place, length };
      place += length;
    }
    this.unwritten -= known.bytes;
    if (this.unwritten <= ROOM_BYTES) this.letIn();
  }

  private again(batch: number): void {
    const known = this.batches.get(batch);
    if (!known || this.ended) return;
    this.post(batch, Buffer.concat(known.entries.map(({ place }) => place.bytes)), known.entries);
  }

  private letIn(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }

  private end(error: Error): void {
    if (this.ended) return;
    this.ended = error;
    this.letIn();
    for (const resolve of this.requests.values()) resolve();
    this.requests.clear();
  }
}
