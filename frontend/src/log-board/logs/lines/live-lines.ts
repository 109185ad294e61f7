import { DestroyRef, inject, Injectable, signal } from '@angular/core';
import { ApiProblem } from '../../../shared/api/api-problem';
import type { MergedPageDto } from '../../../shared/api/api-types';
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

export type OpeningState = 'nothing chosen' | 'opening' | 'open' | 'failed';

/** The lines of some sources, live and from history: connects a feed with the socket and the API. */
@Injectable()
export class LiveLines implements RowSource {
  private readonly api = inject(LinesApi);
  private readonly subscriptions = inject(LineSubscriptions);
  private readonly shiftListeners = new Set<(at: number, by: number) => void>();
  private ends: (() => void)[] = [];
  private readonly began = new Set<number>();
  private feed = this.makeFeed();
  private sources: readonly number[] = [];
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

  constructor() {
    inject(DestroyRef).onDestroy(() => this.open([]));
  }

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

  get ids(): readonly number[] {
    return this.sources;
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

  /** Shows other sources; the same ones go on as they are. */
  open(sources: readonly number[]): void {
    const sorted = [...sources].sort((one, other) => one - other);
    if (sorted.join() !== this.sources.join()) this.begin(sorted);
  }

  /** Forgets what it read: it is not there any more. */
  readAnew(): void {
    this.begin(this.sources);
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
  async synchronise(): Promise<void> {
    clearTimeout(this.settling);
    const { generation, feed } = this;
    try {
      const page = await this.api.merged(this.sources, 'end', PAGE_ROWS);
      if (generation !== this.generation) return;
      const isLate = this.began.size < this.sources.length;
      feed.synchronise(page);
      this.opening.set('open');
      this.failure.set(null);
      // A subscription that stands only now may have missed lines after this page.
      if (isLate) this.settling = setTimeout(() => void this.synchronise(), RETRY_MS);
    } catch (error) {
      if (generation !== this.generation) return;
      this.failure.set(ApiProblem.of(error));
      if (!feed.opened) this.opening.set('failed');
      this.retry = setTimeout(() => void this.synchronise(), RETRY_MS);
    }
  }

  private begin(sorted: readonly number[]): void {
    this.sources = sorted;
    this.generation += 1;
    this.feed = this.makeFeed();
    this.began.clear();
    clearTimeout(this.settling);
    clearTimeout(this.retry);
    this.failure.set(null);
    this.opening.set(sorted.length === 0 ? 'nothing chosen' : 'opening');
    if (sorted.length > 0) this.settling = setTimeout(() => void this.synchronise(), SUBSCRIBED_MS);
    const reader = this.makeReader();
    const ends = sorted.map((source) => this.subscriptions.follow(source, reader));
    // The old ones end last: what both show is not subscribed anew.
    for (const end of this.ends) end();
    this.ends = ends;
    this.changed();
  }

  private async goTo(place: PagePlace): Promise<MergedPageDto> {
    const { feed } = this;
    if (feed.isLoose) await this.synchronise();
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
        if (isCurrent()) this.begin(this.sources);
      },
      began: (source) => {
        if (!isCurrent()) return;
        this.began.add(source);
        if (this.began.size < this.sources.length || feed.opened) return;
        clearTimeout(this.settling);
        void this.synchronise();
      },
      lines: (source, lines) => feed.take(source, lines),
      skipped: (source, from, to) => feed.skip(source, from, to),
      failed: (source) => {
        // What cannot be followed still has its history.
        if (isCurrent()) this.began.add(source);
      },
    };
  }

  private makeFeed(): LineFeed {
    const feed: LineFeed = new LineFeed({
      load: (position, limit) => this.api.merged(this.sources, { position }, limit),
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
