import { inject, Service } from '@angular/core';
import type { LogBoardMessage, WireLine } from '../../../shared/api/api-types';
import { BoardConnection } from '../../api/board-connection';

export interface LineListener {
  /** The server lost lines that it had sent: it sends its lines again from the start. */
  onReset: (source: number) => void;
  /** The subscription is active: from now on each line is sent or counted as skipped. Called once per connection. */
  onStart: (source: number) => void;
  onLines: (source: number, lines: readonly WireLine[]) => void;
  onSkipped: (source: number, from: number, to: number) => void;
  onError: (source: number, message: string) => void;
}

interface Subscription {
  listeners: Set<LineListener>;
  isActive: boolean;
  /** Refused: too many subscriptions, or the source does not exist. */
  isRefused: boolean;
  /** The last received sequence number; undefined before the first line. */
  last: number | undefined;
  /** The epoch of the sequence numbers, from the server. */
  epoch: number | undefined;
}

const ACK_MS = 100;
/** Delay before subscribing again if the server cannot read its history. */
const RETRY_MS = 2000;

/** Shares one subscription per source among all parts of the page. */
@Service()
export class LineSubscriptions {
  private readonly board = inject(BoardConnection);
  private readonly subscriptions = new Map<number, Subscription>();
  private readonly unacknowledged = new Set<number>();
  private acknowledging: ReturnType<typeof setTimeout> | undefined;
  private resubscribing: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.board.listen({ onOpen: () => this.resume(), onMessage: (message) => this.receive(message) });
  }

  /** Subscribes to new lines; call the result to unsubscribe. */
  follow(source: number, listener: LineListener): () => void {
    const known = this.subscriptions.get(source);
    const subscription = known ?? {
      listeners: new Set(),
      isActive: false,
      isRefused: true,
      last: undefined,
      epoch: undefined,
    };
    this.subscriptions.set(source, subscription);
    if (subscription.isRefused) this.board.send({ type: 'subscribe', source });
    subscription.isRefused = false;
    subscription.listeners.add(listener);
    if (subscription.isActive) listener.onStart(source);
    const { listeners } = subscription;
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      this.subscriptions.delete(source);
      this.unacknowledged.delete(source);
      this.board.send({ type: 'unsubscribe', source });
    };
  }

  /** After a lost connection: continues after the last received line. */
  private resume(): void {
    for (const subscription of this.subscriptions.values()) {
      subscription.isActive = false;
      subscription.isRefused = false;
    }
    this.resubscribe();
  }

  private resubscribe(): void {
    clearTimeout(this.resubscribing);
    this.resubscribing = undefined;
    for (const [source, { last, epoch, isActive, isRefused }] of this.subscriptions) {
      if (isActive || isRefused) continue;
      const place = {
        ...(last !== undefined && { after: last }),
        ...(epoch !== undefined && { run: epoch }),
      };
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
        this.received(source, subscription, message.lines.at(-1)?.[0]);
        for (const listener of subscription.listeners) listener.onLines(source, message.lines);
        return;
      case 'skipped':
        this.received(source, subscription, message.to);
        for (const listener of subscription.listeners) listener.onSkipped(source, message.from, message.to);
        return;
      case 'error':
        if (message.code === 'storage_unavailable') {
          this.resubscribing ??= setTimeout(() => this.resubscribe(), RETRY_MS);
          return;
        }
        subscription.isRefused = !subscription.isActive;
        for (const listener of subscription.listeners) listener.onError(source, message.message);
    }
  }

  private begin(
    subscription: Subscription,
    { source, from, run }: Extract<LogBoardMessage, { type: 'subscribed' }>,
  ): void {
    const hasChanged = subscription.last !== undefined && from <= subscription.last;
    if (hasChanged || subscription.last === undefined) subscription.last = from - 1;
    subscription.epoch = run;
    subscription.isActive = true;
    subscription.isRefused = false;
    // Listeners may be replaced during the calls.
    const listeners = [...subscription.listeners];
    for (const listener of listeners) {
      if (hasChanged) listener.onReset(source);
      else listener.onStart(source);
    }
  }

  private received(source: number, subscription: Subscription, last: number | undefined): void {
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
