import { inject, Service } from '@angular/core';
import type { LogBoardMessage, WireLine } from '../../../shared/api/api-types';
import { BoardConnection } from '../board-connection';

/** Who wants the lines of a source. */
export interface LineReader {
  /** Lines that were told are others now: the server lost them when it was killed. What it has is told anew. */
  changed: (source: number) => void;
  /** The subscription stands: every line from now on is told, or counted as skipped. Once for each connection. */
  began: (source: number) => void;
  lines: (source: number, lines: readonly WireLine[]) => void;
  skipped: (source: number, from: number, to: number) => void;
  failed: (source: number, message: string) => void;
}

interface Subscription {
  readers: Set<LineReader>;
  stands: boolean;
  /** The server does not tell of it: too many are followed, or it is not there. */
  isRefused: boolean;
  /** The last number that was told; undefined before the first. */
  last: number | undefined;
  /** What the server named the time in which it told it. */
  run: number | undefined;
}

const ACK_MS = 100;
/** Until the server is asked again that cannot read its history just now. */
const AGAIN_MS = 2000;

/** One subscription on the socket for each source, however many parts of the page show it. */
@Service()
export class LineSubscriptions {
  private readonly board = inject(BoardConnection);
  private readonly subscriptions = new Map<number, Subscription>();
  private readonly unacknowledged = new Set<number>();
  private acknowledging: ReturnType<typeof setTimeout> | undefined;
  private asking: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.board.listen({ onOpen: () => this.resume(), onMessage: (message) => this.receive(message) });
  }

  /** Begins with what comes from now on; the answer ends it. */
  follow(source: number, reader: LineReader): () => void {
    let subscription = this.subscriptions.get(source);
    if (!subscription) {
      subscription = { readers: new Set(), stands: false, isRefused: false, last: undefined, run: undefined };
      this.subscriptions.set(source, subscription);
      this.board.send({ type: 'subscribe', source });
    } else if (subscription.isRefused) {
      // There may be room by now.
      subscription.isRefused = false;
      this.board.send({ type: 'subscribe', source });
    }
    subscription.readers.add(reader);
    if (subscription.stands) reader.began(source);
    const { readers } = subscription;
    return () => {
      readers.delete(reader);
      if (readers.size > 0) return;
      this.subscriptions.delete(source);
      this.unacknowledged.delete(source);
      this.board.send({ type: 'unsubscribe', source });
    };
  }

  /** After a loss: on from the last line that came, so that none is missing. */
  private resume(): void {
    for (const subscription of this.subscriptions.values()) {
      subscription.stands = false;
      subscription.isRefused = false;
    }
    this.askForRest();
  }

  private askForRest(): void {
    clearTimeout(this.asking);
    this.asking = undefined;
    for (const [source, { last, run, stands, isRefused }] of this.subscriptions) {
      if (stands || isRefused) continue;
      const place = { ...(last !== undefined && { after: last }), ...(run !== undefined && { run }) };
      this.board.send({ type: 'subscribe', source, ...place });
    }
  }

  private receive(message: LogBoardMessage): void {
    if (!('source' in message) || message.source === undefined) return;
    const subscription = this.subscriptions.get(message.source);
    if (!subscription) return;
    const { source } = message;
    switch (message.type) {
      case 'subscribed':
        this.begin(subscription, message);
        return;
      case 'lines':
        this.read(source, subscription, message.lines.at(-1)?.[0]);
        for (const reader of subscription.readers) reader.lines(source, message.lines);
        return;
      case 'skipped':
        this.read(source, subscription, message.to);
        for (const reader of subscription.readers) reader.skipped(source, message.from, message.to);
        return;
      case 'error':
        if (message.code === 'storage_unavailable') {
          this.asking ??= setTimeout(() => this.askForRest(), AGAIN_MS);
          return;
        }
        subscription.isRefused = !subscription.stands;
        for (const reader of subscription.readers) reader.failed(source, message.message);
    }
  }

  private begin(
    subscription: Subscription,
    { source, from, run }: Extract<LogBoardMessage, { type: 'subscribed' }>,
  ): void {
    const hasChanged = subscription.last !== undefined && from <= subscription.last;
    if (hasChanged || subscription.last === undefined) subscription.last = from - 1;
    subscription.run = run;
    subscription.stands = true;
    subscription.isRefused = false;
    // Who begins anew is another reader from then on.
    const readers = [...subscription.readers];
    for (const reader of readers) {
      if (hasChanged) reader.changed(source);
      else reader.began(source);
    }
  }

  private read(source: number, subscription: Subscription, last: number | undefined): void {
    if (last === undefined) return;
    subscription.last = Math.max(subscription.last ?? 0, last);
    this.unacknowledged.add(source);
    this.acknowledging ??= setTimeout(() => this.acknowledge(), ACK_MS);
  }

  private acknowledge(): void {
    this.acknowledging = undefined;
    for (const source of this.unacknowledged) {
      const seq = this.subscriptions.get(source)?.last;
      if (seq !== undefined) this.board.send({ type: 'ack', source, seq });
    }
    this.unacknowledged.clear();
  }
}
