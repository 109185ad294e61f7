import type { WebSocket } from 'ws';
import { DomainError } from '../../core/errors/index.js';
import type { ServerMessage } from './socket-messages.js';
import { readAck, readSource, readSubscribe } from './client-messages.js';
import type { LiveLines } from './live-lines.js';
import type { LiveSources } from './live-sources.js';
import type { Outlet, Subscription } from './subscription.js';

/** Sources that one socket may follow. */
const MOST_SUBSCRIPTIONS = 1000;
/** A socket over which more bytes wait gets no further lines until they are on their way. */
const MOST_WAITING = 192 * 1024;

/** What one socket follows. */
export class LogClient {
  private readonly subscriptions = new Map<number, Subscription>();
  private readonly beginning = new Map<number, symbol>();
  private readonly outlet: Outlet;
  private closed = false;

  constructor(
    private readonly socket: WebSocket,
    private readonly send: (message: ServerMessage) => void,
    private readonly lines: LiveLines,
    private readonly sources: LiveSources,
  ) {
    this.outlet = {
      ready: () => this.socket.readyState === this.socket.OPEN && this.socket.bufferedAmount < MOST_WAITING,
      send,
    };
  }

  close(): void {
    this.closed = true;
    this.sources.unwatch(this.outlet);
    for (const source of [...this.subscriptions.keys()]) this.leave(source);
    this.beginning.clear();
  }

  async watchSources(): Promise<void> {
    await this.sources.watch(this.outlet).catch((error: unknown) => this.refuse(error));
    if (this.closed) this.sources.unwatch(this.outlet);
  }

  unwatchSources(): void {
    this.sources.unwatch(this.outlet);
  }

  /** Follows a source; one that is followed already is followed from the new place on. */
  async subscribe(message: unknown): Promise<void> {
    const wanted = readSubscribe(message);
    if (typeof wanted === 'string') {
      this.send({ type: 'error', code: 'invalid_input', message: wanted });
      return;
    }
    const { source } = wanted;
    if (
      this.beginning.size + this.subscriptions.size >= MOST_SUBSCRIPTIONS &&
      !this.subscriptions.has(source)
    ) {
      const most = `One socket follows up to ${MOST_SUBSCRIPTIONS} sources. Leave some, or open another socket.`;
      this.send({ type: 'error', code: 'too_many_requests', message: most, source });
      return;
    }
    this.leave(source);
    const attempt = Symbol('attempt');
    this.beginning.set(source, attempt);
    try {
      const subscription = await this.lines.subscribe(source, wanted, this.outlet, (from, run) => {
        // Whoever left meanwhile hears nothing of it.
        if (this.beginning.get(source) === attempt) this.send({ type: 'subscribed', source, from, run });
      });
      if (this.beginning.get(source) !== attempt) {
        this.lines.unsubscribe(subscription);
        return;
      }
      this.beginning.delete(source);
      this.subscriptions.set(source, subscription);
    } catch (error) {
      if (this.beginning.get(source) === attempt) this.beginning.delete(source);
      this.refuse(error, source);
    }
  }

  unsubscribe(message: unknown): void {
    const source = readSource(message);
    if (source !== undefined) this.leave(source);
  }

  acknowledge(message: unknown): void {
    const read = readAck(message);
    if (read) this.subscriptions.get(read.source)?.acknowledge(read.seq);
  }

  private leave(source: number): void {
    this.beginning.delete(source);
    const subscription = this.subscriptions.get(source);
    if (!subscription) return;
    this.subscriptions.delete(source);
    this.lines.unsubscribe(subscription);
  }

  private refuse(error: unknown, source?: number): void {
    if (this.closed) return;
    if (!(error instanceof DomainError)) throw error;
    const { code, message } = error;
    this.send({ type: 'error', code, message, ...(source === undefined ? {} : { source }) });
  }
}
