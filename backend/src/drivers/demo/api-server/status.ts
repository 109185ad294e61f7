import type { ApiResponse } from '../../kubernetes/index.js';
import type { ApiType } from './api-types.js';

interface Cause {
  reason: string;
  message: string;
  field: string;
}

export interface Details {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: Cause[];
  retryAfterSeconds?: number;
}

/** What a field holds that it must not, as the API server says it. */
export interface FieldError {
  field: string;
  /** `Required value`, or `Invalid value: -1: must be …` with what follows. */
  message: string;
  reason: 'FieldValueInvalid' | 'FieldValueRequired' | 'FieldValueNotSupported' | 'FieldValueForbidden';
}

/** An answer of the kind Status that says why not. */
export class ApiFailure extends Error {
  constructor(
    readonly code: number,
    readonly reason: string,
    message: string,
    readonly details?: Details,
  ) {
    super(message);
  }

  get status(): object {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      reason: this.reason,
      ...(this.details ? { details: this.details } : {}),
      code: this.code,
    };
  }

  get answer(): ApiResponse {
    return { status: this.code, text: JSON.stringify(this.status) };
  }
}

/** `configmaps`, `deployments.apps`: how the server names a kind in its sentences. */
function qualified(type: Pick<ApiType, 'group' | 'plural'>): string {
  return type.group === '' ? type.plural : `${type.plural}.${type.group}`;
}

function detailsOf(type: Pick<ApiType, 'group' | 'plural'>, name: string): Details {
  return { name, ...(type.group === '' ? {} : { group: type.group }), kind: type.plural };
}

export function notFound(type: Pick<ApiType, 'group' | 'plural'>, name: string): ApiFailure {
  return new ApiFailure(404, 'NotFound', `${qualified(type)} "${name}" not found`, detailsOf(type, name));
}

/** There is no such type. */
export function unknownResource(): ApiFailure {
  return new ApiFailure(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function alreadyExists(type: ApiType, name: string): ApiFailure {
  const message = `${qualified(type)} "${name}" already exists`;
  return new ApiFailure(409, 'AlreadyExists', message, detailsOf(type, name));
}

export function conflict(type: ApiType, name: string, why: string): ApiFailure {
  const message = `Operation cannot be fulfilled on ${qualified(type)} "${name}": ${why}`;
  return new ApiFailure(409, 'Conflict', message, detailsOf(type, name));
}

export function badRequest(message: string): ApiFailure {
  return new ApiFailure(400, 'BadRequest', message);
}

export function methodNotAllowed(): ApiFailure {
  return new ApiFailure(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}

export function forbidden(type: ApiType, name: string, why: string): ApiFailure {
  const message = `${qualified(type)} "${name}" is forbidden: ${why}`;
  return new ApiFailure(403, 'Forbidden', message, detailsOf(type, name));
}

/** A resource version, or a page's token, from before what the server remembers. */
export function expired(message: string): ApiFailure {
  return new ApiFailure(410, 'Expired', message);
}

export function invalid(
  type: Pick<ApiType, 'group' | 'kind'>,
  name: string,
  errors: readonly FieldError[],
): ApiFailure {
  const kind = type.group === '' ? type.kind : `${type.kind}.${type.group}`;
  const sentences = errors.map(({ field, message }) => `${field}: ${message}`);
  const all = sentences.length === 1 ? (sentences[0] ?? '') : `[${sentences.join(', ')}]`;
  return new ApiFailure(422, 'Invalid', `${kind} "${name}" is invalid: ${all}`, {
    ...(name === '' ? {} : { name }),
    ...(type.group === '' ? {} : { group: type.group }),
    kind: type.kind,
    causes: errors.map(({ reason, message, field }) => ({ reason, message, field })),
  });
}

/** A JSON patch that does not fit the object. */
export function unprocessable(): ApiFailure {
  return new ApiFailure(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
}
