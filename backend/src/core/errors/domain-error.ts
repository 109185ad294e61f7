import type { ErrorCode } from './error-codes.js';

/** One wrong entry of a request: which field, what is wrong with it, and what would be right. */
export interface FieldProblem {
  field: string;
  problem: string;
  hint?: string;
}

/**
 * An error that the product expects and explains. Services throw these and never HTTP exceptions; one
 * filter turns the code into a status. The message is for the person who reads it: what happened, why,
 * what to do.
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

/** The error for a request with wrong entries: all of them at once, each with its field. */
export function invalidInput(problems: FieldProblem[]): DomainError {
  const message = problems.map(({ field, problem }) => `${field} ${problem}`).join('; ');
  return new DomainError('invalid_input', `The request cannot be used: ${message}.`, problems);
}
