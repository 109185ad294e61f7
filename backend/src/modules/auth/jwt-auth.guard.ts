import { Injectable, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { DomainError } from '../../core/errors/index.js';
import { setCurrentActor } from '../../core/logging/index.js';
import { clientOf, enforceScope, OwnerToken } from '../../core/security/index.js';
import { AccessTokensService } from './access-tokens/access-tokens.service.js';
import { actorWith, Credentials, type Credential } from './credentials.js';
import { JwtStrategy } from './jwt.strategy.js';
import { ownerSession } from './owner.js';
import type { Session } from './session.js';
import { readBearerToken } from './tokens/bearer-token.js';
import { unauthorized } from './tokens/secret-token.js';

/** A request with a valid session or access token. */
export type AdmittedRequest = Request & { user: Credential };

/** A request on a route with `RouteScope('session')`, which rejects access tokens. */
export type SignedInRequest = Request & { user: Session };

const FOR_DISPLAYS = 'for-displays';

/** A route about the session of the request, which one that may only read has too. */
export const AlsoForDisplays = (): MethodDecorator => SetMetadata(FOR_DISPLAYS, true);

/**
 * Requires a token in the Authorization header: of an active session, an access token with the scope of the route, or the
 * owner token, whose holder is the local user.
 */
@Injectable()
export class JwtAuthGuard extends AuthGuard() {
  constructor(
    strategy: JwtStrategy,
    private readonly accessTokens: AccessTokensService,
    private readonly owner: OwnerToken,
    private readonly credentials: Credentials,
  ) {
    // Passport accepts a strategy instance in place of a name; its types do not. It writes the callbacks of the request into
    // the instance, so each request needs its own: others that are checked meanwhile would be answered as this user.
    super({
      get defaultStrategy() {
        return Object.create(strategy) as string;
      },
      session: false,
    });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AdmittedRequest>();
    if (this.owner.matches(readBearerToken(request) ?? '')) {
      request.user = ownerSession();
      setCurrentActor(actorWith(request.user, clientOf(request).address));
      return true;
    }
    const accessToken = this.accessTokens.fromRequest(request);
    if (accessToken) {
      setCurrentActor(actorWith(accessToken, clientOf(request).address));
      enforceScope(context, accessToken.scope);
      request.user = accessToken;
      return true;
    }
    await super.canActivate(context);
    const session = request.user as Session;
    const isForDisplays = Reflect.getMetadata(FOR_DISPLAYS, context.getHandler()) === true;
    const credential = this.credentials.of(session);
    request.user = isForDisplays ? session : credential;
    setCurrentActor(actorWith(credential, clientOf(request).address));
    if (!isForDisplays && session.scope === 'read') enforceScope(context, 'read', 'session');
    return true;
  }

  override handleRequest<TUser>(error: unknown, user: TUser): TUser {
    if (!error && user) return user;
    // Errors that do not concern the token, such as an unreadable disk, keep their own code.
    if (error && !(error instanceof DomainError)) throw error as Error;
    throw unauthorized();
  }
}
