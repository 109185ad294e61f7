import { openEmbeddedLogStore } from '../../../backend/src/drivers/log-store/embedded/embedded-log-store.js';
import type { LogStore, RetentionLimits } from '../../../backend/src/drivers/log-store/index.js';

const NO_LIMITS: RetentionLimits = { totalBytes: 1e9, bytesPerSource: 1e9, maxAgeDays: 36_500 };

/** The default store in a folder, without limits. */
export function openStore(
  folder: string,
  options?: Parameters<typeof openEmbeddedLogStore>[2],
): Promise<LogStore> {
  return openEmbeddedLogStore(folder, NO_LIMITS, options);
}
