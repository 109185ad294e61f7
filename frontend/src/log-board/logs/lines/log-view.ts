import {
  Component,
  computed,
  effect,
  inject,
  input,
  output,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import type { LogSourceDto } from '../../../shared/api/api-types';
import { SkeletonRows } from '../../../shared/ui/skeleton-rows';
import { Placeholder } from '../../../shared/ui/placeholder';
import { BoardConnection } from '../board-connection';
import { ViewOptions } from '../../../shared/lines/view-options';
import { LogSources } from '../tree/log-sources';
import { LineList } from '../../../shared/lines/line-list';
import { MOST_ROWS } from '../../../shared/lines/list-place';
import { LiveLines, type OpenedSource } from './live-lines';
import type { LineMarks } from '../../../shared/lines/hits';
import type { LogGap, LogLine } from '../../../shared/lines/log-line';
import type { RowSource } from '../../../shared/lines/row-source';
import { RowWindow } from './row-window';
import { SourceLooks } from './source-looks';

/**
 * The lines of some sources, live and as far back as they are kept. Stands alone: all that it needs is the key of
 * each source.
 */
@Component({
  selector: 'sw-log-view',
  imports: [LineList, Placeholder, SkeletonRows],
  providers: [LiveLines],
  templateUrl: './log-view.html',
  styleUrl: './log-view.scss',
})
export class LogView {
  private readonly connection = inject(BoardConnection);
  private readonly sources = inject(LogSources);
  private readonly looks = inject(SourceLooks);
  protected readonly live = inject(LiveLines);
  protected readonly options = inject(ViewOptions);
  readonly keys = input.required<readonly string[]>();
  readonly label = input('Lines');
  /** Shown instead of the live lines, such as what a search found. */
  readonly instead = input<RowSource | null>(null);
  readonly marks = input<LineMarks | null>(null);
  /** Of what was written from one time to another alone, in microseconds; null has no bound. */
  readonly period = input<{ from: number | null; to: number | null }>({ from: null, to: null });
  /** Views that stand beside each other share the rows that a page may have. */
  readonly beside = input(1);
  protected readonly most = computed(() => Math.floor(MOST_ROWS / this.beside()));
  readonly opened = output<LogLine>();
  readonly current = output<LogLine | null>();
  private readonly list = viewChild(LineList);
  private readonly window = signal<RowWindow | null>(null);
  /** Where somebody was who did not follow, when sources came or went. */
  private place: { line: LogLine; stand: ReturnType<LineList['stand']> } | null = null;

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
  protected readonly rows = computed<RowSource>(() => this.instead() ?? this.window() ?? this.live);
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
    if (this.instead()) return 'lines';
    if (!this.known()) return this.connection.state() === 'lost' ? 'not connected' : 'opening';
    if (this.ids().length === 0) return 'unknown';
    if (this.live.state() !== 'open') return this.live.state();
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
    effect(() => {
      const chosen = this.chosen();
      untracked(() => {
        if (!this.live.shows(chosen)) this.keepPlace(chosen);
        this.live.open(chosen);
      });
    });
    effect(() => {
      if (this.isOpen()) untracked(() => void this.returnToPlace());
    });
    effect(() => {
      const { from, to } = this.period();
      const isOpen = this.live.state() === 'open';
      untracked(() => {
        if (from === null && to === null) this.window.set(null);
        else if (isOpen) void this.bound(from, to);
      });
    });
  }

  /** Lines that the page was too slow for, so far. */
  readonly skipped = computed(() => {
    this.live.version();
    return this.live.skipped;
  });
  /** Sources whose new lines do not come by themselves. */
  readonly unfollowed = this.live.unfollowed;
  /** Lines that can be scrolled through. */
  readonly count = computed(() => {
    const rows = this.rows();
    rows.version();
    return Math.max(0, rows.end - rows.first);
  });
  /** The lines are there, and can be gone through; or that there are none is known. */
  readonly isOpen = computed(() => {
    const { from, to } = this.period();
    const isBound = (from === null && to === null) || this.window() !== null;
    const isShown = this.list() !== undefined || this.state() === 'empty period';
    return this.live.state() === 'open' && isBound && isShown;
  });
  readonly arrived = computed(() => {
    this.live.version();
    return this.live.arrived;
  });
  readonly following = computed(() => this.list()?.following() ?? true);

  follow(): void {
    this.place = null;
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
    this.place = null;
    const at = await this.live.locate(source, seq);
    const window = this.window();
    if (window && (at < window.first || at >= window.end)) return 'outside';
    this.list()?.goTo(at);
    const row = this.live.row(at);
    return row?.kind === 'line' ? row : null;
  }

  /** Shows what was written at a time, in microseconds, or next after it. @throws ApiProblem */
  async goToTime(time: number): Promise<void> {
    this.place = null;
    const at = await this.live.locateTime(time);
    this.list()?.goTo(Math.min(at, this.live.end - 1));
  }

  /** Shows a row of what stands instead of the live lines. */
  goToRow(at: number): void {
    this.list()?.goTo(at);
  }

  /** What was read of its sources is not there any more. */
  readAnew(): void {
    this.live.readAnew();
  }

  protected retry(): void {
    void this.live.synchronise();
  }

  /** Lines of other sources begin at their end; who reads older ones is to go on where he is. */
  private keepPlace(chosen: readonly OpenedSource[]): void {
    // Where they are being opened already, the place of before counts.
    if (this.live.state() !== 'open') return;
    this.place = null;
    const list = this.list();
    if (this.instead() || list?.following() !== false) return;
    const stand = list.stand();
    const line = this.rows().row(stand.at);
    const isKept = line?.kind === 'line' && chosen.some(({ id }) => id === line.source);
    this.place = isKept ? { line, stand } : null;
  }

  private async returnToPlace(): Promise<void> {
    const { place } = this;
    if (!place || this.instead()) return;
    const at = await this.live.locate(place.line.source, place.line.seq).catch(() => null);
    // Somebody went elsewhere meanwhile.
    if (this.place !== place) return;
    this.place = null;
    if (at !== null) this.list()?.standAgain({ ...place.stand, at });
  }

  private async bound(from: number | null, to: number | null): Promise<void> {
    try {
      const low = from === null ? null : await this.live.locateTime(from);
      const high = to === null ? null : await this.live.locateTime(to);
      const { from: now, to: until } = this.period();
      if (now !== from || until !== to) return;
      const window = this.window();
      // One that slides stays the same list, which nothing takes back to its end.
      if (window?.isOpenEnded && low !== null && high === null) window.begin(low);
      else this.window.set(new RowWindow(this.live, low, high));
    } catch {
      // The page that answers next opens the lines again, and this with them.
      this.window.set(null);
    }
  }

  protected async fill(gap: LogGap): Promise<void> {
    this.list()?.letGo();
    await this.live.synchronise();
    await this.goToLine(gap.source, gap.from);
  }
}

/** Tells apart what a source is to one who follows it. */
function mayWrite({ id, state, next_seq }: LogSourceDto): string {
  if (state === 'gone') return `${id} until ${next_seq}`;
  return state === 'live' ? `${id} live` : `${id}`;
}
