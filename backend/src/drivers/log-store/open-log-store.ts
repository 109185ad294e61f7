import type { LogStore, RetentionLimits } from './log-store.js';

/**
 * Opens the log store in a data folder, or creates it.
 * @throws Error if it cannot be opened now, or was written by a newer version of Slipway
 */
export async function openLogStore(folder: string, limits: RetentionLimits): Promise<LogStore> {
  // Loaded now: the dashboard alone does not need it, and the start of the log board does not wait for it.
  const { openEmbeddedLogStore } = await import('./embedded/index.js');
  return await openEmbeddedLogStore(folder, limits);
}
