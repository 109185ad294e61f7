import { Injectable } from '@nestjs/common';
import { Database } from '../../core/storage/index.js';

/** Whose a ticket is: one of them is null. */
export interface TicketHolder {
  session_id: string | null;
  token_id: string | null;
}

/** The table of socket tickets: the only SQL about it. They go with their session or access token. */
@Injectable()
export class SocketTicketStore {
  constructor(private readonly database: Database) {}

  /** Adds a ticket, and deletes what has expired and the oldest that are too many of this holder. */
  insert(
    hash: string,
    { session_id, token_id }: TicketHolder,
    { now, expiresAt, most }: { now: string; expiresAt: string; most: number },
  ): void {
    this.database.transaction(() => {
      this.database.run('DELETE FROM socket_tickets WHERE expires_at <= ?', now);
      this.database.run(
        `DELETE FROM socket_tickets WHERE hash IN (
          SELECT hash FROM socket_tickets WHERE session_id IS ? AND token_id IS ?
          ORDER BY expires_at DESC LIMIT -1 OFFSET ?
        )`,
        session_id,
        token_id,
        most - 1,
      );
      this.database.run(
        'INSERT INTO socket_tickets (hash, session_id, token_id, expires_at) VALUES (?, ?, ?, ?)',
        hash,
        session_id,
        token_id,
        expiresAt,
      );
    });
  }

  /** Takes a ticket out, so that of two that show it one is let in. */
  take(hash: string, now: string): TicketHolder | undefined {
    return this.database.get<TicketHolder>(
      'DELETE FROM socket_tickets WHERE hash = ? AND expires_at > ? RETURNING session_id, token_id',
      hash,
      now,
    );
  }
}
