import { SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request } from 'express';
import { invalidInput } from '../errors/index.js';
import { mediaType, unsupportedType } from '../security/index.js';
import { isYaml } from './yaml-body.js';

const TAKES_YAML = 'takes-yaml';

/** Lets a route accept YAML instead of a JSON object with one field that holds the text. */
export const AcceptsYaml = (field: string): MethodDecorator => SetMetadata(TAKES_YAML, field);

interface Declaration {
  query: boolean;
  body: boolean;
  /** The field of the body that YAML replaces. */
  yaml: string | undefined;
}

/** Reading metadata takes longer than checking a request. */
const declarations = new WeakMap<object, Declaration>();

/**
 * Rejects a body or query that a route does not declare. The validation pipe checks declared ones against their class;
 * a route without one would ignore anything silently.
 */
export function rejectUndeclared(context: ExecutionContext): void {
  const request = context.switchToHttp().getRequest<Request>();
  const handler = context.getHandler();
  const declared = declarations.get(handler) ?? declarationOf(context);
  declarations.set(handler, declared);
  const type = mediaType(request);
  if (isYaml(type)) {
    if (declared.yaml === undefined) throw unsupportedType(type);
    request.body = { [declared.yaml]: request.body as unknown };
  }
  const unknown = [
    ...(declared.query ? [] : Object.keys(request.query)),
    ...(declared.body ? [] : Object.keys((request.body ?? {}) as object)),
  ];
  if (unknown.length === 0) return;
  throw invalidInput(
    unknown
      .slice(0, 20)
      .map((field) => ({ field: field.slice(0, 100), problem: 'is not a field of this request' })),
  );
}

/** Nest stores a handler's parameters under keys such as `3:0`: the parameter type and its position. */
function declarationOf(context: ExecutionContext): Declaration {
  const handler = context.getHandler();
  const parameters = Object.keys(
    (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) ?? {}) as object,
  );
  const isDeclared = (source: RouteParamtypes): boolean =>
    parameters.some((key) => key.startsWith(`${source}:`));
  return {
    query: isDeclared(RouteParamtypes.QUERY),
    body: isDeclared(RouteParamtypes.BODY),
    yaml: Reflect.getMetadata(TAKES_YAML, handler) as string | undefined,
  };
}
