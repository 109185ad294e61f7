import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Subscription as Listening } from 'rxjs';
import { LogStoreAccess, SourceRegistry, type LogSourceDto } from '../log-sources/index.js';
import type { Outlet } from './subscription.js';

/** How often what changed is told. */
const TELL_MS = 250;
/** Sources of one message: some 100 kB, so that a socket is never handed more than it takes soon. */
const MOST_TOLD = 250;
/** When the next message of very many sources is tried, as long as their reader takes them. */
const NEXT_MS = 10;
/** A rate falls without a line that would say so. */
const RATES_MS = 1000;

type Told = LogSourceDto | null;

/** What one watcher has not been told yet. */
interface Watcher {
  /** It knows nothing. */
  isNew: boolean;
  /** Sources that are others now than it knows, those that it has waited for longest first. */
  due: Set<number>;
  /** So many of them are told before it may show what it was told: not what changes while they are. */
  left: number;
}

/** Tells those who want to know it how the sources stand. */
@Injectable()
export class LiveSources implements OnApplicationShutdown {
  private readonly watchers = new Map<Outlet, Watcher>();
  private readonly changed = new Set<number>();
  /** Those whose rate was told as more than nothing. */
  private readonly lively = new Set<number>();
  private readonly listening: Listening;
  private timer: NodeJS.Timeout | undefined;
  private going: NodeJS.Timeout | undefined;
  private ratesAt = 0;

  constructor(
    private readonly access: LogStoreAccess,
    private readonly registry: SourceRegistry,
  ) {
    this.listening = registry.changes.subscribe((id) => {
      if (this.watchers.size === 0) return;
      this.changed.add(id);
      this.schedule();
    });
  }

  onApplicationShutdown(): void {
    this.listening.unsubscribe();
    clearTimeout(this.timer);
    clearTimeout(this.going);
    this.watchers.clear();
  }

  /** Tells all sources at once, and what changes from then on. */
  async watch(outlet: Outlet): Promise<void> {
    await this.access.get();
    this.watchers.set(outlet, { isNew: true, due: new Set(), left: 0 });
    this.tellAll();
  }

  unwatch(outlet: Outlet): void {
    this.watchers.delete(outlet);
    if (this.watchers.size > 0) return;
    this.changed.clear();
    this.lively.clear();
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => this.tell(), TELL_MS);
  }

  private tell(): void {
    this.timer = undefined;
    const now = performance.now();
    if (now - this.ratesAt >= RATES_MS) {
      this.ratesAt = now;
      for (const id of this.lively) this.changed.add(id);
    }
    for (const { isNew, due } of this.watchers.values()) {
      if (!isNew) for (const id of this.changed) due.add(id);
    }
    this.changed.clear();
    this.tellAll();
  }

  /** As much as everybody takes now, and the rest as soon as they take more. */
  private tellAll(): void {
    clearTimeout(this.going);
    this.going = undefined;
    const presented = new Map<number, Told>();
    let isSent = false;
    let isWaiting = false;
    for (const [outlet, watcher] of this.watchers) {
      isSent = this.tellOne(outlet, watcher, presented) || isSent;
      isWaiting ||= watcher.isNew || watcher.due.size > 0;
    }
    if (isWaiting && isSent) this.going = setTimeout(() => this.tellAll(), NEXT_MS);
    else if (isWaiting || this.lively.size > 0) this.schedule();
  }

  /** @returns whether anything was sent. One that does not read is told later, as it is then. */
  private tellOne(outlet: Outlet, watcher: Watcher, presented: Map<number, Told>): boolean {
    let isSent = false;
    while ((watcher.isNew || watcher.due.size > 0) && outlet.ready()) {
      const whole = watcher.isNew;
      watcher.isNew = false;
      if (whole) watcher.due = new Set(this.registry.all().map(({ id }) => id));
      if (whole || watcher.left === 0) watcher.left = watcher.due.size;
      const ids = [...watcher.due.values().take(Math.min(MOST_TOLD, watcher.left))];
      for (const id of ids) watcher.due.delete(id);
      const found = ids.map((id) => this.look(id, presented));
      const sources = found.filter((source) => source !== null);
      const gone = ids.filter((_, index) => found[index] === null);
      watcher.left -= ids.length;
      const more = watcher.left > 0;
      outlet.send({ type: 'sources', whole, sources, gone, ...(more && { more }) });
      isSent = true;
    }
    return isSent;
  }

  private look(id: number, presented: Map<number, Told>): Told {
    const known = presented.get(id);
    if (known !== undefined) return known;
    const entry = this.registry.find(id);
    const source = entry ? this.registry.present(entry) : null;
    presented.set(id, source);
    if (source && source.rate > 0) this.lively.add(id);
    else this.lively.delete(id);
    return source;
  }
}
