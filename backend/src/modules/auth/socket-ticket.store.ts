import { Injectable } from '@nestjs/common';
import { Database } from '../../core/storage/index.js';

/** Exactly one of them is set. */
export interface TicketHolder {
  session_id: string | null;
  token_id: string | null;
}

/** The table of socket tickets. The database deletes them with their session or access token. */
@Injectable()
export class SocketTicketStore {
  constructor(private readonly database: Database) {}

  /** Also deletes expired tickets, and the holder's oldest ones beyond the maximum. */
  insert(
    hash: string,
    { session_id, token_id }: TicketHolder,
    { now, expiresAt, max }: { now: string; expiresAt: string; max: number },
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
        max - 1,
      );
      this.database.insert('socket_tickets', { hash, session_id, token_id, expires_at: expiresAt });
    });
  }

  /** Deletes and returns a ticket in one statement: two concurrent requests cannot both use it. */
  take(hash: string, now: string): TicketHolder | undefined {
    return this.database.get<TicketHolder>(
      'DELETE FROM socket_tickets WHERE hash = ? AND expires_at > ? RETURNING session_id, token_id',
      hash,
      now,
    );
  }
}
