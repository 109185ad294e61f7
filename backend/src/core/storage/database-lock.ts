import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { LockedError } from './lock-file.js';

const RETRY_MS = 50;

/** SQLITE_BUSY: another connection holds the lock. */
function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === 5;
}

/**
 * Takes the exclusive lock of a SQLite file without content. The system releases it when the process ends for any
 * reason, so a crash leaves no stale lock. A lock by `proper-lockfile` stays for at least 2 s after a crash.
 * @throws Error with `errcode` 5 (SQLITE_BUSY) if another connection holds it; others of the file system or SQLite if the file cannot be used.
 */
export function lockDatabase(path: string): DatabaseSync {
  try {
    // An existing file is not opened: closing it would release locks that this process has on it.
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    chmodSync(path, 0o600);
  }
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Runs `work` while it holds the lock, which excludes other processes and other callers in this one.
 * @param patienceMs how long to wait for the lock.
 * @throws LockedError if the lock is not released in time.
 */
export async function withDatabaseLock<TResult>(
  path: string,
  patienceMs: number,
  work: () => Promise<TResult>,
): Promise<TResult> {
  const deadline = performance.now() + patienceMs;
  let lock: DatabaseSync | undefined;
  while (!lock) {
    try {
      lock = lockDatabase(path);
    } catch (cause) {
      if (!isBusy(cause)) throw cause;
      if (performance.now() > deadline) throw new LockedError(`${path} is locked`, { cause });
      await delay(RETRY_MS);
    }
  }
  try {
    return await work();
  } finally {
    lock.close();
  }
}
