export * from './log-line.js';
export type {
  Histogram,
  LogPage,
  LogQuery,
  LogSearch,
  PageLimits,
  PageRequest,
  SearchCursor,
  SearchEnd,
  SearchEvent,
  SourceLine,
} from './log-query.js';
export { SOURCE_KINDS, type SourceIdentity, type SourceKind } from './log-source.js';
export * from './log-store.js';
export { StoredLogs } from './stored-logs.js';
export { openLogStore } from './open-log-store.js';
