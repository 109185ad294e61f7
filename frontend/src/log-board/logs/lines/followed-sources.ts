import { signal } from '@angular/core';
import type { LogSourceDto } from '../../../shared/api/api-types';
import type { LineListener, LineSubscriptions } from './line-subscriptions';

/** Limit of subscriptions per socket; docs/log-board-socket.md. */
export const MAX_FOLLOWED = 1000;

export type OpenedSource = Pick<LogSourceDto, 'id' | 'state' | 'next_seq'>;

export interface FollowedSourcesHooks extends Pick<LineListener, 'onLines' | 'onSkipped'> {
  /** The server lost lines that it had sent. */
  onReset: () => void;
  /** Each subscription is active or refused: later lines are pushed. */
  onSettled: () => void;
}

/** The subscriptions of the selected sources, within the limit. */
export class FollowedSources {
  private listener = this.createListener();
  /** Followed sources, with functions to unsubscribe. */
  private followed = new Map<number, () => void>();
  /** Followed sources without an active subscription yet. */
  private readonly pending = new Set<number>();
  private readonly refused = new Set<number>();
  /** Deleted sources, which are not followed, with their next sequence number. */
  private readonly inactive = new Map<number, number>();
  /** Number of sources that were not followed because of the limit. */
  private overLimit = 0;
  private readonly notFollowed = signal(0);
  /** Sources whose new lines do not arrive because of the limit. */
  readonly unfollowed = this.notFollowed.asReadonly();

  constructor(
    private readonly subscriptions: LineSubscriptions,
    private readonly hooks: FollowedSourcesHooks,
  ) {}

  get isEmpty(): boolean {
    return this.followed.size === 0;
  }

  get isPending(): boolean {
    return this.pending.size > 0;
  }

  /** Follows other sources. */
  replace(sources: readonly OpenedSource[]): void {
    this.listener = this.createListener();
    this.pending.clear();
    this.refused.clear();
    this.inactive.clear();
    const before = this.followed;
    const shown = new Set(sources.map(({ id }) => id));
    // First free the subscriptions of removed sources. Sources that stay are released last, so that they stay
    // subscribed.
    for (const [source, end] of before) if (!shown.has(source)) end();
    this.followed = new Map();
    for (const { id, state, next_seq } of sources) if (state === 'gone') this.inactive.set(id, next_seq);
    this.followMore(sources);
    for (const [source, end] of before) if (shown.has(source)) end();
  }

  /** Follows sources that may write, live and newest first. @returns whether there are more of them */
  followMore(sources: readonly OpenedSource[]): boolean {
    const more = sources
      .filter(({ id, state, next_seq }) => {
        const isAtRest = state === 'gone' && this.inactive.get(id) === next_seq;
        return !isAtRest && !this.followed.has(id);
      })
      .sort(
        (one, other) => Number(other.state === 'live') - Number(one.state === 'live') || other.id - one.id,
      );
    if (more.length > MAX_FOLLOWED - this.followed.size) this.releaseEnded(sources);
    const next = more.slice(0, MAX_FOLLOWED - this.followed.size);
    for (const { id } of next) this.pending.add(id);
    for (const { id } of next) {
      this.inactive.delete(id);
      this.followed.set(id, this.subscriptions.follow(id, this.listener));
    }
    this.overLimit = more.length - next.length;
    this.countNotFollowed();
    return next.length > 0;
  }

  private releaseEnded(sources: readonly OpenedSource[]): void {
    for (const { id, state, next_seq } of sources) {
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

  private createListener(): LineListener {
    const listener: LineListener = {
      onReset: () => {
        if (isCurrent()) this.hooks.onReset();
      },
      onStart: (source) => {
        if (isCurrent()) this.settle(source, true);
      },
      onLines: (source, lines) => {
        if (isCurrent()) this.hooks.onLines(source, lines);
      },
      onSkipped: (source, from, to) => {
        if (isCurrent()) this.hooks.onSkipped(source, from, to);
      },
      onError: (source) => {
        // Without a subscription, there is still the history.
        if (isCurrent()) this.settle(source, false);
      },
    };
    const isCurrent = (): boolean => listener === this.listener;
    return listener;
  }

  private settle(source: number, isFollowed: boolean): void {
    // Lines sent before a refused subscription recovered are in no loaded page.
    const isRecovered = isFollowed && this.refused.delete(source);
    if (!isFollowed) this.refused.add(source);
    this.countNotFollowed();
    if ((this.pending.delete(source) || isRecovered) && this.pending.size === 0) this.hooks.onSettled();
  }
}
