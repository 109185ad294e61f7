import type { ErrorCode } from './error-codes.js';

/** One invalid field of a request, with its problem and optionally a hint. */
export interface FieldProblem {
  field: string;
  problem: string;
  hint?: string;
}

/**
 * An expected error. Services throw these instead of HTTP exceptions; one filter turns the code into a status. The
 * message is for the user: what happened, why, what to do.
 */
export class DomainError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: unknown,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'DomainError';
  }
}

export function hasCode(error: unknown, ...codes: ErrorCode[]): error is DomainError {
  return error instanceof DomainError && codes.includes(error.code);
}

/** The error for a request with invalid fields: all of them, each with its problem. */
export function invalidInput(problems: FieldProblem[]): DomainError {
  const message = problems.map(({ field, problem }) => `${field} ${problem}`).join('; ');
  return new DomainError('invalid_input', `The request is invalid: ${message}.`, problems);
}

export function invalidField(field: string, problem: string, hint?: string): DomainError {
  return invalidInput([{ field, problem, ...(hint !== undefined && { hint }) }]);
}
