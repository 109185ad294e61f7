import type { Level, LogQuery } from '../../core/search/index.js';
import type { LogLine } from './log-line.js';

export type { LogQuery };

export interface SourceLine {
  source: number;
  line: LogLine;
}

export interface PageLimits {
  /** Maximum UTF-8 bytes of all texts together. A page has at least one line, however long it is. */
  bytes?: number;
  /** Maximum UTF-16 units of each text; longer texts are shortened. */
  characters?: number;
}

export interface PageRequest extends PageLimits {
  /** Maximum number of lines before the position, nearest first. */
  before: number;
  /** Maximum number of lines from the position on. It grows by the lines that are missing before the position. */
  after: number;
}

/**
 * Lines of one or more sources, ordered by effective time, source and number. The effective time of a line is the latest
 * time of its source up to that line, so that it never falls within a source.
 *
 * A position counts the merged lines: it is the sum of the next number of each source, minus one for each source but the
 * first. With one source it is the line's number. It does not change when older lines are deleted.
 */
export interface LogPage {
  lines: SourceLine[];
  /** Position of the first of `lines`. */
  position: number;
  /** Position of the oldest stored line, and the one that the next new line will have. */
  first: number;
  end: number;
  /** Whether the page has fewer lines than requested because of its maximum bytes. */
  endedEarly: boolean;
}

/** The position at which each of the merged sources continues with one of these numbers. See `LogPage`. */
export function mergedPosition(seqs: readonly number[]): number {
  return seqs.reduce((sum, seq) => sum + seq, 0) - (seqs.length - 1);
}

/** Where a search resumes: behind this line, in the order of the search. `time` is the line's own time. */
export interface SearchCursor {
  time: number;
  source: number;
  seq: number;
}

export interface LogSearch extends LogQuery, PageLimits {
  order: 'newest' | 'oldest';
  limit: number;
  cursor: SearchCursor | null;
}

/**
 * Why a search ended. `complete`: every line was searched. `limit`: there may be more matches than the limit or the
 * maximum bytes allow. `timeout`: the deadline ended the search.
 */
export type SearchEnd = 'complete' | 'limit' | 'timeout';

export type SearchEvent =
  | ({ type: 'match' } & SourceLine)
  /** Lines searched so far, and the time up to which every match has been reported. */
  | { type: 'progress'; searched: number; time: number }
  /** `time` as in `progress`; null if the search ended before that was known, or is complete. */
  | { type: 'end'; searched: number; matched: number; reason: SearchEnd; time: number | null };

export interface HistogramBucket {
  /** Start, in microseconds. */
  time: number;
  total: number;
  levels: Partial<Record<Level | 'none', number>>;
}

/** Number of matching lines over time. With one bucket it is a count. */
export interface Histogram {
  from: number;
  to: number;
  /** Length of each bucket in microseconds. */
  width: number;
  buckets: HistogramBucket[];
  reason: 'complete' | 'timeout';
}
