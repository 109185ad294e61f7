import { inject, Injectable, InjectionToken, Injector, runInInjectionContext, signal } from '@angular/core';
import { ApiProblem } from '../../../shared/api/api-problem';
import type { LogSourceDto, MergedPageDto } from '../../../shared/api/api-types';
import { LineFeed } from './line-feed';
import { LineSubscriptions, type LineReader } from './line-subscriptions';
import { LinesApi, type PagePlace } from './lines-api';
import { type LogRow, rfc3339 } from '../../../shared/lines/log-line';
import { PAGE_ROWS } from './page-cache';
import type { RowSource } from '../../../shared/lines/row-source';

/** Longest wait for the subscriptions before the newest lines are asked for. */
const SUBSCRIBED_MS = 300;
const RETRY_MS = 2000;
/** While nobody looks, frames stand still. */
const HIDDEN_FRAME_MS = 500;
/** As many as one socket may follow; docs/log-board-socket.md. */
export const MOST_FOLLOWED = 1000;

/** What is to be known of a source to tell whether lines of it may come. */
export type OpenedSource = Pick<LogSourceDto, 'id' | 'state' | 'next_seq'>;

export type OpeningState = 'nothing chosen' | 'opening' | 'open' | 'failed';

/** The lines of some sources, live and from history: connects a feed with the socket and the API. */
@Injectable()
export class LiveLines implements RowSource {
  private readonly api = inject(LinesApi);
  private readonly subscriptions = inject(LineSubscriptions);
  private readonly shiftListeners = new Set<(at: number, by: number) => void>();
  private feed = this.makeFeed();
  private reader = this.makeReader();
  private chosen: readonly OpenedSource[] = [];
  /** Their numbers, in order. */
  private sources: readonly number[] = [];
  /** Each that is followed, with what ends that. */
  private followed = new Map<number, () => void>();
  /** Followed ones whose lines do not come yet. */
  private readonly pending = new Set<number>();
  /** Followed ones that the server does not tell of. */
  private readonly refused = new Set<number>();
  /** Those that are gone and were left out, with the number that the next line would have. */
  private readonly resting = new Map<number, number>();
  /** Of those that may write, so many were not even asked for. */
  private tooMany = 0;
  private generation = 0;
  private framed = false;
  private settling: ReturnType<typeof setTimeout> | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;

  private readonly frames = signal(0);
  private readonly opening = signal<OpeningState>('nothing chosen');
  private readonly failure = signal<ApiProblem | null>(null);
  readonly version = this.frames.asReadonly();
  readonly state = this.opening.asReadonly();
  readonly problem = this.failure.asReadonly();
  private readonly leftOut = signal(0);
  /** Sources that may write, and of which nothing comes by itself: there are too many. */
  readonly unfollowed = this.leftOut.asReadonly();

  get first(): number {
    return this.feed.first;
  }

  get end(): number {
    return this.feed.end;
  }

  get arrived(): number {
    return this.feed.arrived;
  }

  get skipped(): number {
    return this.feed.skipped;
  }

  row(at: number): LogRow | undefined {
    return this.feed.row(at);
  }

  want(from: number, to: number): void {
    this.feed.want(from, to);
  }

  onShift(listener: (at: number, by: number) => void): () => void {
    this.shiftListeners.add(listener);
    return () => void this.shiftListeners.delete(listener);
  }

  /** Whether these sources are the ones that it shows, in whatever order. */
  shows(chosen: readonly OpenedSource[]): boolean {
    const ids = new Set(this.sources);
    return chosen.length === ids.size && chosen.every(({ id }) => ids.has(id));
  }

  /** Whether it shows what is written by a source. */
  holds(source: number): boolean {
    return this.sources.includes(source);
  }

  /** Whether others may be followed as well, beside those that it follows. */
  leavesRoomFor(chosen: readonly OpenedSource[]): boolean {
    const more = chosen.filter(({ state }) => state !== 'gone').map(({ id }) => id);
    return new Set([...this.followed.keys(), ...more]).size <= MOST_FOLLOWED;
  }

  /** Follows nothing any more, until it is opened; what it has can be read. */
  standStill(): void {
    for (const end of this.followed.values()) end();
    this.followed.clear();
    this.pending.clear();
    this.refused.clear();
  }

  /** Shows nothing from now on. */
  close(): void {
    this.open([]);
  }

  /** Shows other sources; the same ones go on as they are, and one that comes back is followed again. */
  open(chosen: readonly OpenedSource[]): void {
    const sorted = [...chosen].sort((one, other) => one.id - other.id);
    if (this.shows(sorted)) this.followMore(sorted);
    else this.begin(sorted);
  }

  /** Forgets what it read: it is not there any more. */
  reload(): void {
    this.begin(this.chosen);
  }

  /** The number of a line: from what is here, or from the server. @throws ApiProblem */
  async locate(source: number, seq: number): Promise<number> {
    const here = this.feed.find(source, seq);
    if (here !== null) return here;
    const page = await this.goTo({ source, seq });
    const index = page.lines.findIndex((line) => line[0] === source && line[1] >= seq);
    return page.position + Math.max(0, index);
  }

  /** The number of the first line at a time, in microseconds, or after it. @throws ApiProblem */
  async locateTime(time: number): Promise<number> {
    const page = await this.goTo({ at: rfc3339(time) });
    const index = page.lines.findIndex((line) => line[2] >= time);
    return page.position + (index < 0 ? page.lines.length : index);
  }

  /** Makes numbers exact again after lines were skipped. @throws ApiProblem */
  async synchronize(): Promise<void> {
    clearTimeout(this.settling);
    const { generation, feed } = this;
    try {
      const page = await this.api.merged(this.sources, 'end', PAGE_ROWS);
      if (generation !== this.generation) return;
      const isLate = this.pending.size > 0;
      feed.synchronize(page);
      this.opening.set('open');
      this.failure.set(null);
      // A subscription that stands only now may have missed lines after this page.
      if (isLate) this.settling = setTimeout(() => void this.synchronize(), RETRY_MS);
    } catch (error) {
      if (generation !== this.generation) return;
      this.failure.set(ApiProblem.of(error));
      if (!feed.opened) this.opening.set('failed');
      this.retry = setTimeout(() => void this.synchronize(), RETRY_MS);
    }
  }

  private begin(sorted: readonly OpenedSource[]): void {
    this.sources = sorted.map(({ id }) => id);
    this.generation += 1;
    this.feed = this.makeFeed();
    this.reader = this.makeReader();
    this.pending.clear();
    this.refused.clear();
    this.resting.clear();
    clearTimeout(this.settling);
    clearTimeout(this.retry);
    this.failure.set(null);
    this.opening.set(sorted.length === 0 ? 'nothing chosen' : 'opening');
    if (sorted.length > 0) this.settling = setTimeout(() => void this.synchronize(), SUBSCRIBED_MS);
    const before = this.followed;
    const shown = new Set(this.sources);
    // What is not shown any more makes room; what both show ends last, so that it is not subscribed anew.
    for (const [source, end] of before) if (!shown.has(source)) end();
    this.followed = new Map();
    for (const { id, state, next_seq } of sorted) if (state === 'gone') this.resting.set(id, next_seq);
    this.followMore(sorted);
    for (const [source, end] of before) if (shown.has(source)) end();
    // Of what is gone alone, nothing is waited for.
    if (sorted.length > 0 && this.followed.size === 0) void this.synchronize();
    this.changed();
  }

  /** Follows what may write, the live and the newest first: of what is gone nothing comes. */
  private followMore(sorted: readonly OpenedSource[]): void {
    this.chosen = sorted;
    const more = sorted
      .filter(({ id, state, next_seq }) => {
        const isAtRest = state === 'gone' && this.resting.get(id) === next_seq;
        return !isAtRest && !this.followed.has(id);
      })
      .sort(
        (one, other) => Number(other.state === 'live') - Number(one.state === 'live') || other.id - one.id,
      );
    if (more.length > MOST_FOLLOWED - this.followed.size) this.letGoOfGone(sorted);
    const next = more.slice(0, MOST_FOLLOWED - this.followed.size);
    // What such a source wrote before it is followed may belong among what is here.
    if (next.length > 0 && this.feed.opened) this.feed.loosen();
    for (const { id } of next) this.pending.add(id);
    for (const { id } of next) {
      this.resting.delete(id);
      this.followed.set(id, this.subscriptions.follow(id, this.reader));
    }
    this.tooMany = more.length - next.length;
    this.countLeftOut();
  }

  private letGoOfGone(sorted: readonly OpenedSource[]): void {
    for (const { id, state, next_seq } of sorted) {
      const end = this.followed.get(id);
      if (state !== 'gone' || !end) continue;
      end();
      this.followed.delete(id);
      this.pending.delete(id);
      this.refused.delete(id);
      this.resting.set(id, next_seq);
    }
  }

  private countLeftOut(): void {
    this.leftOut.set(this.tooMany + this.refused.size);
  }

  private async goTo(place: PagePlace): Promise<MergedPageDto> {
    const { feed } = this;
    if (feed.isLoose) await this.synchronize();
    const page = await this.api.merged(this.sources, place, PAGE_ROWS);
    feed.put(page);
    return page;
  }

  private makeReader(): LineReader {
    const { generation } = this;
    const { feed } = this;
    const isCurrent = (): boolean => generation === this.generation;
    return {
      changed: () => {
        if (isCurrent()) this.begin(this.chosen);
      },
      began: (source) => {
        if (isCurrent()) this.stands(source, true);
      },
      lines: (source, lines) => feed.take(source, lines),
      skipped: (source, from, to) => feed.skip(source, from, to),
      failed: (source) => {
        // What cannot be followed still has its history.
        if (isCurrent()) this.stands(source, false);
      },
    };
  }

  /** What is known of the last one that is waited for makes a page complete: what comes after it is told. */
  private stands(source: number, isTold: boolean): void {
    // What came before it was told after all is in no page that is here.
    const isBack = isTold && this.refused.delete(source);
    if (!isTold) this.refused.add(source);
    this.countLeftOut();
    if ((!this.pending.delete(source) && !isBack) || this.pending.size > 0) return;
    clearTimeout(this.settling);
    void this.synchronize();
  }

  private makeFeed(): LineFeed {
    const feed: LineFeed = new LineFeed({
      // Nobody looks at one that was left: it waits, and goes with what waits for it.
      load: (position, limit) =>
        feed === this.feed
          ? this.api.merged(this.sources, { position }, limit)
          : new Promise<never>(() => undefined),
      changed: () => this.changed(),
      shifted: (at, by) => {
        if (feed === this.feed) for (const listener of this.shiftListeners) listener(at, by);
      },
    });
    return feed;
  }

  /** However much comes, the page is drawn once a frame. */
  private changed(): void {
    if (this.framed) return;
    this.framed = true;
    const draw = (): void => {
      this.framed = false;
      this.frames.update((frame) => frame + 1);
    };
    if (document.hidden) setTimeout(draw, HIDDEN_FRAME_MS);
    else requestAnimationFrame(draw);
  }
}

/** Makes lines of sources that are still to be chosen; who wants them closes them. A token, so that tests bring their own. */
export const MAKE_LIVE_LINES = new InjectionToken<() => LiveLines>('MAKE_LIVE_LINES', {
  providedIn: 'root',
  factory: () => {
    const injector = inject(Injector);
    return () => runInInjectionContext(injector, () => new LiveLines());
  },
});
