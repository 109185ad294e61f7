import { Injectable } from '@nestjs/common';
import { Database } from '../../../core/storage/index.js';

/** What its user decided about a source, by key, over restarts. */
@Injectable()
export class SourceSettingsStore {
  constructor(private readonly database: Database) {}

  /** Keys of the sources that are not to be taken in. */
  leftOut(): string[] {
    return this.database
      .all<{ key: string }>('SELECT key FROM log_source_settings WHERE left_out = 1')
      .map(({ key }) => key);
  }

  setLeftOut(key: string, leftOut: boolean): void {
    this.database.run(
      `INSERT INTO log_source_settings (key, left_out) VALUES (?, ?)
       ON CONFLICT (key) DO UPDATE SET left_out = excluded.left_out`,
      key,
      leftOut ? 1 : 0,
    );
  }

  /** When what was kept of a source was deleted, in microseconds: what is older is not to come back. */
  deletedAt(key: string): number | null {
    const row = this.database.get<{ deleted_at: number | null }>(
      'SELECT deleted_at FROM log_source_settings WHERE key = ?',
      key,
    );
    return row?.deleted_at ?? null;
  }

  setDeletedAt(key: string, time: number): void {
    this.database.run(
      `INSERT INTO log_source_settings (key, deleted_at) VALUES (?, ?)
       ON CONFLICT (key) DO UPDATE SET deleted_at = excluded.deleted_at`,
      key,
      time,
    );
  }
}
