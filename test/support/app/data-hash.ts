import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * One number for everything that a data folder holds: names, modes and contents of all files, and the
 * rows of the database. The database's own files are left out, as SQLite writes to them to read, and `seen_nodes`, which
 * has what an engine reported and is saved a second after it.
 */
export function hashOfData(folder: string): string {
  const hash = createHash('sha256');
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).sort((one, other) =>
    join(one.parentPath, one.name).localeCompare(join(other.parentPath, other.name)),
  );
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (/^(slipway\.db|instance\.lock)/.test(entry.name)) continue;
    hash.update(`${path.slice(folder.length)}\0${statSync(path).mode}\0`);
    if (entry.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (entry.isFile()) hash.update(readFileSync(path));
  }
  const database = new DatabaseSync(join(folder, 'slipway.db'), { readOnly: true });
  const tables = database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'seen_nodes' ORDER BY name`)
    .all();
  for (const { name } of tables) {
    const rows = database.prepare(`SELECT * FROM "${String(name)}"`).all();
    // A job that created something gets what breaks later.
    hash.update(JSON.stringify(rows, (key, value: unknown) => (key === 'problems_json' ? null : value)));
  }
  database.close();
  return hash.digest('hex');
}
