import { DatabaseSync } from 'node:sqlite';

/**
 * Copies a SQLite file as it is at one moment, also while other processes write it. The copy has no write-ahead log and no
 * free pages, so it is smaller than the file, and deleted rows are not in it. Blocks for about 5 s per gigabyte.
 * @param copy path of a file that does not exist or is empty.
 * @returns the schema of the copy, which counts the applied migrations.
 */
export function copyDatabase(path: string, copy: string): number {
  // Pages that `backup()` of node:sqlite copies in steps are copied again after each write of another process.
  withReader(path, (source) => source.prepare('VACUUM INTO ?').run(copy));
  return withReader(copy, (database) =>
    Number(database.prepare('PRAGMA user_version').get()?.['user_version']),
  );
}

function withReader<TResult>(path: string, work: (database: DatabaseSync) => TResult): TResult {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}
