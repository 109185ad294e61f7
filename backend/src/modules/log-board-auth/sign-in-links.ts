import { Injectable } from '@nestjs/common';
import { registerSecret } from '../../core/logging/index.js';
import { hashOf, randomText, SessionsService, unauthorized, type BegunSession } from './sessions.service.js';

/** Life of the link that is printed at start. */
export const LINK_MINUTES = 10;

/**
 * One-time tokens of links that sign a browser in. They are sent by POST, so that neither a link preview nor a prefetch
 * uses them up.
 */
@Injectable()
export class SignInLinks {
  /** Hashes of tokens that have not been used, with the time at which they expire. */
  private readonly unused = new Map<string, number>();

  constructor(private readonly sessions: SessionsService) {}

  /** A token that begins a session. */
  issue(): string {
    const token = randomText();
    registerSecret(token);
    this.unused.set(hashOf(token), Date.now() + LINK_MINUTES * 60_000);
    return token;
  }

  /** Begins the session of a token, which is used up by this. @throws DomainError `unauthorized` */
  redeem(token: string, client: { address: string; userAgent: string }): BegunSession {
    const hash = hashOf(token);
    const expiresAt = this.unused.get(hash);
    this.unused.delete(hash);
    if (expiresAt === undefined || expiresAt < Date.now()) throw unauthorized();
    return this.sessions.begin(client);
  }
}
