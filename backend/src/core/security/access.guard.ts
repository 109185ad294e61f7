import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AccessPolicy } from './access-policy.js';

/** Applies the application's policy to every route that is not `@Public`. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly policy: AccessPolicy) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.policy.admit(context);
    return true;
  }
}
