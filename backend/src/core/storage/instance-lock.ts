import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { lockDatabase } from './database-lock.js';

/** Files of each application's lock, and of whoever holds it. */
const FILES = {
  dashboard: ['instance.lock', 'slipway.pid'],
  'log-board': ['log-board.lock', 'log-board.pid'],
} as const;

/**
 * Makes sure that one dashboard alone works on a data folder, and one log board: a second dashboard would take
 * the jobs of the first for leftovers of a crash, and kill them. Held as an exclusive SQLite lock, which the system
 * drops with the process however that ends.
 */
export class InstanceLock {
  private constructor(private readonly database: DatabaseSync) {}

  /** @throws Error naming the process that holds the folder. */
  static acquire(root: string, application: keyof typeof FILES): InstanceLock {
    const [lock, pid] = FILES[application];
    const owner = join(root, pid);
    let database: DatabaseSync;
    try {
      database = lockDatabase(join(root, lock));
    } catch (cause) {
      throw new Error(
        `Another Slipway${readOwner(owner)} already works on ${root}. Stop it, or give this one another APP_DATA_DIR.`,
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
    // The name of the owner is a help, not a need: the lock alone decides.
    return '';
  }
}
