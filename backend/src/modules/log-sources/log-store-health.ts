import type { LogStoreStatus } from '../../drivers/log-store/index.js';

/** Whether the log store works, and what the user should know about its history. */
export interface LogStoreHealth {
  /** False while Slipway cannot open it: until then it reads no lines. */
  open: boolean;
  state: LogStoreStatus['state'];
  /** What is wrong and what to do; null if the state is `ok`. */
  reason: string | null;
  /** What was set aside or moved when the store was opened; null if nothing. */
  notice: string | null;
}
