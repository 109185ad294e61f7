import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../errors/index.js';
import { isLoopbackAddress } from './address.js';
import { clientOf } from './client.js';

export const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/;

/**
 * Protects routes that change the user's files outside Slipway's data folder. The client must be on this machine and use
 * a loopback name: for a browser elsewhere, "your kubeconfig" is that of another machine.
 */
@Injectable()
export class LoopbackGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const { host = '' } = request.headers;
    if (LOOPBACK_HOST.test(host.toLowerCase()) && isLoopbackAddress(clientOf(request).address)) return true;
    throw new DomainError(
      'forbidden_host',
      'Could not use your kubeconfig: this request does not come from the machine that Slipway runs on. Open Slipway there as http://localhost with its port. If Slipway runs in a container, download the kubeconfig instead.',
    );
  }
}
