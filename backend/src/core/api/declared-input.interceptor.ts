import {
  Injectable,
  SetMetadata,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { invalidInput } from '../errors/index.js';
import { mediaType, unsupportedType } from '../security/index.js';
import { isYaml } from './yaml-body.js';

const TAKES_YAML = 'takes-yaml';

/** Lets a route accept YAML instead of a JSON object with one field that holds the text. */
export const AcceptsYaml = (field: string): MethodDecorator => SetMetadata(TAKES_YAML, field);

/**
 * Rejects a body or query that a route does not declare. The validation pipe checks declared ones against their class;
 * a route without one would ignore anything silently. Runs after the guards, so that clients without access learn
 * nothing about a route's input.
 */
@Injectable()
export class DeclaredInput implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() === 'http') rejectUndeclared(context);
    return next.handle();
  }
}

function rejectUndeclared(context: ExecutionContext): void {
  const request = context.switchToHttp().getRequest<Request>();
  const type = mediaType(request);
  if (isYaml(type)) {
    const field = Reflect.getMetadata(TAKES_YAML, context.getHandler()) as string | undefined;
    if (field === undefined) throw unsupportedType(type);
    request.body = { [field]: request.body as unknown };
  }
  const unknown = [
    ...(isDeclared(context, RouteParamtypes.QUERY) ? [] : Object.keys(request.query)),
    ...(isDeclared(context, RouteParamtypes.BODY) ? [] : Object.keys((request.body ?? {}) as object)),
  ];
  if (unknown.length === 0) return;
  throw invalidInput(
    unknown
      .slice(0, 20)
      .map((field) => ({ field: field.slice(0, 100), problem: 'is not a field of this request' })),
  );
}

/** Nest stores a handler's parameters under keys such as `3:0`: the parameter type and its position. */
function isDeclared(context: ExecutionContext, source: RouteParamtypes): boolean {
  const parameters = Reflect.getMetadata(
    ROUTE_ARGS_METADATA,
    context.getClass(),
    context.getHandler().name,
  ) as Record<string, unknown> | undefined;
  return Object.keys(parameters ?? {}).some((key) => key.startsWith(`${source}:`));
}
