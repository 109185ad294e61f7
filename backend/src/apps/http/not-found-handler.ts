import type { Request, RequestHandler, Response } from 'express';
import { DomainError, type ErrorFilter } from '../../core/errors/index.js';

/** The last handler: an address or a method that nobody serves, in the one shape of errors. */
export function notFoundHandler(errors: ErrorFilter): RequestHandler {
  return (request: Request, response: Response): void => {
    const address = `${request.method} ${request.path.slice(0, 200)}`;
    errors.render(
      new DomainError('route_not_found', `There is nothing at this address. Cannot ${address}.`),
      response,
    );
  };
}
