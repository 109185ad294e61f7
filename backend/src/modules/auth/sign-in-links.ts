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
/** For the change to the other application, which takes a browser seconds. Their sessions are bound. */
const unusedBound = new OneTimeTokens(60_000, 1000);

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
  unused.add(token, registerSecret(token));
}

/** Single-use tokens of sign-in links. They are redeemed by POST, so that a link preview or prefetch cannot consume them. */
@Injectable()
export class SignInLinks {
  constructor(
    private readonly sessions: SessionsService,
    private readonly journal: SignInJournal,
  ) {}

  /** @param isBound whether its session ends when a password is needed */
  issue(isBound = false): string {
    const token = randomToken();
    (isBound ? unusedBound : unused).add(token, registerSecret(token));
    return token;
  }

  /** Consumes a token and starts a session. @throws DomainError `unauthorized` */
  redeem(token: string, client: SessionClient): StartedSession {
    const isBound = unusedBound.take(token);
    if (!isBound && !unused.take(token)) {
      this.journal.failed(client.address);
      throw unauthorized();
    }
    const started = this.sessions.start(client, { by: 'link', isBound });
    this.journal.signedIn(started.session, 'link');
    return started;
  }
}
