import type { LogLine, LogStore } from '../../drivers/log-store/index.js';
import type { ServerMessage } from './socket-messages.js';
import type { RecentLines } from './recent-lines.js';
import { wireLine } from '../log-lines/index.js';

/** Maximum lines per message. */
const BATCH_LINES = 500;
/** Maximum characters per message, except for a single line. Each character can take six bytes of JSON. */
const BATCH_CHARACTERS = 64 * 1024;
/** Maximum unacknowledged lines of a client that sends acks. */
const WINDOW = 20_000;
/** A client that is further behind continues with the newest lines, and receives the skipped range. */
const MAX_LAG_MS = 700;
/** Number of newest lines after a skip. */
const LINES_AFTER_SKIP = 500;

export interface Outlet {
  /** Whether it can take more now. */
  ready: () => boolean;
  send: (message: ServerMessage) => void;
}

/**
 * One client's position in one source. It has no queue, so a slow client costs nothing at any rate. Every line is sent
 * once and in order, or reported as skipped.
 */
export class Subscription {
  private acknowledged: number | undefined;
  private sending = false;
  private closed = false;

  /**
   * @param next sequence number of the first line to send
   * @param promised lines before this number are never skipped
   * @param now milliseconds of the clock of `RecentLines`
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

  get position(): number {
    return this.next;
  }

  get upToDate(): boolean {
    return this.closed || this.next >= this.recent.next;
  }

  close(): void {
    this.closed = true;
  }

  acknowledge(seq: number): void {
    this.acknowledged = Math.max(this.acknowledged ?? 0, seq);
  }

  /**
   * Sends lines while the client can take them. Recent lines are sent synchronously; older ones are read from the store.
   */
  async advance(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    try {
      while (!this.upToDate && this.maySend()) {
        this.skipIfLate();
        const lines = this.recent.from(this.next, BATCH_LINES) ?? (await this.read());
        if (this.closed) return;
        // If all lines were deleted, the next iteration sends the ones that arrived meanwhile.
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
    if (since === undefined || this.next < this.promised || this.now() - since <= MAX_LAG_MS) return;
    this.skipTo(this.recent.next - LINES_AFTER_SKIP);
  }

  private async read(): Promise<readonly LogLine[]> {
    // The result need not contain lines that arrive during the read.
    const end = this.recent.next;
    const lines = await this.store.lines(this.source, this.next, BATCH_LINES, BATCH_CHARACTERS);
    const first = lines[0];
    // Expired lines were deleted before they could be sent.
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
