import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Subscription as Listening } from 'rxjs';
import { LogStoreAccess, SourceRegistry, LineBus, type AppendedLines } from '../log-sources/index.js';
import { RecentLines } from './recent-lines.js';
import { Subscription, type Outlet } from './subscription.js';

/**
 * After something was sent, what comes is gathered for so long. The first line after that is sent at once. Half of it is
 * what gathering costs a line on average, at a tenth of what a message for each line would cost the machine.
 */
const GATHER_MS = 8;

interface Followed {
  recent: RecentLines;
  subscriptions: Set<Subscription>;
}

/** From where on a client follows a source. */
export interface SubscribeOptions {
  /** The last sequence number that it has. */
  after?: number | undefined;
  /** What the server named the time in which it told that one. */
  run?: number | undefined;
  /** So many of the newest. */
  tail?: number | undefined;
}

/** Hands the lines that are taken in to all who follow their source. */
@Injectable()
export class LiveLines implements OnApplicationShutdown {
  private readonly followed = new Map<number, Followed>();
  /** When each that sent something last did so. */
  private readonly sentAt = new WeakMap<Subscription, number>();
  /** Those that have something to send, once it is gathered or their client takes it. */
  private readonly due = new Set<Subscription>();
  private readonly listening: Listening;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly access: LogStoreAccess,
    private readonly registry: SourceRegistry,
    bus: LineBus,
  ) {
    this.listening = bus.appended.subscribe((appended) => this.take(appended));
  }

  onApplicationShutdown(): void {
    this.listening.unsubscribe();
    clearTimeout(this.timer);
    this.followed.clear();
    this.due.clear();
  }

  /**
   * Follows a source, without a gap from the place that was named.
   * @param onBegin told the number of the first line that will come, before it comes, and the run that tells it
   * @throws DomainError `source_not_found`
   */
  async subscribe(
    source: number,
    { after, run, tail }: SubscribeOptions,
    outlet: Outlet,
    onBegin: (from: number, run: number) => void,
  ): Promise<Subscription> {
    const store = await this.access.get();
    this.registry.get(source);
    // From here to the end without a pause, so that no line can come between.
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
    onBegin(from, store.run);
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
      if (now - (this.sentAt.get(subscription) ?? -Infinity) >= GATHER_MS) this.advance(subscription);
      else this.schedule(subscription);
    }
  }

  private advance(subscription: Subscription): void {
    this.sentAt.set(subscription, performance.now());
    const done = subscription.advance().catch(() => {
      // The history could not be read: it is tried again, and says so itself.
    });
    if (!subscription.upToDate) this.schedule(subscription);
    void done;
  }

  private schedule(subscription: Subscription): void {
    this.due.add(subscription);
    this.timer ??= setTimeout(() => this.advanceDue(), GATHER_MS);
  }

  private advanceDue(): void {
    this.timer = undefined;
    const due = [...this.due];
    this.due.clear();
    for (const subscription of due) this.advance(subscription);
  }
}
