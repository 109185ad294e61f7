import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { reasonOf } from '../../core/errors/reason-of.js';
import { SecretsFile } from '../../core/secrets/index.js';
import { processUserName } from '../../core/security/index.js';
import { copyDatabase, Database, migrations } from '../../core/storage/index.js';
import { JournalService, JournalStore, type JournalEntry } from '../../modules/journal/index.js';
import { BackupError } from './backup-error.js';
import type { Manifest } from './manifest.js';

interface RestoredFolder {
  /** The restored data, which no Slipway uses yet. */
  folder: string;
  /** The data that it replaces, if there is any. */
  replaced: string | null;
  manifest: Manifest;
  /** Path of the backup. */
  file: string;
  keepsAccess: boolean;
}

/**
 * Ends the access that a backup would revive, and continues the journal of the replaced data.
 * @returns the number of copied entries
 */
export async function finishRestore(restored: RestoredFolder): Promise<number> {
  const { folder, replaced, manifest, keepsAccess } = restored;
  if (!keepsAccess) {
    await new SecretsFile(join(folder, 'secrets.json')).change((kept) =>
      Promise.resolve({ ...kept, access_epoch: randomBytes(32).toString('hex') }),
    );
    await rm(join(folder, 'secrets.lock'), { force: true });
  }
  const database = Database.open(join(folder, 'slipway.db'), migrations);
  try {
    if (database.notice) throw new BackupError(`its database is damaged (${database.notice.reason})`);
    const journal = new JournalStore(database);
    const newest = journal.newestTime() ?? manifest.created_at;
    // The database was copied before the backup got its time.
    const since = newest < manifest.created_at ? newest : manifest.created_at;
    let entries: JournalEntry[] = [];
    let lost = '';
    try {
      if (replaced !== null) entries = await entriesSince(since, replaced, folder);
    } catch (error) {
      lost = ` Could not read the journal of the replaced data: ${reasonOf(error)}`;
    }
    database.transaction(() => {
      for (const entry of entries) journal.insert(beforeRestore(entry));
    });
    new JournalService(journal).record({
      kind: 'restore',
      message: `${describe(restored, entries.length)}${lost}`,
      actor: { kind: 'local', user: processUserName(), id: null, address: null },
    });
    return entries.length;
  } finally {
    database.close();
  }
}

/** Reads a copy, so that the replaced data stays as it is. It may have an older schema, or be no data of Slipway. */
async function entriesSince(time: string, replaced: string, folder: string): Promise<JournalEntry[]> {
  const path = join(replaced, 'slipway.db');
  if (!existsSync(path)) return [];
  const scratch = await mkdtemp(join(folder, '.slipway-journal-'));
  try {
    copyDatabase(path, join(scratch, 'slipway.db'));
    const database = Database.open(join(scratch, 'slipway.db'), migrations);
    try {
      const journal = new JournalStore(database);
      const { first, last } = journal.ids();
      return journal.byId({ since: time }, first, last).filter((entry) => entry.time > time);
    } finally {
      database.close();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Jobs of the replaced data have other numbers, and do not continue. */
function beforeRestore({ id: _id, ...entry }: JournalEntry): Omit<JournalEntry, 'id'> {
  const outcome = entry.outcome === 'started' ? 'interrupted' : entry.outcome;
  return { ...entry, outcome, job_id: null, message: `[Before the restore] ${entry.message}` };
}

function describe({ file, manifest, keepsAccess }: RestoredFolder, copied: number): string {
  const access = keepsAccess
    ? 'Its sessions and access tokens were kept.'
    : 'This ended all sessions, access tokens, known browsers and sign-in links.';
  const { created_at: time, version } = manifest;
  return `Restored the backup ${basename(file)} of ${time} (Slipway ${version}). ${access} Copied ${copied} newer journal entries of the replaced data.`;
}
