import { DomainError, reasonOf } from '../../core/errors/index.js';
import type { FollowedLog, LogReader } from './reading/log-reader.js';
import { isOver } from './is-over.js';
import { Pause } from './pause.js';
import type { SourceEntry } from './source-entry.js';
import type { SourceRegistry } from './source-registry.js';

/** A stream that lasted this long was a good one: the next attempt comes soon. */
const GOOD_MS = 10_000;

/** What a source needs to be followed. */
export interface Following {
  registry: SourceRegistry;
  reader: LogReader;
}

/**
 * Follows the log of a source until it ends or the signal is given, beginning again whenever its stream breaks. How the
 * source stands is said meanwhile.
 * @param log finds out how the log is read; asked before each attempt. It may throw as the reading does.
 * @param live whether something writes now; otherwise what is left is read.
 * @returns whether the log was read to its end
 */
export async function followLog(
  { registry, reader }: Following,
  entry: SourceEntry,
  log: () => Promise<FollowedLog>,
  live: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const pause = new Pause();
  while (!signal.aborted) {
    const began = performance.now();
    try {
      const followed = await log();
      if (isOver(signal)) return false;
      // What has gone meanwhile may still have something to tell.
      if (live && entry.state !== 'gone') registry.setState(entry, 'live');
      await reader.read(entry.id, followed, signal);
      return true;
    } catch (error) {
      // One that is gone was told so already.
      if (isOver(signal) || entry.state === 'gone') return false;
      const unreadable = error instanceof DomainError && error.code === 'log_unreadable';
      registry.setState(entry, unreadable ? 'failed' : 'waiting', reasonOf(error));
      // What has ended and cannot be read will not change; somebody who looks again later begins again.
      if (unreadable && !live) return false;
      if (performance.now() - began > GOOD_MS) pause.reset();
      await pause.wait(signal);
    }
  }
  return false;
}
