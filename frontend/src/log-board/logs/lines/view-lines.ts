import {
  afterNextRender,
  computed,
  DestroyRef,
  effect,
  inject,
  Injector,
  type Signal,
  signal,
  untracked,
} from '@angular/core';
import type { LogSourceDto } from '../../../shared/api/api-types';
import { sameJson } from '../../../shared/format/same-json';
import type { LineList } from '../../../shared/lines/line-list';
import type { LogLine } from '../../../shared/lines/log-line';
import type { RowSource } from '../../../shared/lines/row-source';
import { LogSources } from '../sources/log-sources';
import { CREATE_LIVE_LINES, type LiveLines, type OpenedSource } from './live-lines';
import { positionIn } from './position-in';
import { RowWindow } from './row-window';

const RETRY_MS = 2000;

/** A time range in microseconds; null has no limit. */
export interface Period {
  from: number | null;
  to: number | null;
}

/** The inputs of a view, and its list once it shows rows. */
export interface ViewSource {
  keys: Signal<readonly string[]>;
  results: Signal<RowSource | null>;
  period: Signal<Period>;
  list: Signal<LineList | undefined>;
}

/**
 * The lines of the sources and the period of a view. While sources are added or removed, it keeps the old lines until
 * the new ones are loaded. Requires an injection context.
 */
export class ViewLines {
  private readonly sources = inject(LogSources);
  private readonly injector = inject(Injector);
  private readonly createLines = inject(CREATE_LIVE_LINES);
  private readonly current = signal(this.createLines());
  readonly live = this.current.asReadonly();
  /** Lines of the new sources while they load. */
  private readonly next = signal<LiveLines | null>(null);
  /** Lines received before the sources changed. */
  private earlierArrivals = 0;
  private readonly window = signal<RowWindow | null>(null);
  /** The lines and period of the current window. */
  private applied: { live: LiveLines; period: Period } | null = null;

  private readonly selected = computed(
    () => {
      const keys = new Set(this.view.keys());
      return this.sources.all().filter(({ key }) => keys.has(key));
    },
    // Rates and states change often; only what affects subscriptions matters.
    { equal: (one, other) => one.map(followKey).join() === other.map(followKey).join() },
  );
  readonly ids = computed(() => this.selected().map(({ id }) => id), { equal: sameJson });
  readonly rows = computed<RowSource>(() => this.view.results() ?? this.window() ?? this.live());
  /** Whether the rows are those of the period. */
  readonly isBound = computed(() => isUnbounded(this.view.period()) || this.window() !== null);
  readonly hasWindow = computed(() => this.window() !== null);
  /** Number of lines skipped because the page was too slow. */
  readonly skipped = computed(() => {
    const live = this.live();
    live.version();
    return live.skipped;
  });
  /** Number of lines received since the view was opened. */
  readonly arrived = computed(() => {
    const live = this.live();
    live.version();
    return this.earlierArrivals + live.arrived;
  });

  constructor(private readonly view: ViewSource) {
    inject(DestroyRef).onDestroy(() => {
      this.dismiss();
      this.live().close();
    });
    effect(() => {
      const selected = this.selected();
      untracked(() => this.change(selected));
    });
    effect(() => {
      const next = this.next();
      if (next?.state() === 'open') untracked(() => void this.swapIn(next));
    });
    effect(() => {
      const live = this.live();
      const period = this.view.period();
      const isOpen = live.state() === 'open';
      untracked(() => {
        if (isUnbounded(period)) this.window.set(null);
        else if (!isOpen) this.applied = null;
        else if (this.applied?.live !== live || this.applied.period !== period) {
          void this.applyPeriod(live, period);
        }
      });
    });
  }

  /** The row of a line, once a source that is loading is shown; null outside the period. @throws ApiProblem */
  async locate({ source, seq }: Pick<LogLine, 'source' | 'seq'>): Promise<number | null> {
    await this.whenShown(source);
    const at = await this.find((live) => live.locate(source, seq));
    const window = this.window();
    return window && (at < window.first || at >= window.end) ? null : at;
  }

  /** The row of the first line at or after a time in microseconds. @throws ApiProblem */
  async locateTime(time: number): Promise<number> {
    const at = await this.find((live) => live.locateTime(time));
    return Math.min(at, this.live().end - 1);
  }

  /** Loads again: the history of a source was deleted. */
  reload(): void {
    this.live().reload();
    this.next()?.reload();
  }

  private change(selected: readonly OpenedSource[]): void {
    const live = this.live();
    const next = this.next();
    if (next?.shows(selected)) {
      next.open(selected);
      return;
    }
    this.dismiss();
    const isOther = !selected.some(({ id }) => live.holds(id));
    if (live.state() !== 'open' || isOther || live.shows(selected)) {
      live.open(selected);
      return;
    }
    if (!live.hasRoomFor(selected)) live.pause();
    const lines = this.createLines();
    lines.open(selected);
    this.next.set(lines);
  }

  private dismiss(): void {
    this.next()?.close();
    this.next.set(null);
  }

  /** Shows the new lines, at the same position if the user does not follow the end. */
  private async swapIn(next: LiveLines): Promise<void> {
    const period = this.view.period();
    const isCurrent = (): boolean => this.next() === next;
    try {
      const window = await createWindow(next, period);
      const { list, results } = this.view;
      const position = await positionIn(next, this.rows, () => (results() ? undefined : list()), isCurrent);
      if (!isCurrent()) return;
      const live = this.live();
      const unseen = list()?.unseen() ?? 0;
      this.earlierArrivals += live.arrived;
      this.applied = { live: next, period };
      this.window.set(window);
      this.current.set(next);
      this.next.set(null);
      live.close();
      if (!position) return;
      afterNextRender(() => list()?.restorePosition(position, unseen), { injector: this.injector });
    } catch {
      setTimeout(() => {
        if (isCurrent()) void this.swapIn(next);
      }, RETRY_MS);
    }
  }

  /** Resolves when a source that is loading is shown. */
  private async whenShown(source: number): Promise<void> {
    const isPending = (): boolean => !this.live().holds(source) && this.next()?.holds(source) === true;
    if (!isPending()) return;
    await new Promise<void>((resolve) => {
      const watching = effect(
        () => {
          if (isPending()) return;
          resolve();
          watching.destroy();
        },
        { injector: this.injector },
      );
    });
  }

  /** A row number of the current lines, which may be replaced meanwhile. @throws ApiProblem */
  private async find(findIn: (live: LiveLines) => Promise<number>): Promise<number> {
    const live = this.live();
    const at = await findIn(live);
    return live === this.live() ? at : await this.find(findIn);
  }

  private async applyPeriod(live: LiveLines, period: Period): Promise<void> {
    const isCurrent = (): boolean => live === this.live() && period === this.view.period();
    try {
      const created = await createWindow(live, period);
      if (!isCurrent()) return;
      // A sliding window stays the same list, so that it keeps its position.
      if (!created || !this.window()?.slideTo(created)) this.window.set(created);
      this.applied = { live, period };
    } catch {
      if (!isCurrent()) return;
      this.window.set(null);
      setTimeout(() => {
        if (isCurrent() && live.state() === 'open') void this.applyPeriod(live, period);
      }, RETRY_MS);
    }
  }
}

/** The part of a source that affects its subscription. */
function followKey({ id, state, next_seq }: LogSourceDto): string {
  if (state === 'gone') return `${id} until ${next_seq}`;
  return state === 'live' ? `${id} live` : `${id}`;
}

function isUnbounded({ from, to }: Period): boolean {
  return from === null && to === null;
}

/** @throws ApiProblem */
async function createWindow(live: LiveLines, period: Period): Promise<RowWindow | null> {
  if (isUnbounded(period)) return null;
  const { from, to } = period;
  const low = from === null ? null : await live.locateTime(from);
  const high = to === null ? null : await live.locateTime(to);
  return new RowWindow(live, low, high);
}
