import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AccessPolicy } from './access-policy.js';
import { PUBLIC_ROUTE } from './public.js';

/** Applies the application's policy to every route that is not `@Public`. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly policy: AccessPolicy) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    // A WebSocket was admitted before its gateway gets messages.
    if (context.getType() !== 'http' || isPublic(context)) return true;
    await this.policy.admit(context);
    return true;
  }
}

function isPublic(context: ExecutionContext): boolean {
  return [context.getHandler(), context.getClass()].some((owner) => Reflect.hasMetadata(PUBLIC_ROUTE, owner));
}
