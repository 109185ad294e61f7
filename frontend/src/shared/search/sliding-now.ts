import { linkedSignal, type Signal } from '@angular/core';
import { type LogQuery, moment } from './log-query';

/** Steps per period, as many as the histogram has bars. */
const STEPS = 90;
const SHORTEST_STEP_MS = 10_000;
const LONGEST_STEP_MS = 60_000;

/**
 * The time that relative periods refer to, in milliseconds. It advances in steps while the newest lines are followed;
 * otherwise it stays, so that no lines disappear while they are read.
 */
export function slidingNow(
  clock: Signal<number>,
  query: Signal<LogQuery>,
  isFollowing: Signal<boolean>,
): Signal<number> {
  return linkedSignal<{ now: number; query: LogQuery; isFollowing: boolean }, number>({
    source: () => ({ now: clock(), query: query(), isFollowing: isFollowing() }),
    computation: (source, previous) => {
      if (previous?.source.query !== source.query) return source.now;
      const isDue = source.now - previous.value >= stepOf(source.query);
      return source.isFollowing && isDue ? source.now : previous.value;
    },
  });
}

/** The time range of a query in microseconds; null where it has no limit. @param now in milliseconds */
export function periodAt({ from, to }: LogQuery, now: number): { from: number | null; to: number | null } {
  return { from: from === null ? null : moment(from, now), to: to === null ? null : moment(to, now) };
}

/** The query with an end, if its time range is relative. @param now in milliseconds */
export function untilNow(query: LogQuery, now: number): LogQuery {
  return isSliding(query) ? { ...query, to: new Date(now).toISOString() } : query;
}

function isSliding({ from, to }: LogQuery): boolean {
  return from !== null && to === null && !from.includes('T');
}

function stepOf(query: LogQuery): number {
  if (query.from === null || !isSliding(query)) return Infinity;
  const span = -moment(query.from, 0) / 1000;
  return Math.min(LONGEST_STEP_MS, Math.max(SHORTEST_STEP_MS, span / STEPS));
}
