import { hasCode, reasonOf } from '../../core/errors/index.js';
import { isAborted } from '../../core/threads/index.js';
import type { FollowedLog, LogReader } from './reading/log-reader.js';
import { Backoff, STABLE_MS } from './backoff.js';
import type { SourceEntry } from './source-entry.js';
import type { SourceRegistry } from './source-registry.js';

/** The dependencies of following a source. */
export interface Following {
  registry: SourceRegistry;
  reader: LogReader;
}

/**
 * Follows the log of a source until it ends or the signal aborts, and reconnects when its stream breaks. Updates the
 * state of the source.
 * @param log opens the log, before each attempt. It may throw.
 * @param live whether the source is running; otherwise the rest of its log is read
 * @returns whether the log was read completely
 */
export async function followLog(
  { registry, reader }: Following,
  entry: SourceEntry,
  log: () => Promise<FollowedLog>,
  live: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const backoff = new Backoff();
  while (!signal.aborted) {
    const began = performance.now();
    try {
      const followed = await log();
      if (isAborted(signal)) return false;
      // A source that was deleted meanwhile may still have lines.
      if (live && entry.state !== 'gone') registry.setState(entry, 'live');
      await reader.read(entry.id, followed, signal);
      return true;
    } catch (error) {
      // The state of a deleted source stays.
      if (isAborted(signal) || entry.state === 'gone') return false;
      const unreadable = hasCode(error, 'log_unreadable');
      registry.setState(entry, unreadable ? 'failed' : 'waiting', reasonOf(error));
      // An ended log that cannot be read stays unreadable. The next poll starts over.
      if (unreadable && !live) return false;
      if (performance.now() - began > STABLE_MS) backoff.reset();
      await backoff.wait(signal);
    }
  }
  return false;
}
