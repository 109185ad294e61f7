import type { WebSocket } from 'ws';
import { DomainError } from '../../core/errors/index.js';
import type { ServerMessage } from './socket-messages.js';
import { readAck, readSource, readSubscribe } from './client-messages.js';
import type { LiveLines } from './live-lines.js';
import type { LiveSources } from './live-sources.js';
import type { Outlet, Subscription } from './subscription.js';

const MAX_SUBSCRIPTIONS = 1000;
/** No lines are sent while more bytes than this are buffered. */
const MAX_BUFFERED = 192 * 1024;

export class LogClient {
  private readonly subscriptions = new Map<number, Subscription>();
  private readonly starting = new Map<number, symbol>();
  private readonly outlet: Outlet;
  private closed = false;
  private wantsSources = false;

  constructor(
    private readonly socket: WebSocket,
    private readonly send: (message: ServerMessage) => void,
    private readonly lines: LiveLines,
    private readonly sources: LiveSources,
  ) {
    this.outlet = {
      ready: () => this.socket.readyState === this.socket.OPEN && this.socket.bufferedAmount < MAX_BUFFERED,
      send,
    };
  }

  close(): void {
    this.closed = true;
    this.unwatchSources();
    for (const source of [...this.subscriptions.keys()]) this.leave(source);
    this.starting.clear();
  }

  async watchSources(): Promise<void> {
    this.wantsSources = true;
    await this.sources
      .watch(this.outlet, () => this.wantsSources)
      .catch((error: unknown) => this.sendError(error));
  }

  unwatchSources(): void {
    this.wantsSources = false;
    this.sources.unwatch(this.outlet);
  }

  /** Subscribes to a source. Replaces an existing subscription. */
  async subscribe(message: unknown): Promise<void> {
    const wanted = readSubscribe(message);
    if (typeof wanted === 'string') {
      this.send({ type: 'error', code: 'invalid_input', message: wanted });
      return;
    }
    const { source } = wanted;
    if (
      this.starting.size + this.subscriptions.size >= MAX_SUBSCRIPTIONS &&
      !this.subscriptions.has(source)
    ) {
      const text = `A socket can subscribe to at most ${MAX_SUBSCRIPTIONS} sources. Unsubscribe from some, or open another socket.`;
      this.send({ type: 'error', code: 'too_many_requests', message: text, source });
      return;
    }
    this.leave(source);
    const attempt = Symbol('attempt');
    this.starting.set(source, attempt);
    try {
      const subscription = await this.lines.subscribe(source, wanted, this.outlet, (from, run) => {
        // The client may have unsubscribed meanwhile.
        if (this.starting.get(source) === attempt) this.send({ type: 'subscribed', source, from, run });
      });
      if (this.starting.get(source) !== attempt) {
        this.lines.unsubscribe(subscription);
        return;
      }
      this.starting.delete(source);
      this.subscriptions.set(source, subscription);
    } catch (error) {
      if (this.starting.get(source) === attempt) this.starting.delete(source);
      this.sendError(error, source);
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
    this.starting.delete(source);
    const subscription = this.subscriptions.get(source);
    if (!subscription) return;
    this.subscriptions.delete(source);
    this.lines.unsubscribe(subscription);
  }

  private sendError(error: unknown, source?: number): void {
    if (this.closed) return;
    if (!(error instanceof DomainError)) throw error;
    const { code, message } = error;
    this.send({ type: 'error', code, message, ...(source === undefined ? {} : { source }) });
  }
}
