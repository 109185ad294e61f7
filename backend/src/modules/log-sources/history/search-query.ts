import type { LogStream } from '../../../drivers/runtime/index.js';
import type { Level, LogLine } from '../../../drivers/log-store/index.js';
import type { PageBounds } from './merged-page.js';

/** A field of JSON or logfmt, and exactly this value. */
export interface FieldValue {
  name: string;
  value: string;
}

/** What a line has to be like to be found; all of it together. Times are effective ones, microseconds. */
export interface SearchQuery {
  /** Null: all of them. */
  sources: readonly number[] | null;
  /** Null: any text. */
  text: string | null;
  /** Whether the text is a regular expression of JavaScript. */
  regex: boolean;
  matchCase: boolean;
  /** Plain texts that it must not hold. */
  without: readonly string[];
  levels: readonly (Level | 'none')[] | null;
  /** Null: either, and none. A line that has none, as those of terminals and pods, is not found by one. */
  streams: readonly LogStream[] | null;
  /** Fields that it has. */
  fields: readonly FieldValue[];
  /** Fields that it has not: neither another value nor a line without the field is in the way. */
  withoutFields: readonly FieldValue[];
  /** This time or later. */
  from: number | null;
  /** Before this time. */
  to: number | null;
  /** Most matches. */
  limit: number;
  /** Only lines before this one in the order of a merge: to go on where a search ended. */
  before: { time: number; source: number; seq: number } | null;
  /** How much of their texts is told; without it all. */
  bounds?: PageBounds;
}

/**
 * complete: everything was looked at. limit: there may be more matches than were asked for, or than there is room for.
 * timeout: the expression took too long.
 */
export type SearchEnd = 'complete' | 'limit' | 'timeout';

export type SearchEvent =
  | { type: 'match'; source: number; line: LogLine }
  /** Lines looked at so far, and the time down to which all matches were told. */
  | { type: 'progress'; searched: number; time: number }
  | { type: 'end'; searched: number; matched: number; reason: SearchEnd };

export interface HistogramBucket {
  /** Its begin, microseconds. */
  time: number;
  total: number;
  /** Of their texts, as UTF-8. */
  bytes: number;
  levels: Partial<Record<Level | 'none', number>>;
}

/** How many lines match, over time. */
export interface Histogram {
  from: number;
  to: number;
  /** Length of each, microseconds. */
  width: number;
  buckets: HistogramBucket[];
  reason: 'complete' | 'timeout';
}
