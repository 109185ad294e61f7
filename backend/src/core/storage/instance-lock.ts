import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
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

  /** @throws Error with the id of the process that uses the folder. */
  static acquire(root: string, application: keyof typeof FILES): InstanceLock {
    const [lock, pid] = FILES[application];
    const owner = join(root, pid);
    let database: DatabaseSync;
    try {
      database = lockDatabase(join(root, lock));
    } catch (cause) {
      throw new Error(
        `Another Slipway${readOwner(owner)} already uses ${root}. Stop it, or choose another APP_DATA_DIR.`,
        { cause },
      );
    }
    writeFileSync(owner, `${process.pid}\n`, { mode: 0o600 });
    return new InstanceLock(database);
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
