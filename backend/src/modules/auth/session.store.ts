import { Injectable } from '@nestjs/common';
import { Database } from '../../core/storage/index.js';
import type { Session, SessionEndReason } from './session.js';

/** Beyond this, the oldest session of a user ends. Those of the read-only password count on their own. */
const MAX_SESSIONS = 1000;
/** Displays of one access token, which must not end the sessions of users. */
const MAX_DISPLAYS = 20;
const COLUMNS =
  'id, username, address, user_agent, created_at, expires_at, last_seen_at, token_id, scope, password_at';
const LIVE = 'ended_at IS NULL AND generation IN (?, ?, ?) AND expires_at > ?';

/** Of sessions with the password, without one, and with the read-only password. Those that do not exist equal the first. */
export type Generations = readonly [string, string, string];

/** A session with the fields that the API does not return. */
export interface NewSession extends Session {
  cookie_hash: string;
  generation: string;
}

/**
 * The table of sessions. Every call reads the database, so that a session that another process ended is ended here too.
 */
@Injectable()
export class SessionStore {
  constructor(private readonly database: Database) {}

  /** Also deletes expired sessions. */
  insert(session: NewSession): void {
    this.database.transaction(() => {
      this.database.run('DELETE FROM sessions WHERE expires_at <= ?', session.created_at);
      this.database.run(
        'DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE token_id IS ? AND scope = ? ORDER BY created_at DESC LIMIT -1 OFFSET ?)',
        session.token_id,
        session.scope,
        (session.token_id === null ? MAX_SESSIONS : MAX_DISPLAYS) - 1,
      );
      this.database.insert('sessions', session);
    });
  }

  live(by: 'id' | 'cookie_hash', value: string, generations: Generations, now: string): Session | undefined {
    const select = `SELECT ${COLUMNS} FROM sessions WHERE ${by} = ? AND ${LIVE}`;
    return this.database.get<Session>(select, value, ...generations, now);
  }

  /** Of a session that may do everything. */
  generationOf(id: string): string | undefined {
    return this.database.get<{ generation: string }>(
      "SELECT generation FROM sessions WHERE id = ? AND scope = 'full'",
      id,
    )?.generation;
  }

  listLive(generations: Generations, now: string): Session[] {
    const select = `SELECT ${COLUMNS} FROM sessions WHERE ${LIVE} ORDER BY created_at DESC`;
    return this.database.all<Session>(select, ...generations, now);
  }

  seen(id: string, now: string): void {
    this.database.run('UPDATE sessions SET last_seen_at = ? WHERE id = ?', now, id);
  }

  extend(id: string, expiresAt: string): void {
    // The other application may have extended it further, or ended it.
    this.database.run(
      'UPDATE sessions SET expires_at = ? WHERE id = ? AND ended_at IS NULL AND expires_at < ?',
      expiresAt,
      id,
      expiresAt,
    );
  }

  /** @returns false if the session had already ended. */
  end(id: string, reason: SessionEndReason, now: string): boolean {
    const { changes } = this.database.run(
      'UPDATE sessions SET ended_at = ?, end_reason = ? WHERE id = ? AND ended_at IS NULL',
      now,
      reason,
      id,
    );
    return changes > 0;
  }

  endOthers(id: string, reason: SessionEndReason, generations: Generations, now: string): number {
    const { changes } = this.database.run(
      `UPDATE sessions SET ended_at = ?, end_reason = ? WHERE id <> ? AND ${LIVE}`,
      now,
      reason,
      id,
      ...generations,
      now,
    );
    return changes;
  }
}
