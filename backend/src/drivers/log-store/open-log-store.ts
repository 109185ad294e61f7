import type { LogStore, RetentionLimits } from './log-store.js';

/**
 * Opens the log store in a data folder, or creates it.
 * @param address of VictoriaLogs; null for the embedded store
 * @throws Error if it cannot be opened now, or was written by a newer version of Slipway
 */
export async function openLogStore(
  address: URL | null,
  folder: string,
  limits: RetentionLimits,
): Promise<LogStore> {
  // Loaded now: the dashboard alone does not need it, and the start of the log board does not wait for it.
  if (address) {
    const { openVictoriaLogsStore } = await import('./victorialogs/index.js');
    return await openVictoriaLogsStore(address, folder);
  }
  const { openEmbeddedLogStore } = await import('./embedded/index.js');
  return await openEmbeddedLogStore(folder, limits);
}
