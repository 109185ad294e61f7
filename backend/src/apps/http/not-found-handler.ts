import type { Request, RequestHandler, Response } from 'express';
import { DomainError, type ErrorFilter } from '../../core/errors/index.js';

/** The last handler, for URLs that no other one serves. */
export function notFoundHandler(errors: ErrorFilter): RequestHandler {
  return (request: Request, response: Response): void => {
    const address = `${request.method} ${request.path.slice(0, 200)}`;
    errors.render(
      new DomainError('route_not_found', `This URL does not exist. Cannot ${address}.`),
      response,
    );
  };
}
