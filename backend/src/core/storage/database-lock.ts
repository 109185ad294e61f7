import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { LockedError } from './lock-file.js';

const RETRY_MS = 50;

/** Whether SQLite refused because another connection holds the lock (https://sqlite.org/rescode.html#busy). */
function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === 5;
}

/**
 * Takes the exclusive lock of a SQLite file that holds nothing else. The system drops it with the process, however
 * that ends, so no lock is left behind by a crash and none has to be judged by a process id.
 * @throws Error with `errcode` 5 (SQLITE_BUSY) if it is held.
 */
export function lockDatabase(path: string): DatabaseSync {
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
 * Works while no other process, and nothing else in this one, holds the lock.
 * @param patienceMs how long to wait for it, in milliseconds.
 * @throws LockedError if it is held for longer.
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
