import { Component, computed, inject, input, output, viewChild } from '@angular/core';
import { BoardConnection } from '../../api/board-connection';
import { ViewOptions } from '../../../shared/lines/view-options';
import { HighlightRules } from '../options/highlight-rules';
import { LogSources } from '../sources/log-sources';
import { LineList } from '../../../shared/lines/line-list';
import { MAX_ROWS } from '../../../shared/lines/list-place';
import type { LineMarks } from '../../../shared/lines/hits';
import type { LogGap, LogLine } from '../../../shared/lines/log-line';
import type { RowSource } from '../../../shared/lines/row-source';
import { UI } from '../../../shared/ui/ui';
import { SourceStyles } from '../sources/source-styles';
import { type Period, ViewLines } from './view-lines';

/** The lines of several sources, live and from history. */
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
  protected readonly options = inject(ViewOptions);
  protected readonly highlights = inject(HighlightRules);
  readonly keys = input.required<readonly string[]>();
  readonly label = input($localize`Lines`);
  /** Rows shown instead of the live lines, such as matches. */
  readonly results = input<RowSource | null>(null);
  readonly marks = input<LineMarks | null>(null);
  readonly period = input<Period>({ from: null, to: null });
  /** Number of views side by side, which share the limit of rendered rows. */
  readonly viewCount = input(1);
  protected readonly most = computed(() => Math.floor(MAX_ROWS / this.viewCount()));
  readonly opened = output<LogLine>();
  readonly current = output<LogLine | null>();
  private readonly list = viewChild(LineList);
  private readonly lines = new ViewLines({
    keys: this.keys,
    results: this.results,
    period: this.period,
    list: this.list,
  });
  protected readonly live = this.lines.live;
  protected readonly rows = this.lines.rows;
  readonly ids = this.lines.ids;
  readonly skipped = this.lines.skipped;
  readonly arrived = this.lines.arrived;

  protected readonly known = computed(() => this.sources.byId() !== null);
  protected readonly styleOf = computed(() => {
    this.sources.byId();
    return (id: number) => this.styles.of(id);
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
    if (this.live().state() !== 'open') return this.live().state();
    if (this.isEmpty()) return this.lines.hasWindow() ? 'empty period' : 'empty';
    return 'lines';
  });
  /** Why a single source sends no lines. */
  protected readonly reason = computed(() => {
    const [id] = this.ids();
    const source = id === undefined || this.ids().length > 1 ? undefined : this.sources.byId()?.get(id);
    return source?.state === 'live' ? null : (source?.reason ?? null);
  });
  readonly unfollowed = computed(() => this.live().unfollowed());
  /** Rows are shown, or the period has no rows. */
  readonly isOpen = computed(() => {
    const isShown = this.list() !== undefined || this.state() === 'empty period';
    return this.live().state() === 'open' && this.lines.isBound() && isShown;
  });
  readonly following = computed(() => this.list()?.following() ?? true);

  constructor() {
    this.connection.watch();
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
  async goToLine(source: number, seq: number): Promise<LogLine | 'outside' | null> {
    const at = await this.lines.locate({ source, seq });
    if (at === null) return 'outside';
    this.goToRow(at);
    const row = this.live().row(at);
    return row?.kind === 'line' ? row : null;
  }

  /** Shows the first line at or after a time in microseconds. @throws ApiProblem */
  async goToTime(time: number): Promise<void> {
    this.goToRow(await this.lines.locateTime(time));
  }

  goToRow(at: number): void {
    this.list()?.goTo(at);
  }

  /** Loads again: the history of a source was deleted. */
  reload(): void {
    this.lines.reload();
  }

  protected async loadGap(gap: LogGap): Promise<void> {
    this.unfollow();
    await this.live().synchronize();
    await this.goToLine(gap.source, gap.from);
  }
}
