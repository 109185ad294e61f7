import { inject, Injectable, InjectionToken, Injector, runInInjectionContext, signal } from '@angular/core';
import { Api } from '../../../shared/api/api';
import { ApiProblem } from '../../../shared/api/api-problem';
import type { LogSourceDto, MergedPageDto } from '../../../shared/api/api-types';
import { MergedLines } from './merged-lines';
import { type LineListener, LineSubscriptions } from './line-subscriptions';
import { type LogRow, MAX_LINE_LENGTH, rfc3339 } from '../../../shared/lines/log-line';
import { PAGE_ROWS } from './page-cache';
import type { RowSource } from '../../../shared/lines/row-source';

/** Maximum wait for subscriptions before the newest lines are loaded. */
const SUBSCRIBED_MS = 300;
const RETRY_MS = 2000;
/** Hidden pages get no animation frames. */
const HIDDEN_FRAME_MS = 500;
/** Limit of subscriptions per socket; docs/log-board-socket.md. */
export const MAX_FOLLOWED = 1000;

export type OpenedSource = Pick<LogSourceDto, 'id' | 'state' | 'next_seq'>;

export type OpeningState = 'nothing selected' | 'opening' | 'open' | 'failed';

/** Where a page is: by a position, or by a time or line in its middle; without them at the end. */
type Place = { position: number } | { at: string } | { source: number; seq: number } | object;

/** Lines of several sources, live and from history: connects the merged lines to the socket and the API. */
@Injectable()
export class LiveLines implements RowSource {
  private readonly api = inject(Api);
  private readonly subscriptions = inject(LineSubscriptions);
  private readonly shiftListeners = new Set<(at: number, by: number) => void>();
  private lines = this.createLines();
  private listener = this.createListener();
  private selected: readonly OpenedSource[] = [];
  private sources: readonly number[] = [];
  /** Followed sources, with functions to unsubscribe. */
  private followed = new Map<number, () => void>();
  /** Followed sources without an active subscription yet. */
  private readonly pending = new Set<number>();
  private readonly refused = new Set<number>();
  /** Deleted sources, which are not followed, with their next sequence number. */
  private readonly inactive = new Map<number, number>();
  /** Number of sources that were not followed because of the limit. */
  private overLimit = 0;
  private generation = 0;
  private frameRequested = false;
  private settling: ReturnType<typeof setTimeout> | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;

  private readonly frames = signal(0);
  private readonly opening = signal<OpeningState>('nothing selected');
  private readonly failure = signal<ApiProblem | null>(null);
  readonly version = this.frames.asReadonly();
  readonly state = this.opening.asReadonly();
  readonly problem = this.failure.asReadonly();
  private readonly notFollowed = signal(0);
  /** Sources whose new lines do not arrive because of the limit. */
  readonly unfollowed = this.notFollowed.asReadonly();

  get first(): number {
    return this.lines.first;
  }

  get end(): number {
    return this.lines.end;
  }

  get arrived(): number {
    return this.lines.arrived;
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

  onShift(listener: (at: number, by: number) => void): () => void {
    this.shiftListeners.add(listener);
    return () => void this.shiftListeners.delete(listener);
  }

  shows(selected: readonly OpenedSource[]): boolean {
    const ids = new Set(this.sources);
    return selected.length === ids.size && selected.every(({ id }) => ids.has(id));
  }

  holds(source: number): boolean {
    return this.sources.includes(source);
  }

  hasRoomFor(selected: readonly OpenedSource[]): boolean {
    const more = selected.filter(({ state }) => state !== 'gone').map(({ id }) => id);
    return new Set([...this.followed.keys(), ...more]).size <= MAX_FOLLOWED;
  }

  /** Unsubscribes from all sources until `open`; loaded lines stay readable. */
  pause(): void {
    for (const end of this.followed.values()) end();
    this.followed.clear();
    this.pending.clear();
    this.refused.clear();
  }

  close(): void {
    this.open([]);
  }

  /** Changes the sources. For the same sources, only follows those that may write again. */
  open(selected: readonly OpenedSource[]): void {
    const sorted = [...selected].sort((one, other) => one.id - other.id);
    if (this.shows(sorted)) this.followMore(sorted);
    else this.begin(sorted);
  }

  reload(): void {
    this.begin(this.selected);
  }

  /** The number of a line, from memory or from the server. @throws ApiProblem */
  async locate(source: number, seq: number): Promise<number> {
    const here = this.lines.find(source, seq);
    if (here !== null) return here;
    const page = await this.goTo({ source, seq });
    const index = page.lines.findIndex((line) => line[0] === source && line[1] >= seq);
    return page.position + Math.max(0, index);
  }

  /** The number of the first line at or after a time in microseconds. @throws ApiProblem */
  async locateTime(time: number): Promise<number> {
    const page = await this.goTo({ at: rfc3339(time) });
    const index = page.lines.findIndex((line) => line[2] >= time);
    return page.position + (index < 0 ? page.lines.length : index);
  }

  /** Makes row numbers exact again after lines were skipped. @throws ApiProblem */
  async synchronize(): Promise<void> {
    clearTimeout(this.settling);
    const { generation, lines } = this;
    try {
      const page = await this.load({}, PAGE_ROWS);
      if (generation !== this.generation) return;
      const isLate = this.pending.size > 0;
      lines.synchronize(page);
      this.opening.set('open');
      this.failure.set(null);
      // A late subscription may have missed lines after this page.
      if (isLate) this.settling = setTimeout(() => void this.synchronize(), RETRY_MS);
    } catch (error) {
      if (generation !== this.generation) return;
      this.failure.set(ApiProblem.of(error));
      if (!lines.opened) this.opening.set('failed');
      this.retry = setTimeout(() => void this.synchronize(), RETRY_MS);
    }
  }

  private begin(sorted: readonly OpenedSource[]): void {
    this.sources = sorted.map(({ id }) => id);
    this.generation += 1;
    this.lines = this.createLines();
    this.listener = this.createListener();
    this.pending.clear();
    this.refused.clear();
    this.inactive.clear();
    clearTimeout(this.settling);
    clearTimeout(this.retry);
    this.failure.set(null);
    this.opening.set(sorted.length === 0 ? 'nothing selected' : 'opening');
    if (sorted.length > 0) this.settling = setTimeout(() => void this.synchronize(), SUBSCRIBED_MS);
    const before = this.followed;
    const shown = new Set(this.sources);
    // First free the subscriptions of removed sources. Sources that stay are released last, so that they stay
    // subscribed.
    for (const [source, end] of before) if (!shown.has(source)) end();
    this.followed = new Map();
    for (const { id, state, next_seq } of sorted) if (state === 'gone') this.inactive.set(id, next_seq);
    this.followMore(sorted);
    for (const [source, end] of before) if (shown.has(source)) end();
    // Deleted sources have no subscription to wait for.
    if (sorted.length > 0 && this.followed.size === 0) void this.synchronize();
    this.changed();
  }

  /** Follows sources that may write, live and newest first. */
  private followMore(sorted: readonly OpenedSource[]): void {
    this.selected = sorted;
    const more = sorted
      .filter(({ id, state, next_seq }) => {
        const isAtRest = state === 'gone' && this.inactive.get(id) === next_seq;
        return !isAtRest && !this.followed.has(id);
      })
      .sort(
        (one, other) => Number(other.state === 'live') - Number(one.state === 'live') || other.id - one.id,
      );
    if (more.length > MAX_FOLLOWED - this.followed.size) this.releaseEnded(sorted);
    const next = more.slice(0, MAX_FOLLOWED - this.followed.size);
    // Lines written before the subscription may belong between loaded rows.
    if (next.length > 0 && this.lines.opened) this.lines.isApproximate = true;
    for (const { id } of next) this.pending.add(id);
    for (const { id } of next) {
      this.inactive.delete(id);
      this.followed.set(id, this.subscriptions.follow(id, this.listener));
    }
    this.overLimit = more.length - next.length;
    this.countNotFollowed();
  }

  private releaseEnded(sorted: readonly OpenedSource[]): void {
    for (const { id, state, next_seq } of sorted) {
      const end = this.followed.get(id);
      if (state !== 'gone' || !end) continue;
      end();
      this.followed.delete(id);
      this.pending.delete(id);
      this.refused.delete(id);
      this.inactive.set(id, next_seq);
    }
  }

  private countNotFollowed(): void {
    this.notFollowed.set(this.overLimit + this.refused.size);
  }

  private async goTo(place: Place): Promise<MergedPageDto> {
    const { lines } = this;
    if (lines.isApproximate) await this.synchronize();
    const page = await this.load(place, PAGE_ROWS);
    lines.addPage(page);
    return page;
  }

  private load(place: Place, limit: number): Promise<MergedPageDto> {
    const sources = this.sources.join(',');
    return this.api.get('/api/lines', { sources, limit, longest: MAX_LINE_LENGTH, ...place });
  }

  private createListener(): LineListener {
    const { generation } = this;
    const { lines } = this;
    const isCurrent = (): boolean => generation === this.generation;
    return {
      onReset: () => {
        if (isCurrent()) this.begin(this.selected);
      },
      onStart: (source) => {
        if (isCurrent()) this.settle(source, true);
      },
      onLines: (source, added) => lines.append(source, added),
      onSkipped: (source, from, to) => lines.skip(source, from, to),
      onError: (source) => {
        // Without a subscription, there is still the history.
        if (isCurrent()) this.settle(source, false);
      },
    };
  }

  /** A page is complete once each subscription is active or refused: later lines are pushed. */
  private settle(source: number, isFollowed: boolean): void {
    // Lines sent before a refused subscription recovered are in no loaded page.
    const isRecovered = isFollowed && this.refused.delete(source);
    if (!isFollowed) this.refused.add(source);
    this.countNotFollowed();
    if ((!this.pending.delete(source) && !isRecovered) || this.pending.size > 0) return;
    clearTimeout(this.settling);
    void this.synchronize();
  }

  private createLines(): MergedLines {
    const lines: MergedLines = new MergedLines({
      // Replaced lines load nothing more.
      load: (position, limit) =>
        lines === this.lines ? this.load({ position }, limit) : new Promise<never>(() => undefined),
      changed: () => this.changed(),
      shifted: (at, by) => {
        if (lines === this.lines) for (const listener of this.shiftListeners) listener(at, by);
      },
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

/** Creates lines without sources; the caller closes them. A token, so that tests can replace it. */
export const CREATE_LIVE_LINES = new InjectionToken<() => LiveLines>('CREATE_LIVE_LINES', {
  providedIn: 'root',
  factory: () => {
    const injector = inject(Injector);
    return () => runInInjectionContext(injector, () => new LiveLines());
  },
});
