import { NgTemplateOutlet } from '@angular/common';
import {
  Component,
  computed,
  effect,
  inject,
  input,
  output,
  type TemplateRef,
  untracked,
  viewChild,
} from '@angular/core';
import type { LogSourceDto } from '../../../shared/api/api-types';
import { BoardConnection } from '../../api/board-connection';
import { ViewOptions } from '../../../shared/lines/view-options';
import { HighlightRules } from '../options/highlight-rules';
import { LogSources } from '../sources/log-sources';
import { LineList } from '../../../shared/lines/line-list';
import { MAX_ROWS } from '../../../shared/lines/list-place';
import type { LineMarks } from '../../../shared/lines/hits';
import {
  type LinePlace,
  type LogGap,
  type LogLine,
  type LogRow,
  placeOf,
} from '../../../shared/lines/log-line';
import type { RowSource } from '../../../shared/lines/row-source';
import { UI } from '../../../shared/ui/ui';
import { SourceStyles } from '../sources/source-styles';
import { LiveLines, type Period } from './live-lines';

/** The lines of several sources, live and from history. */
@Component({
  selector: 'sw-log-view',
  imports: [UI, LineList, NgTemplateOutlet],
  templateUrl: './log-view.html',
  styleUrl: './log-view.scss',
  providers: [LiveLines],
  host: { class: 'surface' },
})
export class LogView {
  private readonly connection = inject(BoardConnection);
  private readonly sources = inject(LogSources);
  private readonly styles = inject(SourceStyles);
  protected readonly options = inject(ViewOptions);
  protected readonly highlights = inject(HighlightRules);
  readonly keys = input.required<readonly string[]>();
  readonly label = input($localize`Lines`);
  /** Rows shown instead of the live lines, such as matches. */
  readonly results = input<RowSource | null>(null);
  readonly marks = input<LineMarks | null>(null);
  readonly period = input<Period>({ from: null, to: null });
  /** Shown where there is no line. */
  readonly nothing = input<TemplateRef<unknown> | null>(null);
  /** Number of views side by side, which share the limit of rendered rows. */
  readonly viewCount = input(1);
  protected readonly most = computed(() => Math.floor(MAX_ROWS / this.viewCount()));
  readonly opened = output<LogLine>();
  readonly current = output<LogLine | null>();
  private readonly list = viewChild(LineList);
  protected readonly live = inject(LiveLines);
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
  protected readonly rows = computed<RowSource>(() => this.results() ?? this.live);
  /** Number of lines skipped because the page was too slow. */
  readonly skipped = computed(() => {
    this.live.version();
    return this.live.skipped;
  });
  /** Number of lines received since the view was opened. */
  readonly arrived = computed(() => {
    this.live.version();
    return this.live.received;
  });

  protected readonly known = computed(() => this.sources.byId() !== null);
  protected readonly styleOf = computed(() => {
    const isOneCluster =
      new Set(
        this.selected()
          .map(({ cluster }) => cluster)
          .filter(Boolean),
      ).size < 2;
    return (id: number) => (isOneCluster ? { ...this.styles.of(id), cluster: null } : this.styles.of(id));
  });
  readonly count = computed(() => {
    const rows = this.rows();
    rows.version();
    return Math.max(0, rows.end - rows.first);
  });
  private readonly isEmpty = computed(() => this.count() === 0);
  protected readonly state = computed(() => {
    if (this.results()) return this.isEmpty() ? 'none found' : 'lines';
    if (!this.known()) return this.connection.state() === 'lost' ? 'not connected' : 'opening';
    if (this.keys().length === 0) return 'nothing selected';
    if (this.ids().length === 0) return 'unknown';
    if (this.live.state() !== 'open') return this.live.state();
    if (this.isEmpty()) return this.live.isBounded() ? 'empty period' : 'empty';
    return 'lines';
  });
  /** Why a single source sends no lines. */
  protected readonly reason = computed(() => {
    const [id] = this.ids();
    const source = id === undefined || this.ids().length > 1 ? undefined : this.sources.byId()?.get(id);
    return source?.state === 'live' ? null : (source?.reason ?? null);
  });
  protected readonly newLines = $localize`New lines appear here.`;
  readonly unfollowed = this.live.unfollowed;
  /** Rows are shown, or the period has no rows. */
  readonly isOpen = computed(() => {
    const isShown = this.list() !== undefined || this.state() === 'empty period';
    return this.live.state() === 'open' && this.live.applied() === this.period() && isShown;
  });
  readonly following = computed(() => this.list()?.following() ?? true);
  /** Lines that arrived while not following. */
  readonly unseen = computed(() => this.list()?.unseen() ?? 0);

  constructor() {
    this.connection.watch();
    effect(() => {
      const selected = this.selected();
      untracked(() => this.live.open(selected, () => this.heldRows()));
    });
    effect(() => {
      const period = this.period();
      untracked(() => this.setPeriod(period));
    });
  }

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
  async goToLine(place: LinePlace): Promise<LogLine | 'outside' | null> {
    const at = await this.live.locate(place);
    if (at === null) return 'outside';
    this.goToRow(at);
    const row = this.live.row(at);
    return row?.kind === 'line' ? row : null;
  }

  /** Shows the first line at or after a time in microseconds. @throws ApiProblem */
  async goToTime(time: number): Promise<void> {
    this.goToRow(await this.live.locateTime(time));
  }

  /** Shows the last line before a time in microseconds. @returns it, if it is loaded @throws ApiProblem */
  async goToLineBefore(time: number): Promise<LogLine | null> {
    const near = await this.live.locateTime(time);
    const newest = this.live.row(near);
    // The newest line may be older.
    const at = newest?.kind === 'line' && newest.time < time ? near : near - 1;
    if (at < this.live.first) return null;
    this.goToRow(at);
    const row = this.live.row(at);
    return row?.kind === 'line' ? row : null;
  }

  goToRow(at: number): void {
    this.list()?.goTo(at);
  }

  /** Loads again: the history of a source was deleted. */
  reload(): void {
    this.live.reload();
  }

  protected async loadGap(gap: LogGap): Promise<void> {
    this.unfollow();
    await this.live.synchronize();
    await this.goToLine(placeOf(gap));
  }

  private heldRows(): readonly LogRow[] {
    return this.results() ? [] : (this.list()?.held() ?? []);
  }

  private setPeriod(period: Period): void {
    const before = this.live.applied();
    this.live.setPeriod(period);
    const hasSlid = before.from !== null && period.from !== null && before.to === null && period.to === null;
    if (!hasSlid) this.list()?.follow();
  }
}

/** The part of a source that affects its subscription. */
function followKey({ id, state, next_seq }: LogSourceDto): string {
  if (state === 'gone') return `${id} until ${next_seq}`;
  return state === 'live' ? `${id} live` : `${id}`;
}
