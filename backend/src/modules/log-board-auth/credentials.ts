import { Injectable } from '@nestjs/common';
import { ACCESS_TOKEN, type AccessToken } from './access-tokens/access-token.js';
import { AccessTokensService } from './access-tokens/access-tokens.service.js';
import type { Session } from './session.js';
import { SessionsService } from './sessions.service.js';

/** What lets a request or a socket in: a session, or an access token. */
export type Credential = Session | AccessToken;

export function isAccessToken(credential: Credential): credential is AccessToken {
  return 'scope' in credential;
}

/** Finds sessions and access tokens alike. */
@Injectable()
export class Credentials {
  constructor(
    private readonly sessions: SessionsService,
    private readonly accessTokens: AccessTokensService,
  ) {}

  /** Of the token of a session, or an access token. @throws DomainError `unauthorized` */
  ofToken(token: string): Credential {
    return ACCESS_TOKEN.test(token) ? this.accessTokens.ofToken(token) : this.sessions.ofToken(token);
  }

  /** Whether it has neither ended nor expired, and is not revoked, in whichever process. */
  isLive(credential: Credential): boolean {
    const { id } = credential;
    return (isAccessToken(credential) ? this.accessTokens.find(id) : this.sessions.find(id)) !== undefined;
  }
}
