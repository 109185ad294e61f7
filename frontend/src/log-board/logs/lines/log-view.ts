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
import { SkeletonRows } from '../../../shared/ui/skeleton-rows';
import { Placeholder } from '../../../shared/ui/placeholder';
import { BoardConnection } from '../board-connection';
import { ViewOptions } from '../../../shared/lines/view-options';
import { LogSources } from '../tree/log-sources';
import { LineList, type Stand } from '../../../shared/lines/line-list';
import { MOST_ROWS } from '../../../shared/lines/list-place';
import { type LiveLines, MAKE_LIVE_LINES, type OpenedSource } from './live-lines';
import type { LineMarks } from '../../../shared/lines/hits';
import type { LogGap, LogLine } from '../../../shared/lines/log-line';
import type { RowSource } from '../../../shared/lines/row-source';
import { RowWindow } from './row-window';
import { SourceStyles } from './source-styles';

/** Until what did not answer is asked again. */
const RETRY_MS = 2000;

interface Period {
  from: number | null;
  to: number | null;
}

/**
 * The lines of some sources, live and as far back as they are kept. Stands alone: all that it needs is the key of
 * each source. While sources come and go it shows what it has until the lines of the others can take their place.
 */
@Component({
  selector: 'sw-log-view',
  imports: [LineList, Placeholder, SkeletonRows],
  templateUrl: './log-view.html',
  styleUrl: './log-view.scss',
})
export class LogView {
  private readonly connection = inject(BoardConnection);
  private readonly sources = inject(LogSources);
  private readonly looks = inject(SourceStyles);
  private readonly injector = inject(Injector);
  private readonly makeLines = inject(MAKE_LIVE_LINES);
  protected readonly live = signal(this.makeLines());
  /** Of other sources, until they can be shown. */
  private readonly next = signal<LiveLines | null>(null);
  /** Lines that came to those that were shown before. */
  private passed = 0;
  protected readonly options = inject(ViewOptions);
  readonly keys = input.required<readonly string[]>();
  readonly label = input($localize`Lines`);
  /** Shown instead of the live lines, such as what a search found. */
  readonly instead = input<RowSource | null>(null);
  readonly marks = input<LineMarks | null>(null);
  /** Of what was written from one time to another alone, in microseconds; null has no bound. */
  readonly period = input<Period>({ from: null, to: null });
  /** Views that stand beside each other share the rows that a page may have. */
  readonly beside = input(1);
  protected readonly most = computed(() => Math.floor(MOST_ROWS / this.beside()));
  readonly opened = output<LogLine>();
  readonly current = output<LogLine | null>();
  private readonly list = viewChild(LineList);
  private readonly window = signal<RowWindow | null>(null);
  /** What the window was made for. */
  private bounded: { live: LiveLines; period: Period } | null = null;

  private readonly chosen = computed(
    () => {
      const keys = new Set(this.keys());
      return this.sources.all().filter(({ key }) => keys.has(key));
    },
    // How they stand changes often, and is nothing to the lines but for whether there may be more.
    { equal: (one, other) => one.map(mayWrite).join() === other.map(mayWrite).join() },
  );
  /** Those of the keys that are known, by id. */
  readonly ids = computed(() => this.chosen().map(({ id }) => id), {
    equal: (one, other) => one.join() === other.join(),
  });
  protected readonly known = computed(() => this.sources.byId() !== null);
  protected readonly rows = computed<RowSource>(() => this.instead() ?? this.window() ?? this.live());
  protected readonly look = computed(() => {
    this.sources.byId();
    return (id: number) => this.looks.of(id);
  });
  protected readonly isEmpty = computed(() => {
    const rows = this.rows();
    rows.version();
    return rows.end <= rows.first;
  });
  /** What is to be said instead of lines. */
  protected readonly state = computed(() => {
    if (this.keys().length === 0) return 'nothing chosen';
    if (this.instead()) return this.isEmpty() ? 'none found' : 'lines';
    if (!this.known()) return this.connection.state() === 'lost' ? 'not connected' : 'opening';
    if (this.ids().length === 0) return 'unknown';
    if (this.live().state() !== 'open') return this.live().state();
    if (this.isEmpty()) return this.window() ? 'empty period' : 'empty';
    return 'lines';
  });
  /** Why nothing comes, of a single source. */
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
      const chosen = this.chosen();
      untracked(() => this.change(chosen));
    });
    effect(() => {
      const next = this.next();
      if (next?.state() === 'open') untracked(() => void this.take(next));
    });
    effect(() => {
      const live = this.live();
      const period = this.period();
      const isOpen = live.state() === 'open';
      untracked(() => {
        if (isUnbounded(period)) this.window.set(null);
        else if (!isOpen) this.bounded = null;
        else if (this.bounded?.live !== live || this.bounded.period !== period) void this.bound(live, period);
      });
    });
  }

  /** Lines that the page was too slow for, so far. */
  readonly skipped = computed(() => {
    const live = this.live();
    live.version();
    return live.skipped;
  });
  /** Sources whose new lines do not come by themselves. */
  readonly unfollowed = computed(() => this.live().unfollowed());
  /** Lines that can be scrolled through. */
  readonly count = computed(() => {
    const rows = this.rows();
    rows.version();
    return Math.max(0, rows.end - rows.first);
  });
  /** The lines are there, and can be gone through; or that there are none is known. */
  readonly isOpen = computed(() => {
    const isBound = isUnbounded(this.period()) || this.window() !== null;
    const isShown = this.list() !== undefined || this.state() === 'empty period';
    return this.live().state() === 'open' && isBound && isShown;
  });
  /** Lines that came since it is there. */
  readonly arrived = computed(() => {
    const live = this.live();
    live.version();
    return this.passed + live.arrived;
  });
  readonly following = computed(() => this.list()?.following() ?? true);

  follow(): void {
    this.list()?.follow();
  }

  letGo(): void {
    this.list()?.letGo();
  }

  /** The line at the cursor, or the first that is seen. */
  standsAt(): LogLine | null {
    const list = this.list();
    const rows = this.rows();
    const row = list && rows.row(list.standsAt());
    return row?.kind === 'line' ? row : null;
  }

  focus(): void {
    this.list()?.focus();
  }

  /**
   * Shows a line in its place among the others, unless it is outside of the period.
   * @returns it, where it is still kept
   * @throws ApiProblem
   */
  async goToLine(source: number, seq: number): Promise<LogLine | 'outside' | null> {
    await this.shown(source);
    const at = await this.find((live) => live.locate(source, seq));
    const window = this.window();
    if (window && (at < window.first || at >= window.end)) return 'outside';
    this.list()?.goTo(at);
    const row = this.live().row(at);
    return row?.kind === 'line' ? row : null;
  }

  /** Shows what was written at a time, in microseconds, or next after it. @throws ApiProblem */
  async goToTime(time: number): Promise<void> {
    const at = await this.find((live) => live.locateTime(time));
    this.list()?.goTo(Math.min(at, this.live().end - 1));
  }

  /** Shows a row of what stands instead of the live lines. */
  goToRow(at: number): void {
    this.list()?.goTo(at);
  }

  /** What was read of its sources is not there any more. */
  reload(): void {
    this.live().reload();
    this.next()?.reload();
  }

  protected retry(): void {
    void this.live().synchronize();
  }

  private change(chosen: readonly OpenedSource[]): void {
    const live = this.live();
    const next = this.next();
    if (next?.shows(chosen)) {
      next.open(chosen);
      return;
    }
    this.dismiss();
    const isOther = !chosen.some(({ id }) => live.holds(id));
    if (live.state() !== 'open' || isOther || live.shows(chosen)) {
      live.open(chosen);
      return;
    }
    if (!live.leavesRoomFor(chosen)) live.standStill();
    const lines = this.makeLines();
    lines.open(chosen);
    this.next.set(lines);
  }

  private dismiss(): void {
    this.next()?.close();
    this.next.set(null);
  }

  /** Shows them in place of those that are shown, where somebody is who does not follow. */
  private async take(next: LiveLines): Promise<void> {
    const period = this.period();
    try {
      const window = await makeWindow(next, period);
      const stand = await this.standAmong(next);
      if (this.next() !== next) return;
      const live = this.live();
      const unseen = this.list()?.unseen() ?? 0;
      this.passed += live.arrived;
      this.bounded = { live: next, period };
      this.window.set(window);
      this.live.set(next);
      this.next.set(null);
      live.close();
      if (!stand) return;
      afterNextRender(() => this.list()?.standAgain(stand, unseen), { injector: this.injector });
    } catch {
      setTimeout(() => {
        if (this.next() === next) void this.take(next);
      }, RETRY_MS);
    }
  }

  /** Where somebody is, by numbers of other lines; null where that is the end. @throws ApiProblem */
  private async standAmong(next: LiveLines): Promise<Stand | null> {
    while (this.next() === next) {
      const list = this.list();
      if (!list || list.following() || this.instead()) return null;
      const stand = list.stand();
      const there = this.rows().row(stand.at);
      const numberOf = async (at: number | null): Promise<number | null> => {
        const row = at === null ? undefined : this.rows().row(at);
        return row?.kind === 'line' && next.holds(row.source) ? await numberIn(next, row) : null;
      };
      const top = this.firstOf(next, stand.at);
      const places: (number | null)[] = [null, null, null];
      const stop = next.onShift((from, by) => {
        for (const [index, at] of places.entries()) if (at !== null && at >= from) places[index] = at + by;
      });
      try {
        for (const [index, at] of [top, stand.cursor, stand.chosenFrom].entries()) {
          places[index] = await numberOf(at);
        }
        // None of the lines that are near is one of theirs, or it is kept no longer: the time is where one was.
        if (places[0] === null && there?.kind === 'line' && next.end > next.first) {
          places[0] = Math.min(await next.locateTime(there.rank), next.end - 1);
        }
      } finally {
        stop();
      }
      // Who went on meanwhile is asked for again: what is there is near by now.
      if (JSON.stringify(stand) !== JSON.stringify(list.stand())) continue;
      const [at = null, cursor = null, chosenFrom = null] = places;
      return at === null ? null : { at, offset: top === stand.at ? stand.offset : 0, cursor, chosenFrom };
    }
    return null;
  }

  /** The number of the first row, from one on, that is a line of theirs too. */
  private firstOf(next: LiveLines, from: number): number {
    const rows = this.rows();
    let at = from;
    for (
      let row = rows.row(at);
      row && !(row.kind === 'line' && next.holds(row.source));
      row = rows.row(at)
    ) {
      at += 1;
    }
    return at;
  }

  /** Resolves when the lines of a source that are on their way have taken their place. */
  private async shown(source: number): Promise<void> {
    const isOnTheWay = (): boolean => !this.live().holds(source) && this.next()?.holds(source) === true;
    if (!isOnTheWay()) return;
    await new Promise<void>((resolve) => {
      const watching = effect(
        () => {
          if (isOnTheWay()) return;
          resolve();
          watching.destroy();
        },
        { injector: this.injector },
      );
    });
  }

  /** A number among the lines that are shown when it is known. @throws ApiProblem */
  private async find(ask: (live: LiveLines) => Promise<number>): Promise<number> {
    const live = this.live();
    const at = await ask(live);
    return live === this.live() ? at : await this.find(ask);
  }

  private async bound(live: LiveLines, period: Period): Promise<void> {
    try {
      const made = await makeWindow(live, period);
      if (live !== this.live() || period !== this.period()) return;
      // One that slides stays the same list, which nothing takes back to its end.
      if (!made || !this.window()?.slideTo(made)) this.window.set(made);
      this.bounded = { live, period };
    } catch {
      const isMeant = (): boolean => live === this.live() && period === this.period();
      if (!isMeant()) return;
      this.window.set(null);
      setTimeout(() => {
        if (isMeant() && live.state() === 'open') void this.bound(live, period);
      }, RETRY_MS);
    }
  }

  protected async fill(gap: LogGap): Promise<void> {
    this.list()?.letGo();
    await this.live().synchronize();
    await this.goToLine(gap.source, gap.from);
  }
}

/** Tells apart what a source is to one who follows it. */
function mayWrite({ id, state, next_seq }: LogSourceDto): string {
  if (state === 'gone') return `${id} until ${next_seq}`;
  return state === 'live' ? `${id} live` : `${id}`;
}

function isUnbounded({ from, to }: Period): boolean {
  return from === null && to === null;
}

/** Null for a line that is kept no longer. @throws ApiProblem */
async function numberIn(live: LiveLines, { source, seq }: LogLine): Promise<number | null> {
  try {
    return await live.locate(source, seq);
  } catch (error) {
    if (ApiProblem.of(error).code === 'line_not_found') return null;
    throw error;
  }
}

/** @throws ApiProblem */
async function makeWindow(live: LiveLines, period: Period): Promise<RowWindow | null> {
  if (isUnbounded(period)) return null;
  const { from, to } = period;
  const low = from === null ? null : await live.locateTime(from);
  const high = to === null ? null : await live.locateTime(to);
  return new RowWindow(live, low, high);
}
