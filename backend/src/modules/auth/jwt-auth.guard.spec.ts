import { describe, expect, it } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { OwnerToken } from '../../core/security/index.js';
import type { Secrets } from '../../core/secrets/index.js';
import type { AccessTokensService } from './access-tokens/access-tokens.service.js';
import type { Credentials } from './credentials.js';
import { JwtAuthGuard } from './jwt-auth.guard.js';
import { JwtStrategy } from './jwt.strategy.js';
import type { Session, TokenClaims } from './session.js';
import type { SessionsService } from './sessions.service.js';
import { tokenOptions } from './tokens/token-options.js';

const secrets = { signingKey: 'k'.repeat(64) } as unknown as Secrets;
const sessions: Pick<SessionsService, 'ofClaims'> = {
  ofClaims: ({ jti }: TokenClaims) => ({ id: jti, user: jti, token_id: null }) as unknown as Session,
};
const accessTokens: Pick<AccessTokensService, 'fromRequest'> = { fromRequest: () => undefined };
const owner: Pick<OwnerToken, 'matches'> = { matches: () => false };
const guard = new JwtAuthGuard(
  new JwtStrategy(secrets, sessions as SessionsService),
  accessTokens as AccessTokensService,
  owner as OwnerToken,
  { of: (session: Session) => session } as Credentials,
);

describe('JwtAuthGuard', () => {
  it('admits each request as its own user when several are checked at once', async () => {
    const jwt = new JwtService(tokenOptions(secrets));
    const requests = ['one', 'two', 'three'].map((id) => ({
      headers: {},
      headersDistinct: { authorization: [`Bearer ${jwt.sign({}, { subject: id, jwtid: id })}`] },
      socket: { remoteAddress: '127.0.0.1' },
      user: undefined as Session | undefined,
    }));
    await Promise.all(
      requests.map((request) => {
        const http = { getRequest: () => request, getResponse: () => ({}) };
        return guard.canActivate({
          switchToHttp: () => http,
          getHandler: () => guard,
        } as unknown as ExecutionContext);
      }),
    );
    expect(requests.map(({ user }) => user?.id)).toEqual(['one', 'two', 'three']);
  });
});
