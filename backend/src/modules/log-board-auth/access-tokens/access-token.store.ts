import { Injectable } from '@nestjs/common';
import { Database } from '../../../core/storage/index.js';
import type { AccessToken } from './access-token.js';

const COLUMNS = 'id, name, scope, created_by, created_at, expires_at, last_used_at';
const LIVE = 'generation = ? AND expires_at > ?';

/** The table of access tokens: the only SQL about them. A revoked token is a deleted row, for every process at once. */
@Injectable()
export class AccessTokenStore {
  constructor(private readonly database: Database) {}

  /**
   * Adds a token, and deletes those that have expired or that a new password ended.
   * @returns `full` where there is no room for it, `taken` where a live token has its name.
   */
  insert(
    token: AccessToken,
    { hash, generation }: { hash: string; generation: string },
    most: number,
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
      if (count >= most) return 'full';
      this.database.run(
        `INSERT INTO access_tokens (${COLUMNS}, hash, generation) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        token.id,
        token.name,
        token.scope,
        token.created_by,
        token.created_at,
        token.expires_at,
        token.last_used_at,
        hash,
        generation,
      );
      return 'inserted';
    });
  }

  live(id: string, generation: string, now: string): AccessToken | undefined {
    return this.database.get<AccessToken>(
      `SELECT ${COLUMNS} FROM access_tokens WHERE id = ? AND ${LIVE}`,
      id,
      generation,
      now,
    );
  }

  liveByHash(hash: string, generation: string, now: string): AccessToken | undefined {
    return this.database.get<AccessToken>(
      `SELECT ${COLUMNS} FROM access_tokens WHERE hash = ? AND ${LIVE}`,
      hash,
      generation,
      now,
    );
  }

  /** The newest first. */
  listLive(generation: string, now: string): AccessToken[] {
    return this.database
      .all<AccessToken>(
        `SELECT ${COLUMNS} FROM access_tokens WHERE ${LIVE} ORDER BY created_at DESC, id`,
        generation,
        now,
      )
      .map((token) => ({ ...token }));
  }

  used(id: string, now: string): void {
    this.database.run('UPDATE access_tokens SET last_used_at = ? WHERE id = ?', now, id);
  }

  delete(id: string): void {
    this.database.run('DELETE FROM access_tokens WHERE id = ?', id);
  }
}
