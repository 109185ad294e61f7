import type { LineQuery } from './query-matcher.js';
import type { SearchQuery } from './search-query.js';

/** Lines of one source from one number up to before another. */
export interface WantedLines {
  source: number;
  from: number;
  to: number;
}

/** A piece of what is searched, about a megabyte at most. */
export interface SearchUnit {
  lastTime: number;
  wanted: WantedLines[];
  /** An expression is tried on one line after the other, so that the one on which it explodes is known. */
  byLine?: boolean;
  place:
    | { kind: 'memory'; bytes: Uint8Array }
    /** `alone`: it is one frame with its filter. */
    | { kind: 'segment'; file: string; at: number; length: number; alone: boolean }
    | { kind: 'block'; id: number; levels: number };
}

/** Which lines of its sources a query means, and what they have to be like. */
export type ThreadQuery = LineQuery & Pick<SearchQuery, 'from' | 'to' | 'before' | 'limit'>;

export interface Buckets {
  from: number;
  width: number;
  count: number;
}

/** Numbers of a bucket: lines of each level, none first, and then the bytes of all their texts. */
export const BUCKET_LEVELS = 7;
export const BUCKET_NUMBERS = BUCKET_LEVELS + 1;

export interface SearchTask {
  /** Tasks of the same search have the same query. */
  search: number;
  query: ThreadQuery;
  units: SearchUnit[];
  /** Counts instead of lines. */
  buckets: Buckets | null;
  /** A part of its search exploded: it has less time than others, and its turn when no other one waits. */
  isWary?: boolean;
}

/** Lines that were found, packed: MATCH_NUMBERS for each, and their texts one after the other. */
export interface PackedMatches {
  /** Source, number, effective time, time, flags, bytes cut, where its text ends. */
  numbers: Float64Array;
  text: Uint8Array;
}

export const MATCH_NUMBERS = 7;

export interface UnitResult {
  /** Lines looked at, or known not to match. */
  searched: number;
  /** Its file was written anew meanwhile; it has to be looked for elsewhere. */
  gone: boolean;
  matches: PackedMatches | null;
}

export interface SearchAnswer {
  units: UnitResult[];
  counts: Float64Array | null;
}

export interface SearchPlaces {
  segments: string;
  database: string;
}

/** What a thread begins with: `at` is where it tells which lines it is at. */
export interface ThreadBegin {
  places: SearchPlaces;
  at: Float64Array<SharedArrayBuffer>;
}

export type SearchRequest = { type: 'task'; id: number; task: SearchTask } | { type: 'end' };

/** The first one tells that it is ready. */
export type ThreadAnswer = { id: 0 } | { id: number; answer: SearchAnswer } | { id: number; reason: string };
