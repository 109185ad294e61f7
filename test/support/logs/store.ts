import type { LogStore, RetentionLimits } from '../../../backend/src/drivers/log-store/index.js';
import { openHistoryLogStore } from '../../../backend/src/modules/log-sources/history/history-log-store.js';

const NO_LIMITS: RetentionLimits = { totalBytes: 1e9, bytesPerSource: 1e9, maxAgeDays: 36_500 };

/** The default store in a folder, without limits. */
export function openStore(
  folder: string,
  options?: Parameters<typeof openHistoryLogStore>[2],
): Promise<LogStore> {
  return openHistoryLogStore(folder, NO_LIMITS, options);
}
