import { Injectable } from '@nestjs/common';
import { registerSecret } from '../../core/logging/index.js';
import { SignInJournal } from './sign-in-journal.js';
import { hashOf, randomText, SessionsService, unauthorized, type BegunSession } from './sessions.service.js';

/** Life of the link that is printed at start. */
export const LINK_MINUTES = 10;

/** Hashes of tokens that have not been used, with the time at which they expire: the same for both applications. */
const unused = new Map<string, number>();
/** More than anybody follows within their life. */
const MOST = 1000;

/**
 * One-time tokens of links that sign a browser in. They are sent by POST, so that neither a link preview nor a prefetch
 * uses them up.
 */
@Injectable()
export class SignInLinks {
  constructor(
    private readonly sessions: SessionsService,
    private readonly journal: SignInJournal,
  ) {}

  /** A token that begins a session. */
  issue(): string {
    const token = randomText();
    registerSecret(token);
    const [oldest] = unused.keys();
    if (unused.size >= MOST && oldest !== undefined) unused.delete(oldest);
    unused.set(hashOf(token), Date.now() + LINK_MINUTES * 60_000);
    return token;
  }

  /** Begins the session of a token, which is used up by this. @throws DomainError `unauthorized` */
  redeem(token: string, client: { address: string; userAgent: string }): BegunSession {
    const hash = hashOf(token);
    const expiresAt = unused.get(hash);
    unused.delete(hash);
    if (expiresAt === undefined || expiresAt < Date.now()) {
      this.journal.failed(client.address);
      throw unauthorized();
    }
    const begun = this.sessions.begin(client);
    this.journal.signedIn(begun.session, 'link');
    return begun;
  }
}
