import { Injectable } from '@nestjs/common';
import { ACCESS_TOKEN, type AccessToken } from './access-tokens/access-token.js';
import { AccessTokensService } from './access-tokens/access-tokens.service.js';
import type { Session } from './session.js';
import { SessionsService } from './sessions.service.js';

export type Credential = Session | AccessToken;

export function isAccessToken(credential: Credential): credential is AccessToken {
  return 'scope' in credential;
}

@Injectable()
export class Credentials {
  constructor(
    private readonly sessions: SessionsService,
    private readonly accessTokens: AccessTokensService,
  ) {}

  /** Verifies a session token or an access token. @throws DomainError `unauthorized` */
  ofToken(token: string): Credential {
    return ACCESS_TOKEN.test(token) ? this.accessTokens.ofToken(token) : this.sessions.ofToken(token);
  }

  /** False if it has ended, expired or been revoked, in any process. */
  isLive(credential: Credential): boolean {
    const { id } = credential;
    return (isAccessToken(credential) ? this.accessTokens.find(id) : this.sessions.find(id)) !== undefined;
  }
}
