import {
  afterNextRender,
  Component,
  computed,
  DestroyRef,
  effect,
  inject,
  Injector,
  input,
  output,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { ApiProblem } from '../../../shared/api/api-problem';
import type { LogSourceDto } from '../../../shared/api/api-types';
import { BoardConnection } from '../../api/board-connection';
import { ViewOptions } from '../../../shared/lines/view-options';
import { HighlightRules } from '../options/highlight-rules';
import { LogSources } from '../sources/log-sources';
import { LineList, type ListPosition } from '../../../shared/lines/line-list';
import { MAX_ROWS } from '../../../shared/lines/list-place';
import { type LiveLines, CREATE_LIVE_LINES, type OpenedSource } from './live-lines';
import type { LineMarks } from '../../../shared/lines/hits';
import type { LogGap, LogLine, LogRow } from '../../../shared/lines/log-line';
import type { RowSource } from '../../../shared/lines/row-source';
import { UI } from '../../../shared/ui/ui';
import { RowWindow } from './row-window';
import { SourceStyles } from '../sources/source-styles';

const RETRY_MS = 2000;

interface Period {
  from: number | null;
  to: number | null;
}

/**
 * The lines of several sources, live and from history. While sources are added or removed, it shows the old lines
 * until the new ones are loaded.
 */
@Component({
  selector: 'sw-log-view',
  imports: [UI, LineList],
  templateUrl: './log-view.html',
  styleUrl: './log-view.scss',
  host: { class: 'surface' },
})
export class LogView {
  private readonly connection = inject(BoardConnection);
  private readonly sources = inject(LogSources);
  private readonly styles = inject(SourceStyles);
  private readonly injector = inject(Injector);
  private readonly createLines = inject(CREATE_LIVE_LINES);
  protected readonly live = signal(this.createLines());
  /** Lines of the new sources while they load. */
  private readonly next = signal<LiveLines | null>(null);
  /** Lines received before the sources changed. */
  private earlierArrivals = 0;
  protected readonly options = inject(ViewOptions);
  protected readonly highlights = inject(HighlightRules);
  readonly keys = input.required<readonly string[]>();
  readonly label = input($localize`Lines`);
  /** Rows shown instead of the live lines, such as matches. */
  readonly results = input<RowSource | null>(null);
  readonly marks = input<LineMarks | null>(null);
  /** Time range in microseconds; null has no limit. */
  readonly period = input<Period>({ from: null, to: null });
  /** Number of views side by side, which share the limit of rendered rows. */
  readonly viewCount = input(1);
  protected readonly most = computed(() => Math.floor(MAX_ROWS / this.viewCount()));
  readonly opened = output<LogLine>();
  readonly current = output<LogLine | null>();
  private readonly list = viewChild(LineList);
  private readonly window = signal<RowWindow | null>(null);
  /** The lines and period of the current window. */
  private applied: { live: LiveLines; period: Period } | null = null;

  private readonly selected = computed(
    () => {
      const keys = new Set(this.keys());
      return this.sources.all().filter(({ key }) => keys.has(key));
    },
    // Rates and states change often; only what affects subscriptions matters.
    { equal: (one, other) => one.map(followKey).join() === other.map(followKey).join() },
  );
  readonly ids = computed(() => this.selected().map(({ id }) => id), {
    equal: (one, other) => one.join() === other.join(),
  });
  protected readonly known = computed(() => this.sources.byId() !== null);
  protected readonly rows = computed<RowSource>(() => this.results() ?? this.window() ?? this.live());
  protected readonly styleOf = computed(() => {
    this.sources.byId();
    return (id: number) => this.styles.of(id);
  });
  protected readonly isEmpty = computed(() => {
    const rows = this.rows();
    rows.version();
    return rows.end <= rows.first;
  });
  protected readonly state = computed(() => {
    if (this.results()) return this.isEmpty() ? 'none found' : 'lines';
    if (!this.known()) return this.connection.state() === 'lost' ? 'not connected' : 'opening';
    if (this.keys().length === 0) return 'nothing selected';
    if (this.ids().length === 0) return 'unknown';
    if (this.live().state() !== 'open') return this.live().state();
    if (this.isEmpty()) return this.window() ? 'empty period' : 'empty';
    return 'lines';
  });
  /** Why a single source sends no lines. */
  protected readonly reason = computed(() => {
    const [id] = this.ids();
    const source = id === undefined || this.ids().length > 1 ? undefined : this.sources.byId()?.get(id);
    return source?.state === 'live' ? null : (source?.reason ?? null);
  });

  constructor() {
    this.connection.watch();
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
      const period = this.period();
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

  /** Number of lines skipped because the page was too slow. */
  readonly skipped = computed(() => {
    const live = this.live();
    live.version();
    return live.skipped;
  });
  readonly unfollowed = computed(() => this.live().unfollowed());
  readonly count = computed(() => {
    const rows = this.rows();
    rows.version();
    return Math.max(0, rows.end - rows.first);
  });
  /** Rows are shown, or the period has no rows. */
  readonly isOpen = computed(() => {
    const isBound = isUnbounded(this.period()) || this.window() !== null;
    const isShown = this.list() !== undefined || this.state() === 'empty period';
    return this.live().state() === 'open' && isBound && isShown;
  });
  /** Number of lines received since the view was opened. */
  readonly arrived = computed(() => {
    const live = this.live();
    live.version();
    return this.earlierArrivals + live.arrived;
  });
  readonly following = computed(() => this.list()?.following() ?? true);

  follow(): void {
    this.list()?.follow();
  }

  unfollow(): void {
    this.list()?.unfollow();
  }

  /** The line of the cursor, or else the first visible line. */
  currentLine(): LogLine | null {
    const list = this.list();
    const rows = this.rows();
    const row = list && rows.row(list.currentRow());
    return row?.kind === 'line' ? row : null;
  }

  focus(): void {
    this.list()?.focus();
  }

  /**
   * Shows a line among the others, unless it is outside the period.
   * @returns the line; null if it was deleted
   * @throws ApiProblem
   */
  async goToLine(source: number, seq: number): Promise<LogLine | 'outside' | null> {
    await this.whenShown(source);
    const at = await this.locate((live) => live.locate(source, seq));
    const window = this.window();
    if (window && (at < window.first || at >= window.end)) return 'outside';
    this.list()?.goTo(at);
    const row = this.live().row(at);
    return row?.kind === 'line' ? row : null;
  }

  /** Shows the first line at or after a time in microseconds. @throws ApiProblem */
  async goToTime(time: number): Promise<void> {
    const at = await this.locate((live) => live.locateTime(time));
    this.list()?.goTo(Math.min(at, this.live().end - 1));
  }

  goToRow(at: number): void {
    this.list()?.goTo(at);
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
    const period = this.period();
    try {
      const window = await createWindow(next, period);
      const position = await this.positionIn(next);
      if (this.next() !== next) return;
      const live = this.live();
      const unseen = this.list()?.unseen() ?? 0;
      this.earlierArrivals += live.arrived;
      this.applied = { live: next, period };
      this.window.set(window);
      this.live.set(next);
      this.next.set(null);
      live.close();
      if (!position) return;
      afterNextRender(() => this.list()?.restorePosition(position, unseen), { injector: this.injector });
    } catch {
      setTimeout(() => {
        if (this.next() === next) void this.swapIn(next);
      }, RETRY_MS);
    }
  }

  /** The current position as row numbers of the new lines; null at the end. @throws ApiProblem */
  private async positionIn(next: LiveLines): Promise<ListPosition | null> {
    while (this.next() === next) {
      const list = this.list();
      if (!list || list.following() || this.results()) return null;
      const position = list.position();
      const topRow = this.rows().row(position.at);
      const rowIn = async (at: number | null): Promise<number | null> => {
        const row = at === null ? undefined : this.rows().row(at);
        return row?.kind === 'line' && next.holds(row.source) ? await rowOf(next, row) : null;
      };
      const top = this.firstShared(next, position.at);
      const places: (number | null)[] = [null, null, null];
      const stop = next.onShift((from, by) => {
        for (const [index, at] of places.entries()) if (at !== null && at >= from) places[index] = at + by;
      });
      try {
        for (const [index, at] of [top, position.cursor, position.selectedFrom].entries()) {
          places[index] = await rowIn(at);
        }
        // No visible line belongs to the new sources: use its time.
        if (places[0] === null && topRow?.kind === 'line' && next.end > next.first) {
          places[0] = Math.min(await next.locateTime(topRow.rank), next.end - 1);
        }
      } finally {
        stop();
      }
      // The user has scrolled meanwhile: start again, now with loaded rows.
      if (JSON.stringify(position) !== JSON.stringify(list.position())) continue;
      const [at = null, cursor = null, selectedFrom = null] = places;
      return at === null
        ? null
        : { at, offset: top === position.at ? position.offset : 0, cursor, selectedFrom };
    }
    return null;
  }

  /** The first row from `from` that the new lines have, too. */
  private firstShared(next: LiveLines, from: number): number {
    const isOther = (row: LogRow | undefined): boolean =>
      row !== undefined && (row.kind !== 'line' || !next.holds(row.source));
    let at = from;
    while (isOther(this.rows().row(at))) at += 1;
    return at;
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
  private async locate(locateIn: (live: LiveLines) => Promise<number>): Promise<number> {
    const live = this.live();
    const at = await locateIn(live);
    return live === this.live() ? at : await this.locate(locateIn);
  }

  private async applyPeriod(live: LiveLines, period: Period): Promise<void> {
    try {
      const created = await createWindow(live, period);
      if (live !== this.live() || period !== this.period()) return;
      // A sliding window stays the same list, so that it keeps its position.
      if (!created || !this.window()?.slideTo(created)) this.window.set(created);
      this.applied = { live, period };
    } catch {
      const isCurrent = (): boolean => live === this.live() && period === this.period();
      if (!isCurrent()) return;
      this.window.set(null);
      setTimeout(() => {
        if (isCurrent() && live.state() === 'open') void this.applyPeriod(live, period);
      }, RETRY_MS);
    }
  }

  protected async loadGap(gap: LogGap): Promise<void> {
    this.list()?.unfollow();
    await this.live().synchronize();
    await this.goToLine(gap.source, gap.from);
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

/** Null for a deleted line. @throws ApiProblem */
async function rowOf(live: LiveLines, { source, seq }: LogLine): Promise<number | null> {
  try {
    return await live.locate(source, seq);
  } catch (error) {
    if (ApiProblem.of(error).code === 'line_not_found') return null;
    throw error;
  }
}

/** @throws ApiProblem */
async function createWindow(live: LiveLines, period: Period): Promise<RowWindow | null> {
  if (isUnbounded(period)) return null;
  const { from, to } = period;
  const low = from === null ? null : await live.locateTime(from);
  const high = to === null ? null : await live.locateTime(to);
  return new RowWindow(live, low, high);
}
