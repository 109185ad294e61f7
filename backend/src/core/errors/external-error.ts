import type { ErrorCode } from './error-codes.js';

/**
 * An error of another program, engine or server, which has no sentence of its own yet. Services translate it into a
 * DomainError if they know more; otherwise the user sees this message with the status of the code, never a 500.
 */
export class ExternalError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'ExternalError';
  }
}
