import type { IncomingMessage } from 'node:http';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../errors/index.js';
import { isLoopbackAddress, plainAddress } from './address.js';

const LOOPBACK_NAME = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/;

/** By one of these a proxy says that it speaks for somebody else. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Whether a request names this machine by a loopback name, and comes over loopback: from a program that speaks for
 * itself, and not a proxy on this machine that puts its own name for us in the place of what was asked for.
 */
export function isFromThisMachine({ headers, socket }: IncomingMessage): boolean {
  return (
    LOOPBACK_NAME.test(headers.host?.toLowerCase() ?? '') &&
    isLoopbackAddress(plainAddress(socket.remoteAddress)) &&
    !FORWARDED.some((name) => name in headers)
  );
}

/**
 * Before what changes files of the user outside Slipway's own folder: only who sits at this machine may. A name
 * that `APP_ALLOWED_HOSTS` adds may be a proxy's, behind which anybody sits.
 */
@Injectable()
export class LoopbackGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (isFromThisMachine(context.switchToHttp().getRequest<Request>())) return true;
    throw new DomainError(
      'forbidden_host',
      'Your own kubeconfig is changed from this machine alone. Open Slipway as http://localhost with its port.',
    );
  }
}
