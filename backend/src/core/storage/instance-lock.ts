import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { reasonOf } from '../errors/reason-of.js';
import { fileFailure, isDatabaseLocked } from '../errors/storage-failure.js';
import { lockDatabase } from './database-lock.js';

/** The lock file and the pid file of each application. */
const FILES = {
  dashboard: ['instance.lock', 'slipway.pid'],
  'log-board': ['log-board.lock', 'log-board.pid'],
} as const;

/**
 * Ensures that only one dashboard and one log board use a data folder: a second dashboard would take the running jobs of
 * the first for leftovers of a crash, and kill them.
 */
export class InstanceLock {
  private constructor(private readonly database: DatabaseSync) {}

  /** @throws Error with the id of the process that uses the folder, or why the folder cannot be locked. */
  static acquire(root: string, application: keyof typeof FILES): InstanceLock {
    const [lock, pid] = FILES[application];
    const owner = join(root, pid);
    let database: DatabaseSync | undefined;
    try {
      database = lockDatabase(join(root, lock));
      writeFileSync(owner, `${process.pid}\n`, { mode: 0o600 });
      return new InstanceLock(database);
    } catch (cause) {
      database?.close();
      const message = isDatabaseLocked(cause)
        ? `Another Slipway${readOwner(owner)} already uses ${root}. Stop it, or choose another APP_DATA_DIR.`
        : `Could not lock ${root}: ${fileFailure(cause) ?? reasonOf(cause)}. Fix this, and try again.`;
      throw new Error(message, { cause });
    }
  }

  release(): void {
    if (this.database.isOpen) this.database.close();
  }
}

function readOwner(path: string): string {
  try {
    return ` (process ${readFileSync(path, 'utf8').trim()})`;
  } catch {
    // The pid only helps the user.
    return '';
  }
}
