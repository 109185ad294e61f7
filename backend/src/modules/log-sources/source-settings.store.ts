import { Injectable } from '@nestjs/common';
import { Database } from '../../core/storage/index.js';

/** The user's settings of a source, by key. They survive restarts. */
@Injectable()
export class SourceSettingsStore {
  constructor(private readonly database: Database) {}

  excluded(): string[] {
    return this.database
      .all<{ key: string }>('SELECT key FROM log_source_settings WHERE left_out = 1')
      .map(({ key }) => key);
  }

  setExcluded(key: string, excluded: boolean): void {
    this.database.run(
      `INSERT INTO log_source_settings (key, left_out) VALUES (?, ?)
       ON CONFLICT (key) DO UPDATE SET left_out = excluded.left_out`,
      key,
      excluded ? 1 : 0,
    );
  }

  /** When the stored lines of a source were deleted, by key, in microseconds: older lines are not stored again. */
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
