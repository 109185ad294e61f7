import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { DomainError } from '../../core/errors/index.js';
import type { Credential } from './credentials.js';
import { SessionsService } from './sessions.service.js';

/**
 * For routes that create a credential: it would outlive the exemption of a client without a password.
 * @throws DomainError `password_required`
 */
@Injectable()
export class LastingGuard implements CanActivate {
  constructor(private readonly sessions: SessionsService) {}

  canActivate(context: ExecutionContext): boolean {
    const { user } = context.switchToHttp().getRequest<{ user?: Credential }>();
    if (user !== undefined && !this.sessions.isBound(user.id)) return true;
    throw new DomainError(
      'password_required',
      'You are not signed in with the password. Access tokens and sign-in links would stay valid when a password is needed. Sign in with the password, or run `slipway token create` or `slipway open`.',
    );
  }
}
