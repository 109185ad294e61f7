import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { reasonOf } from '../../../core/errors/reason-of.js';
import { startThread as startRealThread } from '../../../core/threads/index.js';
import { unpackEntries, type Entry } from './entry.js';
import type { OwnerAnswer, OwnerData, OwnerRequest, Settled } from './owner-messages.js';

/** Bytes that may be on their way to the disk before readers have to wait, and when they may go on. */
const FULL_BYTES = 8 * 1024 * 1024;
const ROOM_BYTES = 4 * 1024 * 1024;
const AGAIN_MS = 1000;
/** A thread that ends again and again is started less often. */
const MOST_AGAIN_MS = 60_000;
/** So long somebody waits for a thread at most. */
const PATIENCE_MS = 10_000;

const UNKNOWN: Settled = { bytes: null, isSaved: false };

type MemoryEntry = Entry & { place: { kind: 'memory'; bytes: Buffer } };
type Opened = OwnerAnswer & { type: 'opened' };

interface Batch {
  entries: MemoryEntry[];
  bytes: number;
}

/** Who the owner's thread tells what it did by itself. */
export interface OwnerListener {
  hear: (answer: OwnerAnswer & { type: 'replaced' | 'trouble' }) => void;
  /**
   * The thread had ended, and another one has taken its place. What it was asked for and did not do has to be asked
   * for again, lines that are not on disk apart: those it is given anyway.
   */
  reopened: (opened: Opened) => void;
}

/**
 * The owner's thread as the main thread sees it. Where it ends, another one is started: lines wait here meanwhile, as
 * many as readers are let in for, and so does who asked whether something is done.
 */
export class OwnerClient {
  private worker: Worker | undefined;
  private readonly batches = new Map<number, Batch>();
  private readonly requests = new Map<number, (settled: Settled) => void>();
  private waiting: (() => void)[] = [];
  private waitingBytes = 0;
  private lastBatch = 0;
  private lastRequest = 0;
  private retry: NodeJS.Timeout | undefined;
  private restart: NodeJS.Timeout | undefined;
  private restartMs = AGAIN_MS;
  /** Resolves when a thread has taken the place of the one that ended. */
  private absent: PromiseWithResolvers<void> | undefined;
  private closed: (() => void) | undefined;
  private isClosed = false;

  private constructor(
    private readonly data: OwnerData,
    private readonly listener: OwnerListener,
    private readonly startThread: typeof startRealThread,
  ) {}

  /** @throws Error where the folder cannot be opened. */
  static async start(
    data: OwnerData,
    listener: OwnerListener,
    startThread = startRealThread,
  ): Promise<{ owner: OwnerClient; opened: Opened }> {
    const { promise, resolve, reject } = Promise.withResolvers<Opened>();
    const owner = new OwnerClient(data, listener, startThread);
    owner.begin(false, resolve, reject);
    return { owner, opened: await promise };
  }

  /** Bytes of frames that are in no file yet. */
  get unwritten(): number {
    return this.waitingBytes;
  }

  send(request: OwnerRequest): void {
    this.worker?.postMessage(request);
  }

  /**
   * Whether the listener knows where everything is. While a thread takes the place of another it may put lines elsewhere
   * before it has told what it found: that is waited for, within reason, or until the signal is given.
   */
  async isThere(signal?: AbortSignal): Promise<boolean> {
    const { absent } = this;
    if (this.isClosed) return false;
    if (!absent) return true;
    const late = delay(PATIENCE_MS, false, { signal, ref: false }).catch(() => false);
    return await Promise.race([absent.promise.then(() => !this.isClosed), late]);
  }

  /** Has frames written; each entry tells its new place once that is done. */
  write(entries: MemoryEntry[]): void {
    const bytes = sum(entries);
    this.lastBatch += 1;
    this.batches.set(this.lastBatch, { entries, bytes });
    this.waitingBytes += bytes;
    if (!this.retry) this.post(this.lastBatch, entries);
  }

  /** Resolves at once, or when enough of what was written has reached the file. */
  async room(): Promise<void> {
    if (this.waitingBytes < FULL_BYTES || this.isClosed) return;
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /**
   * Resolves when everything that was asked for so far is done, or the disk has refused it; also when it is closed, of
   * which then nothing is known.
   */
  async settled(): Promise<Settled> {
    if (this.isClosed) return UNKNOWN;
    this.lastRequest += 1;
    const request = this.lastRequest;
    return await new Promise((resolve) => {
      this.requests.set(request, resolve);
      this.send({ type: 'sync', request });
    });
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    const { worker } = this;
    if (worker) {
      // A batch that failed gets its last chance.
      if (this.retry) this.postAll();
      await new Promise<void>((resolve) => {
        this.closed = resolve;
        this.send({ type: 'close' });
      });
    }
    this.end();
    await worker?.terminate();
  }

  private begin(goesOn: boolean, opened: (answer: Opened) => void, failed: (error: Error) => void): void {
    const worker = this.startThread(
      import.meta.url,
      'owner-thread',
      { ...this.data, goesOn } satisfies OwnerData,
      {
        // What it makes is short-lived; Node's own size lets several segments of it pile up.
        resourceLimits: { maxYoungGenerationSizeMb: 2 },
      },
    );
    let isOpen = false;
    let reason = new Error('it was ended');
    worker.on('message', (answer: OwnerAnswer) => {
      if (answer.type === 'opened') {
        isOpen = true;
        this.worker = worker;
        opened(answer);
      } else this.take(answer);
    });
    worker.on('error', (error: Error) => (reason = error));
    worker.on('exit', () => {
      if (isOpen) this.lost(reason);
      else failed(reason);
    });
  }

  /** The thread has ended by itself. */
  private lost(error: Error): void {
    this.worker = undefined;
    if (!this.isClosed) this.absent ??= Promise.withResolvers();
    clearTimeout(this.retry);
    this.retry = undefined;
    this.closed?.();
    if (this.isClosed || this.closed) return;
    this.listener.hear({
      type: 'trouble',
      reason: `the thread that writes lines has ended: ${reasonOf(error)}`,
    });
    this.restart = setTimeout(() => {
      this.begin(
        true,
        (opened) => this.goOn(opened),
        (again) => this.lost(again),
      );
    }, this.restartMs).unref();
    this.restartMs = Math.min(this.restartMs * 2, MOST_AGAIN_MS);
  }

  private goOn(opened: Opened): void {
    if (this.isClosed) {
      void this.worker?.terminate();
      return;
    }
    this.listener.reopened(opened);
    this.absent?.resolve();
    this.absent = undefined;
    // Some may have been written, and nobody could say so any more.
    const ends = new Map<number, number>();
    for (const { source, endSeq } of unpackEntries(opened.entries)) {
      ends.set(source, Math.max(ends.get(source) ?? 0, endSeq));
    }
    const before = [...this.batches];
    this.batches.clear();
    this.waitingBytes = 0;
    for (const [batch, { entries }] of before) {
      const missing = entries.filter(({ source, endSeq }) => endSeq > (ends.get(source) ?? 0));
      if (missing.length === 0) continue;
      this.batches.set(batch, { entries: missing, bytes: sum(missing) });
      this.waitingBytes += sum(missing);
    }
    this.postAll();
    for (const request of this.requests.keys()) this.send({ type: 'sync', request });
    this.letIn();
  }

  private post(batch: number, entries: readonly MemoryEntry[]): void {
    if (!this.worker) return;
    const bytes = Buffer.concat(entries.map(({ place }) => place.bytes));
    const sources = [...new Set(entries.map(({ source }) => source))];
    // Handed over, not copied. What is small shares its memory with others, and is.
    const isOwn = bytes.buffer.byteLength === bytes.byteLength;
    this.worker.postMessage(
      { type: 'write', batch, bytes, sources } satisfies OwnerRequest,
      isOwn ? [bytes.buffer] : [],
    );
  }

  /** In their order: the owner takes no batch before one that failed. */
  private postAll(): void {
    clearTimeout(this.retry);
    this.retry = undefined;
    for (const [batch, { entries }] of this.batches) this.post(batch, entries);
  }

  private take(answer: Exclude<OwnerAnswer, { type: 'opened' }>): void {
    switch (answer.type) {
      case 'written':
        this.written(answer);
        break;
      case 'failed':
        this.listener.hear({ type: 'trouble', reason: answer.reason });
        this.retry ??= setTimeout(() => this.postAll(), AGAIN_MS).unref();
        break;
      case 'done':
        this.requests.get(answer.request)?.(answer);
        this.requests.delete(answer.request);
        break;
      case 'closed':
        this.closed?.();
        break;
      case 'replaced':
      case 'trouble':
        this.listener.hear(answer);
        break;
    }
  }

  private written({ batch, file, at }: OwnerAnswer & { type: 'written' }): void {
    this.restartMs = AGAIN_MS;
    const known = this.batches.get(batch);
    if (!known) return;
    this.batches.delete(batch);
    let place = at;
    for (const entry of known.entries) {
      const { length } = entry.place.bytes;
      const moved: Entry = entry;
      moved.place = { kind: 'segment', file, at: place, length };
      place += length;
    }
    this.waitingBytes -= known.bytes;
    this.letIn();
  }

  private letIn(): void {
    if (this.waitingBytes > ROOM_BYTES && !this.isClosed) return;
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }

  private end(): void {
    this.isClosed = true;
    clearTimeout(this.retry);
    clearTimeout(this.restart);
    this.absent?.resolve();
    this.letIn();
    for (const resolve of this.requests.values()) resolve(UNKNOWN);
    this.requests.clear();
  }
}

function sum(entries: readonly MemoryEntry[]): number {
  return entries.reduce((bytes, { place }) => bytes + place.bytes.length, 0);
}
