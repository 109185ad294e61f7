import { Injectable } from '@nestjs/common';
import { AccessTokensService } from './access-tokens/access-tokens.service.js';
import { DomainError } from '../../core/errors/index.js';
import { Credentials, isAccessToken, type Credential } from './credentials.js';
import { isOwner } from './owner.js';
import { SessionsService } from './sessions.service.js';
import { hashOf, randomToken, unauthorized } from './tokens/secret-token.js';
import { SocketTicketStore, type TicketHolder } from './socket-ticket.store.js';

export const TICKET_SECONDS = 30;
const MAX_TICKETS = 20;

/** Single-use tickets that replace the token in a WebSocket URL. Both applications accept them. */
@Injectable()
export class SocketTickets {
  constructor(
    private readonly store: SocketTicketStore,
    private readonly sessions: SessionsService,
    private readonly accessTokens: AccessTokensService,
    private readonly credentials: Credentials,
  ) {}

  /** @throws DomainError `insufficient_scope` for the owner token, which is not in the database. */
  issue(credential: Credential): string {
    if (isOwner(credential)) {
      throw new DomainError(
        'insufficient_scope',
        'The owner token cannot create tickets. Send it in the Authorization header of the WebSocket.',
      );
    }
    const ticket = randomToken();
    const isToken = isAccessToken(credential) && credential.session_id === undefined;
    const session = isAccessToken(credential) ? credential.session_id : credential.id;
    const holder = isToken
      ? { session_id: null, token_id: credential.id }
      : { session_id: session ?? null, token_id: null };
    this.store.insert(hashOf(ticket), holder, {
      now: timeIn(0),
      expiresAt: timeIn(TICKET_SECONDS),
      max: MAX_TICKETS,
    });
    return ticket;
  }

  /** Consumes a ticket. @throws DomainError `unauthorized` */
  redeem(ticket: string): Credential {
    const holder = this.store.take(hashOf(ticket), timeIn(0));
    const credential = holder && this.holderOf(holder);
    if (!credential) throw unauthorized();
    return credential;
  }

  private holderOf({ session_id, token_id }: TicketHolder): Credential | undefined {
    if (token_id !== null) return this.accessTokens.find(token_id);
    const session = session_id === null ? undefined : this.sessions.find(session_id);
    return session && this.credentials.of(session);
  }
}

function timeIn(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}
