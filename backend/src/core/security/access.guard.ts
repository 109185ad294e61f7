import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AccessPolicy } from './access-policy.js';

/** Stands before every route that is not `@Public`, in both applications, and asks the application's policy. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly policy: AccessPolicy) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.policy.admit(context);
    return true;
  }
}
