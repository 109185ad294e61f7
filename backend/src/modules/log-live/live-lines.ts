import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Subscription as Listening } from 'rxjs';
import { guardedTimeout } from '../../core/errors/index.js';
import { LogStoreAccess, SourceRegistry, LineBus, type AppendedLines } from '../log-sources/index.js';
import { RecentLines } from './recent-lines.js';
import { Subscription, type Outlet } from './subscription.js';

/**
 * After a message, lines are collected for this long. The first line after that is sent immediately. On average this
 * delays a line by half of the interval, at a tenth of the CPU time of one message per line.
 */
const BATCH_MS = 8;

interface Followed {
  recent: RecentLines;
  subscriptions: Set<Subscription>;
}

/** Where a subscription starts. */
export interface SubscribeOptions {
  /** The last sequence number that the client has. */
  after?: number | undefined;
  /** The run of the store in which the client received it. */
  run?: number | undefined;
  /** Number of stored lines to send first. */
  tail?: number | undefined;
}

/** Sends collected lines to the subscriptions of their source. */
@Injectable()
export class LiveLines implements OnApplicationShutdown {
  private readonly followed = new Map<number, Followed>();
  /** When each subscription last sent a message. */
  private readonly sentAt = new WeakMap<Subscription, number>();
  /** Subscriptions that have lines to send after BATCH_MS, or when their client is ready. */
  private readonly due = new Set<Subscription>();
  private readonly busSubscription: Listening;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly access: LogStoreAccess,
    private readonly registry: SourceRegistry,
    bus: LineBus,
  ) {
    this.busSubscription = bus.appended.subscribe((appended) => this.take(appended));
  }

  onApplicationShutdown(): void {
    this.busSubscription.unsubscribe();
    clearTimeout(this.timer);
    this.followed.clear();
    this.due.clear();
  }

  /**
   * Follows a source without a gap from the given position.
   * @param onStart receives the number of the first line, before that line is sent, and the run of the store
   * @throws DomainError `source_not_found`
   */
  async subscribe(
    source: number,
    { after, run, tail }: SubscribeOptions,
    outlet: Outlet,
    onStart: (from: number, run: number) => void,
  ): Promise<Subscription> {
    const store = await this.access.get();
    this.registry.get(source);
    // Synchronous from here on, so that no line can arrive in between.
    const { firstSeq = 1, nextSeq = 1 } = store.extent(source) ?? {};
    const changed = run === undefined ? Infinity : store.changedFrom(source, run);
    const wanted = after === undefined ? nextSeq - (tail ?? 0) : Math.min(after + 1, changed);
    const from = Math.min(Math.max(wanted, firstSeq), nextSeq);
    const followed = this.followed.get(source) ?? {
      recent: new RecentLines(nextSeq),
      subscriptions: new Set<Subscription>(),
    };
    this.followed.set(source, followed);
    const now = (): number => performance.now();
    const subscription = new Subscription(source, followed.recent, store, outlet, from, nextSeq, now);
    followed.subscriptions.add(subscription);
    onStart(from, store.run);
    this.advance(subscription);
    return subscription;
  }

  unsubscribe(subscription: Subscription): void {
    subscription.close();
    this.due.delete(subscription);
    const followed = this.followed.get(subscription.source);
    followed?.subscriptions.delete(subscription);
    if (followed?.subscriptions.size === 0) this.followed.delete(subscription.source);
  }

  private take({ source, lines }: AppendedLines): void {
    const followed = this.followed.get(source);
    if (!followed) return;
    const now = performance.now();
    let needed = Infinity;
    for (const { position } of followed.subscriptions) needed = Math.min(needed, position);
    followed.recent.release(needed);
    followed.recent.add(lines, now);
    for (const subscription of followed.subscriptions) {
      if (this.due.has(subscription)) continue;
      if (now - (this.sentAt.get(subscription) ?? -Infinity) >= BATCH_MS) this.advance(subscription);
      else this.schedule(subscription);
    }
  }

  private advance(subscription: Subscription): void {
    this.sentAt.set(subscription, performance.now());
    void subscription.advance().catch(() => {
      // The store could not be read. It reports that itself, and the subscription retries.
    });
    if (!subscription.upToDate) this.schedule(subscription);
  }

  private schedule(subscription: Subscription): void {
    this.due.add(subscription);
    this.timer ??= guardedTimeout(() => this.advanceDue(), BATCH_MS, 'send new lines');
  }

  private advanceDue(): void {
    this.timer = undefined;
    const due = [...this.due];
    this.due.clear();
    for (const subscription of due) this.advance(subscription);
  }
}
