import { applyDecorators, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Request } from 'express';
import { DomainError } from '../errors/index.js';

/** Scopes of access tokens: read, or everything except managing sessions and access tokens. */
export const TOKEN_SCOPES = ['read', 'full'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** `dry-run`: `read` for a dry run, `full` for the write. `session`: access tokens are not accepted. */
export type RouteScopeName = TokenScope | 'dry-run' | 'session';

interface RouteRule {
  needs: RouteScopeName;
  /** Location of the flag `dry_run` in the request. */
  flagIn?: 'body' | 'query';
}

const ROUTE_SCOPE = 'route-scope';
/** Extension of the OpenAPI document in which the decorators put the scope. */
export const SCOPE_EXTENSION = 'x-token-scope';

const READS = new Set(['GET', 'HEAD']);

/**
 * Declares the scope that a route requires, if it differs from the default: `read` for GET and HEAD, otherwise `full`, so
 * that new routes reject the scope `read`.
 */
export const RouteScope = (needs: Exclude<RouteScopeName, 'dry-run'>): MethodDecorator & ClassDecorator =>
  mark({ needs });

/** Allows a write with the scope `read` if the request sets `dry_run`. */
export const DryRunScope = (flagIn: 'body' | 'query'): MethodDecorator & ClassDecorator =>
  mark({ needs: 'dry-run', flagIn });

function mark(rule: RouteRule): MethodDecorator & ClassDecorator {
  return applyDecorators(SetMetadata(ROUTE_SCOPE, rule), ApiExtension(SCOPE_EXTENSION, rule.needs));
}

/** The rule of a route. @param owners its handler, then its class; the first rule counts. */
export function routeRule(owners: readonly object[], method: string): RouteRule {
  for (const owner of owners) {
    const rule = Reflect.getMetadata(ROUTE_SCOPE, owner) as RouteRule | undefined;
    if (rule) return rule;
  }
  return { needs: READS.has(method) ? 'read' : 'full' };
}

/** The credential that limits a request to a scope, for the message. */
type ScopeHolder = 'access token' | 'session';

/**
 * Enforces the scope of the access token or session of a request.
 * @throws DomainError `insufficient_scope`
 */
export function enforceScope(
  context: ExecutionContext,
  scope: TokenScope,
  holder: ScopeHolder = 'access token',
): void {
  const request = context.switchToHttp().getRequest<Request>();
  const needed = neededScope(context, request);
  if (needed === 'session' && holder === 'access token') {
    throw new DomainError(
      'insufficient_scope',
      'An access token cannot manage sessions and access tokens. Sign in, and use the token of the session.',
    );
  }
  if (needed !== 'read') requireFullScope(scope, holder);
}

/** @throws DomainError `insufficient_scope` */
export function requireFullScope(scope: TokenScope, holder: ScopeHolder): void {
  if (scope === 'full') return;
  throw new DomainError(
    'insufficient_scope',
    holder === 'session'
      ? 'This session is read-only, and this request needs the scope full. Sign in with the password of the user.'
      : 'The access token has the scope read, and this request needs the scope full. Use an access token with the scope full, or sign in.',
  );
}

function neededScope(context: ExecutionContext, request: Request): TokenScope | 'session' {
  const { needs, flagIn } = routeRule([context.getHandler(), context.getClass()], request.method);
  if (needs !== 'dry-run') return needs;
  // Exactly the values that the route treats as a dry run: guards run before validation.
  const isDryRun =
    flagIn === 'query'
      ? request.query['dry_run'] === 'true'
      : (request.body as { dry_run?: unknown } | undefined)?.dry_run === true;
  return isDryRun ? 'read' : 'full';
}
