import type { LogLine } from '../log-line.js';
import type { LogQuery, LogSearch, SearchCursor } from '../log-query.js';
import type { KnownBlock } from './writer.js';

/** A part of a search, for one thread. Blocks are searched for their numbers: by then they may have been merged. */
export interface SearchTask {
  query: LogQuery;
  blocks: readonly KnownBlock[];
  /** What is wanted: lines, or counts. */
  result:
    | {
        type: 'lines';
        order: LogSearch['order'];
        limit: number;
        maxLength: number;
        cursor: SearchCursor | null;
      }
    | { type: 'counts'; from: number; width: number; buckets: number };
}

/** A match, with its effective time. */
export interface Match {
  source: number;
  seq: number;
  time: number;
  line: LogLine;
}

export interface SearchTaskResult {
  searched: number;
  /** In the order of the search, at most as many as the limit. */
  matches: Match[];
  /** For each bucket, LEVEL_COUNT numbers by `levelNumber`; empty if lines are wanted. */
  counts: Float64Array;
}

/** Levels, and none. */
export const LEVEL_COUNT = 7;

/** Orders lines by effective time, source and number. */
export function compareLines(one: SearchCursor, other: SearchCursor): number {
  return one.time - other.time || one.source - other.source || one.seq - other.seq;
}
