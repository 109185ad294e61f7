import type { FieldValue } from '../lines/index.js';
import type { Level } from './levels.js';
import type { CompareNode, RegexNode, TextNode } from './query-language.js';

export const STREAMS = ['stdout', 'stderr'] as const;
type Stream = (typeof STREAMS)[number];

/** The parts of a line that conditions test, other than its source and time. */
export interface QueriedLine {
  stream: Stream | null;
  level: Level | null;
  text: string;
}

/** A condition of a query on a line. What the query says of sources by their names is given by their ids. */
export type LineCondition =
  | TextNode
  | RegexNode
  | CompareNode
  | { type: 'levels'; levels: readonly (Level | 'none')[] }
  | { type: 'streams'; streams: readonly Stream[] }
  | { type: 'sources'; ids: readonly number[] }
  | { type: 'not'; part: LineCondition }
  | { type: 'and' | 'or'; parts: readonly LineCondition[] };

/** Conditions of a search; a line must meet all of them. Times are effective times in microseconds. */
export interface LogQuery {
  /** Null for all sources. */
  sources: readonly number[] | null;
  /** Null for any text. */
  text: string | null;
  /** Whether `text` is a regex of the kind that the store's capabilities name. */
  regex: boolean;
  matchCase: boolean;
  without: readonly string[];
  /** Null for any level; `none` matches lines without a level. */
  levels: readonly (Level | 'none')[] | null;
  /** Null for any stream. A line without a stream matches no stream. */
  streams: readonly Stream[] | null;
  fields: readonly FieldValue[];
  /** Fields that the line must not have. Another value, or no such field, matches. */
  withoutFields: readonly FieldValue[];
  /** A further condition; null for none. */
  condition: LineCondition | null;
  /** From this time on. */
  from: number | null;
  to: number | null;
}
