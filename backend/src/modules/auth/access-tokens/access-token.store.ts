import { Injectable } from '@nestjs/common';
import { Database } from '../../../core/storage/index.js';
import type { AccessToken } from './access-token.js';

const COLUMNS = 'id, name, scope, created_by, created_at, expires_at, last_used_at';
const LIVE = 'generation = ? AND expires_at > ?';

/** The table of access tokens. Revoking deletes the row, which takes effect in every process at once. */
@Injectable()
export class AccessTokenStore {
  constructor(private readonly database: Database) {}

  /**
   * Also deletes tokens that have expired or that a new password invalidated.
   * @returns `full` if there are `max` tokens, `taken` if one has the same name.
   */
  insert(
    token: AccessToken,
    { hash, generation }: { hash: string; generation: string },
    max: number,
  ): 'inserted' | 'full' | 'taken' {
    return this.database.transaction(() => {
      this.database.run(
        'DELETE FROM access_tokens WHERE expires_at <= ? OR generation <> ?',
        token.created_at,
        generation,
      );
      const { count } = this.database.get<{ count: number }>(
        'SELECT count(*) AS count FROM access_tokens',
      ) ?? { count: 0 };
      if (this.database.get('SELECT 1 FROM access_tokens WHERE name = ?', token.name)) return 'taken';
      if (count >= max) return 'full';
      this.database.insert('access_tokens', { ...token, hash, generation });
      return 'inserted';
    });
  }

  live(by: 'id' | 'hash', value: string, generation: string, now: string): AccessToken | undefined {
    const select = `SELECT ${COLUMNS} FROM access_tokens WHERE ${by} = ? AND ${LIVE}`;
    return this.database.get<AccessToken>(select, value, generation, now);
  }

  /** Newest first. */
  listLive(generation: string, now: string): AccessToken[] {
    const select = `SELECT ${COLUMNS} FROM access_tokens WHERE ${LIVE} ORDER BY created_at DESC, id`;
    return this.database.all<AccessToken>(select, generation, now);
  }

  used(id: string, now: string): void {
    this.database.run('UPDATE access_tokens SET last_used_at = ? WHERE id = ?', now, id);
  }

  delete(id: string): void {
    this.database.run('DELETE FROM access_tokens WHERE id = ?', id);
  }
}
