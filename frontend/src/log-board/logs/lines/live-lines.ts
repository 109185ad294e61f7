import { computed, DestroyRef, inject, Injectable, signal } from '@angular/core';
import { Api } from '../../../shared/api/api';
import { ApiProblem } from '../../../shared/api/api-problem';
import type { MergedPageDto } from '../../../shared/api/api-types';
import { FollowedSources, type OpenedSource } from './followed-sources';
import { MergedLines } from './merged-lines';
import { LineSubscriptions } from './line-subscriptions';
import {
  type LinePlace,
  type LogRow,
  MAX_LINE_LENGTH,
  placeOf,
  rfc3339,
} from '../../../shared/lines/log-line';
import { PAGE_ROWS } from './page-cache';
import type { RowSource } from '../../../shared/lines/row-source';

/** Maximum wait for subscriptions before the newest lines are loaded. */
const SUBSCRIBED_MS = 300;
const RETRY_MS = 2000;
/** Hidden pages get no animation frames. */
const HIDDEN_FRAME_MS = 500;

/** Null has no limit. */
interface Limits {
  from: number | null;
  to: number | null;
}

/** Where a page is: by a position, or by a time or line in its middle; without them at the end. */
type Place = { position: number } | { at: string } | { source: number; seq: number } | object;

/** A time range in microseconds. */
export type Period = Limits;

const ALWAYS: Period = { from: null, to: null };

export type OpeningState = 'nothing selected' | 'opening' | 'open' | 'failed';

/**
 * Lines of several sources in a period, live and from history: connects the merged lines to the socket and the API.
 * While sources are added or removed, shows the old lines until the new ones are loaded.
 */
@Injectable()
export class LiveLines implements RowSource {
  private readonly api = inject(Api);
  private lines = this.createLines([]);
  /** Lines of the new sources while they load. */
  private next: MergedLines | null = null;
  /** Resolves when they are shown. */
  private replacing: PromiseWithResolvers<void> | undefined;
  private readonly followed = new FollowedSources(inject(LineSubscriptions), {
    onReset: () => this.begin(this.selected),
    onLines: (source, added) => {
      for (const lines of this.holding(source)) lines.append(source, added);
    },
    onSkipped: (source, from, to) => {
      for (const lines of this.holding(source)) lines.skip(source, from, to);
    },
    onSettled: () => void this.synchronize(),
  });
  private selected: readonly OpenedSource[] = [];
  private held: () => readonly LogRow[] = () => [];
  /** Held rows that are not among the new lines. */
  private readonly removed = new WeakSet<LogRow>();
  private period = ALWAYS;
  /** The row numbers of the period. */
  private range: Limits = ALWAYS;
  private readonly appliedPeriod = signal(ALWAYS);
  /** Lines received before the sources changed. */
  private earlierArrivals = 0;
  private frameRequested = false;
  private settling: ReturnType<typeof setTimeout> | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private retryPeriod: ReturnType<typeof setTimeout> | undefined;

  private readonly frames = signal(0);
  private readonly opening = signal<OpeningState>('nothing selected');
  private readonly failure = signal<ApiProblem | null>(null);
  readonly version = this.frames.asReadonly();
  readonly state = this.opening.asReadonly();
  readonly problem = this.failure.asReadonly();
  readonly unfollowed = this.followed.unfollowed;
  /** The period of the rows, which may be the previous one while bounds are loaded. */
  readonly applied = this.appliedPeriod.asReadonly();
  readonly isBounded = computed(() => isBounded(this.applied()));

  constructor() {
    inject(DestroyRef).onDestroy(() => this.open([]));
  }

  get first(): number {
    return Math.max(this.lines.first, Math.min(this.range.from ?? 0, this.end));
  }

  get end(): number {
    return Math.min(this.lines.end, this.range.to ?? Infinity);
  }

  get arrived(): number {
    return this.range.to === null ? this.received : 0;
  }

  /** Lines received since the first sources were opened, in any period. */
  get received(): number {
    return this.earlierArrivals + this.lines.arrived;
  }

  get skipped(): number {
    return this.lines.skipped;
  }

  row(at: number): LogRow | undefined {
    return this.lines.row(at);
  }

  want(from: number, to: number): void {
    this.lines.want(from, to);
  }

  find(row: LogRow): number | null {
    return this.removed.has(row) ? this.lines.findNext(row) : this.lines.find(placeOf(row));
  }

  /**
   * Changes the sources. For the same sources, only follows those that may write again.
   * @param held the rows that keep their place; they are loaded before the new lines are shown
   */
  open(selected: readonly OpenedSource[], held: () => readonly LogRow[] = () => []): void {
    this.held = held;
    const sorted = [...selected].sort((one, other) => one.id - other.id);
    if (sorted.map(({ id }) => id).join() === this.newest.sources.join()) this.followMore(sorted);
    else this.begin(sorted);
  }

  /** Shows only the rows of a period. The rows stay until its bounds are loaded. */
  setPeriod(period: Period): void {
    this.period = period;
    clearTimeout(this.retryPeriod);
    if (!isBounded(period)) this.show(this.lines, period, ALWAYS);
    else if (this.lines.opened) void this.applyPeriod();
  }

  reload(): void {
    this.begin(this.selected);
  }

  /**
   * The number of a line, from memory or from the server; null outside the period. Waits for a source that is loading.
   * @throws ApiProblem
   */
  async locate(place: LinePlace): Promise<number | null> {
    const { source, seq } = place;
    if (!this.lines.holds(source)) await this.replacing?.promise;
    const { lines } = this;
    if (lines.find(place) === null) await this.load(lines, { source, seq });
    if (lines !== this.lines) return await this.locate(place);
    const at = lines.find(place);
    return at === null || at < this.first || at >= this.end ? null : at;
  }

  /** The number of the first line at or after a time in microseconds. @throws ApiProblem */
  async locateTime(time: number): Promise<number> {
    const { lines } = this;
    const at = await this.rowAt(lines, time);
    if (lines !== this.lines) return await this.locateTime(time);
    return Math.min(Math.max(at, this.first), this.end - 1);
  }

  /** Makes row numbers exact again after lines were skipped. @throws ApiProblem */
  async synchronize(): Promise<void> {
    clearTimeout(this.settling);
    const { newest: lines } = this;
    try {
      const page = await this.read(lines.sources, {}, PAGE_ROWS);
      if (lines !== this.newest) return;
      const isLate = this.followed.isPending;
      lines.synchronize(page);
      if (this.opening() !== 'open' || this.next) await this.replace(lines);
      if (lines !== this.newest) return;
      this.failure.set(null);
      // A late subscription may have missed lines after this page.
      if (isLate) this.settling = setTimeout(() => void this.synchronize(), RETRY_MS);
    } catch (error) {
      if (lines !== this.newest) return;
      this.failure.set(ApiProblem.of(error));
      if (this.opening() !== 'open') this.opening.set('failed');
      this.retry = setTimeout(() => void this.synchronize(), RETRY_MS);
    }
  }

  private begin(sorted: readonly OpenedSource[]): void {
    const sources = sorted.map(({ id }) => id);
    this.selected = sorted;
    const lines = this.createLines(sources);
    if (this.opening() === 'open' && sources.some((id) => this.lines.sources.includes(id))) {
      this.next = lines;
      this.replacing ??= Promise.withResolvers();
    } else {
      this.opening.set(sorted.length === 0 ? 'nothing selected' : 'opening');
      this.earlierArrivals = this.received;
      this.lines = lines;
      this.dismiss();
    }
    clearTimeout(this.settling);
    clearTimeout(this.retry);
    clearTimeout(this.retryPeriod);
    this.failure.set(null);
    if (sorted.length > 0) this.settling = setTimeout(() => void this.synchronize(), SUBSCRIBED_MS);
    this.followed.replace(sorted);
    // Deleted sources have no subscription to wait for.
    if (sorted.length > 0 && this.followed.isEmpty) void this.synchronize();
    this.changed();
  }

  private followMore(sorted: readonly OpenedSource[]): void {
    this.selected = sorted;
    // Lines written before the subscription may belong between loaded rows.
    if (this.followed.followMore(sorted) && this.newest.opened) this.newest.isApproximate = true;
  }

  private get newest(): MergedLines {
    return this.next ?? this.lines;
  }

  private async load(lines: MergedLines, place: Place): Promise<MergedPageDto> {
    if (lines.isApproximate) await this.synchronize();
    const page = await this.read(lines.sources, place, PAGE_ROWS);
    lines.addPage(page);
    return page;
  }

  private read(among: readonly number[], place: Place, limit: number): Promise<MergedPageDto> {
    const sources = among.join(',');
    return this.api.get('/api/lines', { sources, limit, longest: MAX_LINE_LENGTH, ...place });
  }

  private async rowAt(lines: MergedLines, time: number): Promise<number> {
    const page = await this.load(lines, { at: rfc3339(time) });
    const index = page.lines.findIndex((line) => line[2] >= time);
    return page.position + (index < 0 ? page.lines.length : index);
  }

  /** Shows lines once those at the bounds of the period and the held ones are loaded. @throws ApiProblem */
  private async replace(lines: MergedLines): Promise<void> {
    const { period } = this;
    const range = await this.rangeOf(lines, period);
    const loaded = new Set<LogRow>();
    const isMissing = (row: LogRow): boolean => !lines.holds(row.source) || lines.find(placeOf(row)) === null;
    // The user may scroll meanwhile.
    const next = (): LogRow | undefined => this.held().find((row) => !loaded.has(row) && isMissing(row));
    for (let row = next(); row; row = next()) {
      loaded.add(row);
      await this.load(lines, { at: rfc3339(row.rank) });
      if (isMissing(row)) this.removed.add(row);
    }
    if (lines !== this.newest) return;
    if (period === this.period) this.show(lines, period, range);
    else await this.replace(lines);
  }

  private show(lines: MergedLines, period: Period, range: Limits): void {
    this.earlierArrivals = this.received - lines.arrived;
    this.lines = lines;
    this.range = range;
    this.appliedPeriod.set(period);
    if (lines.opened) this.opening.set('open');
    if (lines === this.next) this.dismiss();
    // At once: the previous row numbers are invalid.
    this.frames.update((frame) => frame + 1);
  }

  private dismiss(): void {
    this.next = null;
    this.replacing?.resolve();
    this.replacing = undefined;
  }

  private async rangeOf(lines: MergedLines, { from, to }: Period): Promise<Limits> {
    return {
      from: from === null ? null : await this.rowAt(lines, from),
      to: to === null ? null : await this.rowAt(lines, to),
    };
  }

  private async applyPeriod(): Promise<void> {
    const { lines, period } = this;
    const isCurrent = (): boolean => lines === this.lines && period === this.period;
    try {
      const range = await this.rangeOf(lines, period);
      if (isCurrent()) this.show(lines, period, range);
    } catch {
      if (isCurrent()) this.retryPeriod = setTimeout(() => void this.applyPeriod(), RETRY_MS);
    }
  }

  private holding(source: number): MergedLines[] {
    const { lines, next } = this;
    if (!next) return [lines];
    return lines.holds(source) ? [lines, next] : [next];
  }

  private createLines(sources: readonly number[]): MergedLines {
    const lines: MergedLines = new MergedLines(sources, {
      // Replaced lines load nothing more.
      load: (position, limit) =>
        lines === this.lines ? this.read(sources, { position }, limit) : new Promise<never>(() => undefined),
      changed: () => this.changed(),
    });
    return lines;
  }

  /** Rendered once per frame. */
  private changed(): void {
    if (this.frameRequested) return;
    this.frameRequested = true;
    const draw = (): void => {
      this.frameRequested = false;
      this.frames.update((frame) => frame + 1);
    };
    if (document.hidden) setTimeout(draw, HIDDEN_FRAME_MS);
    else requestAnimationFrame(draw);
  }
}

function isBounded({ from, to }: Period): boolean {
  return from !== null || to !== null;
}
