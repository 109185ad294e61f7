import { Injectable } from '@nestjs/common';
import { registerSecret } from '../../core/logging/index.js';
import { OneTimeTokens } from '../../core/security/index.js';
import { SignInJournal } from './sign-in-journal.js';
import { randomText, SessionsService, unauthorized, type BegunSession } from './sessions.service.js';

/** Life of the link that is printed at start. */
export const LINK_MINUTES = 10;

/** The same for both applications, and more than anyone follows within their life. */
const unused = new OneTimeTokens(LINK_MINUTES * 60_000, 1000);

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
    unused.add(token);
    return token;
  }

  /** Begins the session of a token, which is used up by this. @throws DomainError `unauthorized` */
  redeem(token: string, client: { address: string; userAgent: string }): BegunSession {
    if (!unused.take(token)) {
      this.journal.failed(client.address);
      throw unauthorized();
    }
    const begun = this.sessions.begin(client);
    this.journal.signedIn(begun.session, 'link');
    return begun;
  }
}
