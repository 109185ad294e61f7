export { LogHistory } from './log-history.js';
export type { HistoryOptions, KnownSource } from './log-history.js';
export type { HistoryLimits } from './retention.js';
export type { MergedPage, PageBounds } from './merged-page.js';
export type {
  FieldValue,
  Histogram,
  HistogramBucket,
  SearchEnd,
  SearchEvent,
  SearchQuery,
} from './search-query.js';
