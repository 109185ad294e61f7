import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { guardedTimeout } from '../../core/errors/index.js';
import { LogStoreAccess, SourceRegistry, type LogSourceDto } from '../log-sources/index.js';
import type { Outlet } from './subscription.js';

/** How often changes are sent. */
const SEND_MS = 250;
/** Sources per message: about 100 kB, so that the socket's buffer stays small. */
const MAX_SOURCES = 250;
/** Delay between the messages of many sources, while the client keeps up. */
const NEXT_MESSAGE_MS = 10;
/** Rates fall without an event, so they are sent periodically. */
const RATES_MS = 1000;

type Presented = LogSourceDto | null;

interface Watcher {
  /** Whether it has received nothing. */
  isNew: boolean;
  /** Sources that changed since they were sent, oldest change first. */
  due: Set<number>;
  /** How many of them to send until the update is complete, without later changes. */
  left: number;
}

/** Sends the sources and their changes to watching clients. */
@Injectable()
export class LiveSources implements OnApplicationShutdown {
  private readonly watchers = new Map<Outlet, Watcher>();
  private readonly changed = new Set<number>();
  /** Sources whose last sent rate was above 0. */
  private readonly active = new Set<number>();
  private readonly subscription: Subscription;
  private timer: NodeJS.Timeout | undefined;
  private nextMessage: NodeJS.Timeout | undefined;
  private ratesAt = 0;

  constructor(
    private readonly access: LogStoreAccess,
    private readonly registry: SourceRegistry,
  ) {
    this.subscription = registry.changes.subscribe((id) => {
      if (this.watchers.size === 0) return;
      this.changed.add(id);
      this.schedule();
    });
  }

  onApplicationShutdown(): void {
    this.subscription.unsubscribe();
    clearTimeout(this.timer);
    clearTimeout(this.nextMessage);
    this.watchers.clear();
  }

  /** @param isWanted whether the client still watches once the store is open */
  async watch(outlet: Outlet, isWanted: () => boolean = () => true): Promise<void> {
    await this.access.get();
    if (!isWanted()) return;
    this.watchers.set(outlet, { isNew: true, due: new Set(), left: 0 });
    this.sendAll();
  }

  unwatch(outlet: Outlet): void {
    this.watchers.delete(outlet);
    if (this.watchers.size > 0) return;
    this.changed.clear();
    this.active.clear();
  }

  private schedule(): void {
    this.timer ??= guardedTimeout(() => this.update(), SEND_MS, 'send changed sources');
  }

  private update(): void {
    this.timer = undefined;
    const now = performance.now();
    if (now - this.ratesAt >= RATES_MS) {
      this.ratesAt = now;
      for (const id of this.active) this.changed.add(id);
    }
    for (const { isNew, due } of this.watchers.values()) {
      if (!isNew) for (const id of this.changed) due.add(id);
    }
    this.changed.clear();
    this.sendAll();
  }

  /** Sends as much as each watcher can take, and schedules the rest. */
  private sendAll(): void {
    clearTimeout(this.nextMessage);
    this.nextMessage = undefined;
    const presented = new Map<number, Presented>();
    let isSent = false;
    let isWaiting = false;
    for (const [outlet, watcher] of this.watchers) {
      isSent = this.sendTo(outlet, watcher, presented) || isSent;
      isWaiting ||= watcher.isNew || watcher.due.size > 0;
    }
    if (isWaiting && isSent) {
      this.nextMessage = guardedTimeout(() => this.sendAll(), NEXT_MESSAGE_MS, 'send all sources');
    } else if (isWaiting || this.active.size > 0) this.schedule();
  }

  /** @returns whether anything was sent. A slow watcher receives the latest state later. */
  private sendTo(outlet: Outlet, watcher: Watcher, presented: Map<number, Presented>): boolean {
    let isSent = false;
    while ((watcher.isNew || watcher.due.size > 0) && outlet.ready()) {
      const whole = watcher.isNew;
      watcher.isNew = false;
      if (whole) watcher.due = new Set(this.registry.all().map(({ id }) => id));
      if (whole || watcher.left === 0) watcher.left = watcher.due.size;
      const ids = [...watcher.due.values().take(Math.min(MAX_SOURCES, watcher.left))];
      for (const id of ids) watcher.due.delete(id);
      const found = ids.map((id) => this.present(id, presented));
      const sources = found.filter((source) => source !== null);
      const gone = ids.filter((_, index) => found[index] === null);
      watcher.left -= ids.length;
      const more = watcher.left > 0;
      outlet.send({ type: 'sources', whole, sources, gone, ...(more && { more }) });
      isSent = true;
    }
    return isSent;
  }

  private present(id: number, presented: Map<number, Presented>): Presented {
    const known = presented.get(id);
    if (known !== undefined) return known;
    const entry = this.registry.find(id);
    const source = entry ? this.registry.present(entry) : null;
    presented.set(id, source);
    if (source && source.rate > 0) this.active.add(id);
    else this.active.delete(id);
    return source;
  }
}
