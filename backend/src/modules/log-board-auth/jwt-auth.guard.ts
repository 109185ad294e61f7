import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { DomainError } from '../../core/errors/index.js';
import { setCurrentActor } from '../../core/logging/index.js';
import { clientOf, enforceScope } from '../../core/security/index.js';
import { actorOf } from './access-tokens/access-token.js';
import { AccessTokensService } from './access-tokens/access-tokens.service.js';
import type { Credential } from './credentials.js';
import { JwtStrategy } from './jwt.strategy.js';
import type { Session } from './session.js';
import { unauthorized } from './sessions.service.js';

/** A request that was let in, with what let it in. */
export type AdmittedRequest = Request & { user: Credential };

/** The same on a route of `RouteScope('session')`, which no access token passes. */
export type SignedInRequest = Request & { user: Session };

/**
 * Lets in who shows a token of a live session in the Authorization header, or an access token whose scope the route
 * allows.
 */
@Injectable()
export class JwtAuthGuard extends AuthGuard() {
  constructor(
    strategy: JwtStrategy,
    private readonly accessTokens: AccessTokensService,
  ) {
    // Passport takes a strategy itself in the place of its name; the types know names alone.
    super({ defaultStrategy: strategy as unknown as string, session: false });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AdmittedRequest>();
    const accessToken = this.accessTokens.shownBy(request);
    if (accessToken) {
      setCurrentActor(actorOf(accessToken, clientOf(request).address));
      enforceScope(context, accessToken.scope);
      request.user = accessToken;
      return true;
    }
    await super.canActivate(context);
    const { id, username: user } = (request as SignedInRequest).user;
    setCurrentActor({ kind: 'session', user, id, address: clientOf(request).address });
    return true;
  }

  override handleRequest<TUser>(error: unknown, user: TUser): TUser {
    if (!error && user) return user;
    // What is no matter of the token, such as a disk that cannot be read, is told as what it is.
    if (error && !(error instanceof DomainError)) throw error as Error;
    throw unauthorized();
  }
}
