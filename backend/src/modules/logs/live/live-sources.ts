import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Subscription as Listening } from 'rxjs';
import { HistoryAccess } from '../history-access.js';
import type { ServerMessage } from '../socket-messages.js';
import { SourceRegistry } from '../sources/source-registry.js';
import type { Outlet } from './subscription.js';

/** How often what changed is told. */
const TELL_MS = 250;
/** A rate falls without a line that would say so. */
const RATES_MS = 1000;

/** Tells those who want to know it how the sources stand. */
@Injectable()
export class LiveSources implements OnApplicationShutdown {
  /** Each watcher, and whether it is to be told everything. */
  private readonly watchers = new Map<Outlet, { whole: boolean }>();
  private readonly changed = new Set<number>();
  /** Those whose rate was told as more than nothing. */
  private readonly lively = new Set<number>();
  private readonly listening: Listening;
  private timer: NodeJS.Timeout | undefined;
  private ratesAt = 0;

  constructor(
    private readonly access: HistoryAccess,
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
    this.watchers.clear();
  }

  /** Tells all sources at once, and what changes from then on. */
  async watch(outlet: Outlet): Promise<void> {
    await this.access.get();
    this.watchers.set(outlet, { whole: true });
    this.tellOne(outlet, { whole: true }, [], []);
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
    const found = [...this.changed].map((id) => ({ id, entry: this.registry.find(id) }));
    this.changed.clear();
    const sources = found.flatMap(({ entry }) => (entry ? [this.registry.present(entry)] : []));
    const gone = found.flatMap(({ id, entry }) => (entry ? [] : [id]));
    for (const { id, rate } of sources) {
      if (rate > 0) this.lively.add(id);
      else this.lively.delete(id);
    }
    for (const id of gone) this.lively.delete(id);
    let waiting = false;
    for (const [outlet, state] of this.watchers) {
      if (sources.length > 0 || gone.length > 0 || state.whole) this.tellOne(outlet, state, sources, gone);
      waiting ||= state.whole;
    }
    if (waiting || this.lively.size > 0) this.schedule();
  }

  /** One that does not read is told everything once it does again. */
  private tellOne(
    outlet: Outlet,
    state: { whole: boolean },
    sources: Extract<ServerMessage, { type: 'sources' }>['sources'],
    gone: number[],
  ): void {
    if (!outlet.ready()) state.whole = true;
    else if (state.whole) {
      const all = this.registry.all().map((entry) => this.registry.present(entry));
      for (const { id, rate } of all) if (rate > 0) this.lively.add(id);
      state.whole = false;
      this.watchers.set(outlet, state);
      outlet.send({ type: 'sources', whole: true, sources: all, gone: [] });
      if (this.lively.size > 0) this.schedule();
    } else outlet.send({ type: 'sources', whole: false, sources, gone });
  }
}
