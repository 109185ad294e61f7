import { Injectable } from '@nestjs/common';
import { AccessTokensService } from './access-tokens/access-tokens.service.js';
import { isAccessToken, type Credential } from './credentials.js';
import { hashOf, randomText, SessionsService, unauthorized } from './sessions.service.js';
import { SocketTicketStore, type TicketHolder } from './socket-ticket.store.js';

/** Life of a ticket for a WebSocket. */
export const TICKET_SECONDS = 30;
const MOST_TICKETS = 20;

/** A stand-in for a token in the address of a WebSocket: good once, for half a minute, in both applications. */
@Injectable()
export class SocketTickets {
  constructor(
    private readonly store: SocketTicketStore,
    private readonly sessions: SessionsService,
    private readonly accessTokens: AccessTokensService,
  ) {}

  issue(credential: Credential): string {
    const ticket = randomText();
    const holder = isAccessToken(credential)
      ? { session_id: null, token_id: credential.id }
      : { session_id: credential.id, token_id: null };
    this.store.insert(hashOf(ticket), holder, {
      now: timeIn(0),
      expiresAt: timeIn(TICKET_SECONDS),
      most: MOST_TICKETS,
    });
    return ticket;
  }

  /** The session or access token of a ticket, which is used up by this. @throws DomainError `unauthorized` */
  redeem(ticket: string): Credential {
    const holder = this.store.take(hashOf(ticket), timeIn(0));
    const credential = holder && this.holderOf(holder);
    if (!credential) throw unauthorized();
    return credential;
  }

  private holderOf({ session_id, token_id }: TicketHolder): Credential | undefined {
    if (token_id !== null) return this.accessTokens.find(token_id);
    return session_id === null ? undefined : this.sessions.find(session_id);
  }
}

function timeIn(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}
