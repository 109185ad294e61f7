import type { LogLine } from '../log-line.js';
import type { LogQuery, LogSearch, SearchCursor } from '../log-query.js';
import type { KnownBlock } from './writer.js';

/** Counts matching lines in buckets from a time on. */
export type CountQuery = LogQuery & { from: number; width: number; buckets: number };

/** A part of a search, for one thread. Blocks are searched for their numbers: by then they may have been merged. */
export interface SearchTask {
  query: LogSearch | CountQuery;
  blocks: readonly KnownBlock[];
}

/** A match, with its effective time. */
export type Match = SearchCursor & { line: LogLine };

/** Matches in the order of the search; or, for each bucket, LEVEL_COUNT numbers by `levelNumber`. */
export type SearchResult = Match[] | Float64Array;

/** Levels, and none. */
export const LEVEL_COUNT = 7;

export function compareLines(one: SearchCursor, other: SearchCursor): number {
  return one.time - other.time || one.source - other.source || one.seq - other.seq;
}
