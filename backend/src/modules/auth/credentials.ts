import { Injectable } from '@nestjs/common';
import type { Actor } from '../../core/logging/index.js';
import { OwnerToken } from '../../core/security/index.js';
import { ACCESS_TOKEN, actorOf, type AccessToken } from './access-tokens/access-token.js';
import { AccessTokensService } from './access-tokens/access-tokens.service.js';
import { isOwner, ownerSession } from './owner.js';
import { actorOfSession, type Session } from './session.js';
import { SessionsService } from './sessions.service.js';
import { unauthorized } from './tokens/secret-token.js';

/** An access token has the id of the session of its display, unless the client sent the token itself. */
export type Credential = Session | (AccessToken & { session_id?: string });

export function isAccessToken(credential: Credential): credential is Exclude<Credential, Session> {
  return 'created_by' in credential;
}

/** The actor of a request with a credential. */
export function actorWith(credential: Credential, address: string): Actor {
  if (isAccessToken(credential)) return actorOf(credential, address);
  return isOwner(credential)
    ? { kind: 'local', user: credential.username, id: null, address }
    : actorOfSession(credential, address);
}

@Injectable()
export class Credentials {
  constructor(
    private readonly sessions: SessionsService,
    private readonly accessTokens: AccessTokensService,
    private readonly owner: OwnerToken,
  ) {}

  /** Verifies a session token, an access token or the owner token. @throws DomainError `unauthorized` */
  ofToken(token: string): Credential {
    if (this.owner.matches(token)) return ownerSession();
    return ACCESS_TOKEN.test(token)
      ? this.accessTokens.ofToken(token)
      : this.of(this.sessions.ofToken(token));
  }

  /** The credential whose rights a session has: its own, or for a display the access token. @throws DomainError `unauthorized` */
  of(session: Session): Credential {
    if (session.token_id === null) return session;
    const token = this.accessTokens.find(session.token_id);
    if (!token) throw unauthorized();
    return { ...token, session_id: session.id };
  }

  /** With its expiry of now; undefined if it has ended, expired or been revoked, in any process. */
  current(credential: Credential): Credential | undefined {
    const { id } = credential;
    if (isOwner(credential)) return credential;
    if (!isAccessToken(credential)) return this.sessions.find(id);
    const { session_id: display } = credential;
    if (display === undefined) return this.accessTokens.find(id);
    return this.sessions.find(display) && credential;
  }
}
