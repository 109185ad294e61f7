import { Injectable } from '@nestjs/common';
import { registerSecret } from '../../core/logging/index.js';
import { OneTimeTokens } from '../../core/security/index.js';
import { SignInJournal } from './sign-in-journal.js';
import { SessionsService, type StartedSession } from './sessions.service.js';
import { randomToken, unauthorized } from './tokens/secret-token.js';

/** Lifetime of the link that is printed at startup. */
export const LINK_MINUTES = 10;

/** Shared by both applications of the process. */
const unused = new OneTimeTokens(LINK_MINUTES * 60_000, 1000);

/** Single-use tokens of sign-in links. They are redeemed by POST, so that a link preview or prefetch cannot consume them. */
@Injectable()
export class SignInLinks {
  constructor(
    private readonly sessions: SessionsService,
    private readonly journal: SignInJournal,
  ) {}

  issue(): string {
    const token = randomToken();
    registerSecret(token);
    unused.add(token);
    return token;
  }

  /** Consumes a token and starts a session. @throws DomainError `unauthorized` */
  redeem(token: string, client: { address: string; userAgent: string }): StartedSession {
    if (!unused.take(token)) {
      this.journal.failed(client.address);
      throw unauthorized();
    }
    const started = this.sessions.start(client);
    this.journal.signedIn(started.session, 'link');
    return started;
  }
}
