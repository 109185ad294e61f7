import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { registerSecret } from '../../core/logging/index.js';
import { OneTimeTokens } from '../../core/security/index.js';
import { writeFileAtomically } from '../../core/storage/index.js';
import { SignInJournal } from './sign-in-journal.js';
import { SessionsService, type SessionClient, type StartedSession } from './sessions.service.js';
import { randomToken, unauthorized } from './tokens/secret-token.js';

/** Lifetime of the link that is printed at startup. */
export const LINK_MINUTES = 10;

/** Shared by both applications of the process. */
const unused = new OneTimeTokens(LINK_MINUTES * 60_000, 1000);
/**
 * For the change to the other application, which takes a browser seconds. The value is the cookie of the session that goes on
 * there; null for a user who needs none, whose new session is bound.
 */
const tickets = new OneTimeTokens<string | null>(60_000, 1000);

/** For a link that is printed before a start. */
const KEPT_FILE = 'sign-in-link';
const KEPT_MS = 24 * 3600_000;

/** Creates a token that the next start accepts, within a day. */
export async function keepLinkToken(dataDirectory: string): Promise<string> {
  const token = randomToken();
  await writeFileAtomically(join(dataDirectory, KEPT_FILE), token);
  return token;
}

/** Makes the kept token valid like any other. */
export async function takeKeptToken(dataDirectory: string): Promise<void> {
  const file = join(dataDirectory, KEPT_FILE);
  const found = await stat(file).catch(() => undefined);
  if (!found) return;
  const token = await readFile(file, 'utf8');
  await rm(file);
  if (Date.now() - found.mtimeMs > KEPT_MS) return;
  unused.add(token, true, registerSecret(token));
}

/** Single-use tokens of sign-in links. They are redeemed by POST, so that a link preview or prefetch cannot consume them. */
@Injectable()
export class SignInLinks {
  constructor(
    private readonly sessions: SessionsService,
    private readonly journal: SignInJournal,
  ) {}

  /** Issues the token of a link that starts a session. */
  issue(): string {
    const token = randomToken();
    unused.add(token, true, registerSecret(token));
    return token;
  }

  /**
   * Issues a token for the change to the other application.
   * @param cookie of the session that goes on there; null starts one that ends when a password is needed
   */
  issueTicket(cookie: string | null): string {
    const token = randomToken();
    tickets.add(token, cookie, registerSecret(token));
    return token;
  }

  /** Consumes a token, and starts or continues its session. @throws DomainError `unauthorized` */
  redeem(token: string, client: SessionClient): StartedSession {
    const started = this.sessionOf(token, client);
    if (!started) {
      this.journal.failed(client.address);
      throw unauthorized();
    }
    this.journal.signedIn({ ...started.session, address: client.address }, 'link');
    return started;
  }

  private sessionOf(token: string, client: SessionClient): StartedSession | undefined {
    if (unused.take(token)) return this.sessions.start(client, { by: 'link', isBound: false });
    const cookie = tickets.take(token);
    if (cookie === null) return this.sessions.start(client, { by: 'link', isBound: true });
    // A new session with each change would never have to end, and would outlive the sign-out of the first.
    const session = cookie && this.sessions.ofCookie(cookie);
    return session ? { session, cookie } : undefined;
  }
}
