import { SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

const NEEDS_PASSWORD = 'needs-password';

/** For routes that create a credential, which would outlive the exemption of a client without a password. */
export const NeedsPassword = (): MethodDecorator => SetMetadata(NEEDS_PASSWORD, true);

export function needsPassword(context: ExecutionContext): boolean {
  return Reflect.getMetadata(NEEDS_PASSWORD, context.getHandler()) === true;
}

const NEEDS_RECENT_PASSWORD = 'needs-recent-password';

/**
 * For routes that an open session must not be enough for: they need a password of the last 15 minutes.
 * @param applies whether a request is such a one. Guards run before validation, so it must not rely on types.
 */
export const NeedsRecentPassword = (applies: (request: Request) => boolean = () => true): MethodDecorator =>
  SetMetadata(NEEDS_RECENT_PASSWORD, applies);

export function needsRecentPassword(context: ExecutionContext): boolean {
  const applies = Reflect.getMetadata(NEEDS_RECENT_PASSWORD, context.getHandler()) as
    ((request: Request) => boolean) | undefined;
  return applies?.(context.switchToHttp().getRequest<Request>()) ?? false;
}

const checks = new WeakMap<Request, () => void>();

/** Gives a request the check of `requireRecentPassword`. */
export function setRecentPasswordCheck(request: Request, check: () => void): void {
  checks.set(request, check);
}

/** For a request of which only its handling shows the need. @throws DomainError `reauthentication_required` */
export function requireRecentPassword(request: Request): void {
  checks.get(request)?.();
}

/** Whether a request confirms access to the host, in its body or its query. */
export function acceptsHostAccess({ body, query }: Request): boolean {
  const flags = [
    (body as Record<string, unknown> | undefined)?.['accept_host_access'],
    query['accept_host_access'],
  ];
  return flags.some((flag) => flag !== undefined && flag !== false && flag !== 'false');
}
