import { Injectable } from '@nestjs/common';
import { Database } from '../../core/storage/index.js';

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

  /** When what was kept of a source was deleted, by key, in microseconds: what is older is not to come back. */
  deletions(): [key: string, time: number][] {
    return this.database
      .all<{ key: string; time: number }>(
        'SELECT key, deleted_at AS time FROM log_source_settings WHERE deleted_at IS NOT NULL',
      )
      .map(({ key, time }) => [key, time]);
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
