import type { LogStore } from './log-store.js';

/** The log store that this process has opened, for both applications. */
export class StoredLogs {
  /** Undefined while it is closed, and where another process has it. */
  store: LogStore | undefined;
}
