import type { LogLine, LogStore } from '../../drivers/log-store/index.js';
import type { ServerMessage } from './socket-messages.js';
import type { RecentLines } from './recent-lines.js';
import { wireLine } from '../log-lines/index.js';

/** Most lines of a message. */
const BATCH_LINES = 500;
/** Most characters of a message's lines, but for one line. Each can take six bytes of JSON. */
const BATCH_CHARACTERS = 64 * 1024;
/** Lines that a client which acknowledges may have before it has said that it read them. */
const WINDOW = 20_000;
/** A reader that is behind by more than this goes on with the newest lines, and is told which ones it did not get. */
const LONGEST_LAG_MS = 700;
/** So many of the newest it then gets. */
const KEPT_LINES = 500;

/** Where a subscription's messages go. */
export interface Outlet {
  /** Whether more may be handed to it now. */
  ready: () => boolean;
  send: (message: ServerMessage) => void;
}

/**
 * One client that follows one source: no queue, but a place in the source, and what is sent from there on. So a reader
 * that does not read costs nothing, whatever is written. Every line is sent once and in order, or told as skipped.
 */
export class Subscription {
  private acknowledged: number | undefined;
  private sending = false;
  private closed = false;

  /**
   * @param next sequence number of the first line that the client has not got
   * @param promised lines below this number are sent however late it becomes
   * @param now milliseconds of a clock that never goes back, as `RecentLines` has it
   */
  constructor(
    readonly source: number,
    private readonly recent: RecentLines,
    private readonly store: Pick<LogStore, 'lines'>,
    private readonly outlet: Outlet,
    private next: number,
    private readonly promised: number,
    private readonly now: () => number,
  ) {}

  /** Sequence number of the first line that was not sent. */
  get position(): number {
    return this.next;
  }

  /** Whether everything was sent. */
  get upToDate(): boolean {
    return this.closed || this.next >= this.recent.next;
  }

  /** Nothing is sent any more. */
  close(): void {
    this.closed = true;
  }

  /** The client has read up to this line. */
  acknowledge(seq: number): void {
    this.acknowledged = Math.max(this.acknowledged ?? 0, seq);
  }

  /**
   * Sends what there is as long as the client takes it. Lines that everybody gets just now are at hand and sent before
   * this returns; older ones are read first.
   */
  async advance(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    try {
      while (!this.upToDate && this.maySend()) {
        this.skipIfLate();
        const lines = this.recent.from(this.next, BATCH_LINES) ?? (await this.read());
        if (this.closed) return;
        // Where nothing of it is kept any more, what came meanwhile is sent next.
        if (lines.length > 0) this.sendLines(lines);
      }
    } finally {
      this.sending = false;
    }
  }

  private maySend(): boolean {
    const unread = this.acknowledged === undefined ? 0 : this.next - 1 - this.acknowledged;
    return !this.closed && unread < WINDOW && this.outlet.ready();
  }

  private skipIfLate(): void {
    const since = this.recent.arrivalOf(this.next);
    if (since === undefined || this.next < this.promised || this.now() - since <= LONGEST_LAG_MS) return;
    this.skipTo(this.recent.next - KEPT_LINES);
  }

  private async read(): Promise<readonly LogLine[]> {
    // Of what comes while it is read, the answer need not know.
    const end = this.recent.next;
    const lines = await this.store.lines(this.source, this.next, BATCH_LINES, BATCH_CHARACTERS);
    const first = lines[0];
    // What is older than the history keeps is gone, before it could be sent.
    if (first && !this.closed) this.skipTo(first.seq);
    else if (!first) this.next = end;
    return lines;
  }

  private skipTo(seq: number): void {
    if (seq <= this.next) return;
    const { source } = this;
    this.outlet.send({ type: 'skipped', source, from: this.next, to: seq - 1, count: seq - this.next });
    this.next = seq;
  }

  private sendLines(lines: readonly LogLine[]): void {
    let count = 0;
    let characters = 0;
    while (count < lines.length && (count === 0 || characters < BATCH_CHARACTERS)) {
      characters += lines[count]?.text.length ?? 0;
      count += 1;
    }
    const sent = lines.slice(0, count);
    this.outlet.send({ type: 'lines', source: this.source, lines: sent.map(wireLine) });
    this.next = (sent.at(-1)?.seq ?? this.next) + 1;
  }
}
