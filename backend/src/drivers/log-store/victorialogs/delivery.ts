import { setTimeout as pause } from 'node:timers/promises';
import { reasonOf } from '../../../core/errors/reason-of.js';
import { DatabaseFailure, type HttpClient } from './http-client.js';
import { integerOf } from './line-format.js';
import { allOf, between, compares, streamsOf } from './logsql.js';
import type { Spool } from './spool.js';
import type { Block } from './spool.store.js';

export interface DeliveryTimes {
  /** How long the database may take until lines are on its disk: it flushes every 5 s, its front every second. */
  durableMs: number;
  /** How long it may take until lines that it has can be found. */
  visibleMs: number;
  /** Between attempts while it does not work. */
  retryMs: number;
}

export const DELIVERY_TIMES: DeliveryTimes = { durableMs: 10_000, visibleMs: 3000, retryMs: 1000 };

const BATCH_BYTES = 2 * 1024 * 1024;
/** Approximate maximum of lines per check. */
const CHECKED_BATCHES = 32;
/** Lines that the database does not keep after so many attempts are older than its retention, or too far ahead. */
const MAX_ATTEMPTS = 3;
const QUERY_TIMEOUT_MS = 10_000;
/** Without other queries, the state of the database is checked this often. */
const IDLE_CHECK_MS = 5000;

/** How long closing waits for the database. */
const CLOSE_MS = 5000;

/** Blocks that were sent together. */
interface Batch {
  from: number;
  to: number;
  /** When to check whether the database has them. */
  checkAt: number;
  /** Whether the database acknowledged them, and what it had before had time to reach its disk at `checkAt`. */
  acknowledged: boolean;
  attempts: number;
  /** Whether the database has all of it on its disk, or will never take the rest. */
  isDone: boolean;
}

/**
 * Brings the blocks of the spool to the database. The database acknowledges lines before they are on its disk. So each
 * block stays in the spool until the database had time to flush it, and the database is then asked which lines it has.
 * Only missing ones are sent again. The same happens with lines of which it is unknown whether they arrived.
 */
export class Delivery {
  /** In the order of their blocks. */
  private batches: Batch[] = [];
  private nextBlock = 0;
  private isClosing = false;
  private readonly stop = new AbortController();
  private wake: () => void = () => undefined;
  private readonly running: Promise<void>;
  private writeProblem: string | null = null;
  private readProblem: string | null = null;
  private lastQuery = 0;
  /** Lines that were discarded because the spool was full, or that the database does not keep. */
  discardedLines = 0;

  constructor(
    private readonly spool: Spool,
    private readonly client: HttpClient,
    private readonly store: string,
    private readonly times: DeliveryTimes,
  ) {
    // An earlier process may have sent these, and the last ones of them a moment ago.
    for (let blocks = this.takeNew(); blocks; blocks = this.takeNew()) {
      this.add(blocks, false, times.visibleMs);
    }
    this.running = this.run();
  }

  get problem(): { write: string | null; read: string | null } {
    return { write: this.writeProblem, read: this.readProblem };
  }

  /** Bytes that the database has not acknowledged. */
  get unsentBytes(): number {
    const uncertain = this.batches.find(({ acknowledged }) => !acknowledged);
    const blocks = this.spool.range(uncertain?.from ?? this.nextBlock, Infinity);
    return blocks.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  notify(): void {
    this.wake();
  }

  /** Notes how a query of a reader went. */
  queried(failure: DatabaseFailure | null): void {
    this.lastQuery = Date.now();
    if (failure?.kind === 'unavailable') this.readProblem = failure.message;
    else if (failure === null) this.readProblem = null;
  }

  /** Blocks left the spool because it was full. */
  discarded(blocks: readonly Block[]): void {
    for (const { id, firstSeq, endSeq } of blocks) {
      const batch = this.batches.find(({ from, to }) => from <= id && id <= to);
      if (!batch?.acknowledged) this.discardedLines += endSeq - firstSeq;
    }
    this.batches = this.batches.filter(({ from, to }) => this.spool.range(from, to).length > 0);
  }

  /** Sends what it can, and ends. The rest is checked at the next start. */
  async close(): Promise<void> {
    this.isClosing = true;
    const timer = setTimeout(() => this.stop.abort(), CLOSE_MS);
    this.wake();
    await this.running;
    clearTimeout(timer);
  }

  private async run(): Promise<void> {
    while (!this.isClosing) {
      await this.wait();
      await this.work();
    }
    await this.sendNew();
  }

  /** Until there is something to send or to check. */
  private async wait(): Promise<void> {
    const due = this.batches[0]?.checkAt ?? Infinity;
    const now = Date.now();
    const next = Math.min(due - now, this.readProblem === null ? IDLE_CHECK_MS : this.times.retryMs);
    const stop = new AbortController();
    const woken = new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    if ((this.maySend && this.spool.take(this.nextBlock, 1).length > 0) || this.isClosing || next <= 0) {
      return;
    }
    const timer = pause(Math.max(next, 1), undefined, { signal: stop.signal, ref: false });
    await Promise.race([woken, timer.catch(() => undefined)]);
    stop.abort();
  }

  private async work(): Promise<void> {
    try {
      await this.sendNew();
      await this.checkDue();
      if (Date.now() - this.lastQuery > (this.readProblem === null ? IDLE_CHECK_MS : this.times.retryMs)) {
        await this.query(`${allOf([streamsOf(this.store, null), between(null, 1)])} | limit 1`);
      }
    } catch (error) {
      // The database does not work. A defect must not end the delivery either.
      if (!(error instanceof DatabaseFailure)) this.writeProblem = reasonOf(error);
      await pause(this.times.retryMs, undefined, { ref: false });
    }
  }

  /** Sends blocks for the first time. After a failure, it first checks which of the last blocks the database has. */
  private async sendNew(): Promise<void> {
    while (this.maySend) {
      const blocks = this.takeNew();
      if (!blocks) return;
      const acknowledged = await this.insert(blocks.map((block) => this.spool.rows(block)).join('\n'));
      const { durableMs, visibleMs } = this.times;
      this.add(blocks, acknowledged, acknowledged ? durableMs : visibleMs);
      const isCheckDue = (this.batches[0]?.checkAt ?? Infinity) <= Date.now();
      if (isCheckDue && !this.isClosing) return;
    }
  }

  private get maySend(): boolean {
    return this.batches.every(({ acknowledged }) => acknowledged);
  }

  private takeNew(): Block[] | undefined {
    const blocks = this.spool.take(this.nextBlock, BATCH_BYTES);
    const last = blocks.at(-1);
    if (!last) return undefined;
    this.nextBlock = last.id + 1;
    return blocks;
  }

  private add(blocks: readonly Block[], acknowledged: boolean, waitMs: number): void {
    const from = blocks[0]?.id ?? 0;
    const to = blocks.at(-1)?.id ?? 0;
    const checkAt = Date.now() + waitMs;
    this.batches.push({ from, to, checkAt, acknowledged, attempts: 1, isDone: false });
  }

  private async insert(rows: string): Promise<boolean> {
    try {
      await this.client.insert(`${rows}\n`, this.stop.signal);
      this.writeProblem = null;
      return true;
    } catch (error) {
      this.writeProblem = reasonOf(error);
      return false;
    }
  }

  private async checkDue(): Promise<void> {
    const now = Date.now();
    const end = this.batches.findIndex(({ checkAt }) => checkAt > now);
    const due = this.batches.slice(0, end < 0 ? undefined : end).slice(0, CHECKED_BATCHES);
    const [first] = due;
    const last = due.at(-1);
    if (!first || !last) return;
    // Most often all of them are there: one question for many.
    if (due.every(({ acknowledged }) => acknowledged) && (await this.isComplete(first.from, last.to))) {
      this.done(due);
      return;
    }
    for (const batch of due) if (!batch.isDone) await this.check(batch);
    const kept = this.batches.findIndex(({ isDone }) => !isDone);
    this.done(this.batches.slice(0, kept < 0 ? undefined : kept));
  }

  /** Sends what is missing of a batch. */
  private async check(batch: Batch): Promise<void> {
    const isComplete = await this.isComplete(batch.from, batch.to);
    const missing = isComplete ? [] : await this.missing(batch);
    const { durableMs, visibleMs } = this.times;
    if (missing.length === 0) {
      batch.isDone = batch.acknowledged;
      batch.acknowledged = true;
      batch.checkAt = Date.now() + durableMs;
    } else if (batch.attempts >= MAX_ATTEMPTS) {
      this.discardedLines += missing.length;
      batch.isDone = true;
    } else {
      const wasAcknowledged = batch.acknowledged;
      batch.acknowledged = await this.insert(missing.join('\n'));
      if (batch.acknowledged && wasAcknowledged) batch.attempts += 1;
      batch.checkAt = Date.now() + (batch.acknowledged ? durableMs : visibleMs);
    }
  }

  private done(batches: readonly Batch[]): void {
    const last = batches.at(-1);
    if (!last) return;
    this.batches = this.batches.filter(({ to }) => to > last.to);
    this.spool.confirm(last.to + 1);
  }

  private async isComplete(from: number, to: number): Promise<boolean> {
    const expected = new Map<number, number>();
    for (const { source, firstSeq, endSeq } of this.spool.range(from, to)) {
      expected.set(source, (expected.get(source) ?? 0) + endSeq - firstSeq);
    }
    const rows = await this.query(`${this.linesOf(from, to)} | stats by (source) count_uniq(seq) as lines`);
    const found = new Map(rows.map((row) => [integerOf(row, 'source'), integerOf(row, 'lines')]));
    return [...expected].every(([source, lines]) => found.get(source) === lines);
  }

  /** Rows that the database has not, of one batch. */
  private async missing({ from, to }: Batch): Promise<string[]> {
    const rows: string[] = [];
    // Few blocks at a time, so that the response fits into memory.
    for (let next = from; next <= to;) {
      const blocks = this.spool.take(next, BATCH_BYTES).filter(({ id }) => id <= to);
      const last = blocks.at(-1);
      if (!last) break;
      const fields = 'fields source, seq';
      const found = await this.query(`${this.linesOf(next, last.id)} | ${fields}`);
      const known = new Set(found.map((row) => `${integerOf(row, 'source')}/${integerOf(row, 'seq')}`));
      for (const block of blocks) {
        const lines = this.spool.rows(block).split('\n');
        rows.push(...lines.filter((_, index) => !known.has(`${block.source}/${block.firstSeq + index}`)));
      }
      next = last.id + 1;
    }
    return rows;
  }

  private linesOf(from: number, to: number): string {
    const blocks = this.spool.range(from, to);
    const sources = [...new Set(blocks.map(({ source }) => source))];
    const first = blocks.reduce((least, { firstTime }) => Math.min(least, firstTime), Infinity);
    const last = blocks.reduce((most, { lastTime }) => Math.max(most, lastTime), 0);
    const ids = [compares('block', '>=', from), compares('block', '<=', to)];
    const streams = streamsOf(this.store, sources);
    return allOf([streams, between(Number.isFinite(first) ? first : 0, last + 1), ...ids]);
  }

  private async query(query: string): Promise<ReturnType<HttpClient['rows']>> {
    try {
      const rows = await this.client.rows(query, { timeoutMs: QUERY_TIMEOUT_MS });
      this.queried(null);
      return rows;
    } catch (error) {
      if (error instanceof DatabaseFailure) {
        this.lastQuery = Date.now();
        this.readProblem = error.message;
      }
      throw error;
    }
  }
}
