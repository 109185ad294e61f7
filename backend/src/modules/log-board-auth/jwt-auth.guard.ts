import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { DomainError } from '../../core/errors/index.js';
import { setCurrentActor } from '../../core/logging/index.js';
import { clientOf } from '../../core/security/index.js';
import type { Session } from './session.js';
import { unauthorized } from './sessions.service.js';
import { JwtStrategy } from './jwt.strategy.js';

/** A request that was let in, with the session that let it in. */
export type SignedInRequest = Request & { user: Session };

/** Lets in who shows a token of a live session in the Authorization header. */
@Injectable()
export class JwtAuthGuard extends AuthGuard() {
  constructor(strategy: JwtStrategy) {
    // Passport takes a strategy itself in the place of its name; the types know names alone.
    super({ defaultStrategy: strategy as unknown as string, session: false });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    await super.canActivate(context);
    const request = context.switchToHttp().getRequest<SignedInRequest>();
    const { id, username: user } = request.user;
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
