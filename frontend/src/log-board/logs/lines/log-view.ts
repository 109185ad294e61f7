import { Component, computed, effect, inject, input, output, untracked, viewChild } from '@angular/core';
import { SkeletonRows } from '../../../shared/ui/skeleton-rows';
import { Placeholder } from '../../../shared/ui/placeholder';
import { BoardConnection } from '../board-connection';
import { ViewOptions } from '../options/view-options';
import { LogSources } from '../tree/log-sources';
import { LineList } from './line-list';
import { LiveLines } from './live-lines';
import type { LogGap, LogLine } from './log-line';
import type { RowSource } from './row-source';
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
  readonly marks = input<RegExp | null>(null);
  readonly opened = output<LogLine>();
  readonly current = output<LogLine | null>();
  private readonly list = viewChild(LineList);

  /** Those of the keys that are known, by id. */
  readonly ids = computed(
    () => {
      const keys = new Set(this.keys());
      return this.sources
        .all()
        .filter(({ key }) => keys.has(key))
        .map(({ id }) => id);
    },
    { equal: (one, other) => one.join() === other.join() },
  );
  protected readonly known = computed(() => this.sources.byId() !== null);
  protected readonly rows = computed<RowSource>(() => this.instead() ?? this.live);
  protected readonly look = computed(() => {
    this.sources.byId();
    return (id: number) => this.looks.of(id);
  });
  protected readonly isEmpty = computed(() => {
    this.live.version();
    return this.live.end <= this.live.first;
  });
  /** What is to be said instead of lines. */
  protected readonly state = computed(() => {
    if (this.keys().length === 0) return 'nothing chosen';
    if (this.instead()) return 'lines';
    if (!this.known()) return this.connection.state() === 'lost' ? 'not connected' : 'opening';
    if (this.ids().length === 0) return 'unknown';
    if (this.live.state() !== 'open') return this.live.state();
    return this.isEmpty() ? 'empty' : 'lines';
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
      const ids = this.ids();
      untracked(() => this.live.open(ids));
    });
  }

  /** Lines that the page was too slow for, so far. */
  readonly skipped = computed(() => {
    this.live.version();
    return this.live.skipped;
  });
  /** Lines that can be scrolled through. */
  readonly count = computed(() => {
    const rows = this.rows();
    rows.version();
    return Math.max(0, rows.end - rows.first);
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

  async copy(): Promise<number> {
    return (await this.list()?.copy()) ?? 0;
  }

  /** Shows a line in its place among the others. @throws ApiProblem */
  async goToLine(source: number, seq: number): Promise<void> {
    const at = await this.live.locate(source, seq);
    this.list()?.goTo(at);
  }

  /** Shows what was written at a time, in microseconds, or next after it. @throws ApiProblem */
  async goToTime(time: number): Promise<void> {
    const at = await this.live.locateTime(time);
    this.list()?.goTo(Math.min(at, this.live.end - 1));
  }

  /** Shows a row of what stands instead of the live lines. */
  goToRow(at: number): void {
    this.list()?.goTo(at);
  }

  protected retry(): void {
    void this.live.synchronise();
  }

  protected async fill(gap: LogGap): Promise<void> {
    this.list()?.letGo();
    await this.live.synchronise();
    await this.goToLine(gap.source, gap.from);
  }
}
