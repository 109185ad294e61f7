import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../errors/index.js';

const LOOPBACK_NAME = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/;
const LOOPBACK_ADDRESS = /^(127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/;

/**
 * Before what changes files of the user outside Slipway's own folder: only who sits at this machine may. A name
 * that `APP_ALLOWED_HOSTS` adds may be a proxy's, behind which anybody sits.
 */
@Injectable()
export class LoopbackGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers, socket } = context.switchToHttp().getRequest<Request>();
    const fromHere =
      LOOPBACK_NAME.test(headers.host?.toLowerCase() ?? '') &&
      LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '');
    if (fromHere) return true;
    throw new DomainError(
      'forbidden_host',
      'Your own kubeconfig is changed from this machine alone. Open Slipway as http://localhost with its port.',
    );
  }
}
