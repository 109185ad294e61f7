export { LineConditions } from './line-conditions.js';
export { fieldsOf } from './line-fields.js';
export {
  LEVELS,
  MAX_LINE_LENGTH,
  shorten,
  STREAMS,
  type Level,
  type LogLine,
  type NewLogLine,
} from './log-line.js';
export type {
  FieldValue,
  Histogram,
  LogPage,
  LogQuery,
  LogSearch,
  PageLimits,
  PageRequest,
  SearchCursor,
  SearchEvent,
  SourceLine,
} from './log-query.js';
export { SOURCE_KINDS, type SourceIdentity, type SourceKind } from './log-source.js';
export {
  LOG_STORE_CAPABILITIES,
  type LogStore,
  type LogStoreCapabilities,
  type LogStoreKind,
  type LogStoreStatus,
  type RetentionLimits,
} from './log-store.js';
export { openLogStore } from './open-log-store.js';
