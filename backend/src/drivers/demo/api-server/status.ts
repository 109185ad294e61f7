import type { ApiResponse } from '../../kubernetes/index.js';
import type { ApiType } from './api-types.js';

interface Details {
  name?: string;
  group?: string;
  kind?: string;
  causes?: { reason: string; message: string; field: string }[];
}

/** A response of the kind Status with an error. */
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

  get response(): ApiResponse {
    return { status: this.code, text: JSON.stringify(this.status) };
  }
}

type Named = Pick<ApiType, 'group' | 'plural'>;

function failure(
  code: number,
  reason: string,
  { group, plural }: Named,
  name: string,
  why: string,
): ApiFailure {
  const qualified = group === '' ? plural : `${plural}.${group}`;
  const message = why.replace('OBJECT', `${qualified} "${name}"`);
  return new ApiFailure(code, reason, message, { name, ...(group === '' ? {} : { group }), kind: plural });
}

export function notFound(type: Named, name: string): ApiFailure {
  return failure(404, 'NotFound', type, name, 'OBJECT not found');
}

export function alreadyExists(type: Named, name: string): ApiFailure {
  return failure(409, 'AlreadyExists', type, name, 'OBJECT already exists');
}

export function conflict(type: Named, name: string, why: string): ApiFailure {
  return failure(409, 'Conflict', type, name, `Operation cannot be fulfilled on OBJECT: ${why}`);
}

export function forbidden(type: Named, name: string, why: string): ApiFailure {
  return failure(403, 'Forbidden', type, name, `OBJECT is forbidden: ${why}`);
}

/** The type does not exist. */
export function unknownResource(): ApiFailure {
  return new ApiFailure(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function badRequest(message: string): ApiFailure {
  return new ApiFailure(400, 'BadRequest', message);
}

export function methodNotAllowed(): ApiFailure {
  const message = 'the server does not allow this method on the requested resource';
  return new ApiFailure(405, 'MethodNotAllowed', message, {});
}

/** A resource version or page token that is older than the recorded changes. */
export function expired(message: string): ApiFailure {
  return new ApiFailure(410, 'Expired', message);
}
