import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { MAX_URL } from '../../core/errors/index.js';
import { runInRequest, type AppLogger } from '../../core/logging/index.js';
import { shortened } from '../../core/values/index.js';

/** Assigns an id to each request and logs its response, without the query, which may contain a token. */
export function requestLog(logger: AppLogger): RequestHandler {
  const log = logger.child({ context: 'http' });
  return (request: Request, response: Response, next: NextFunction): void => {
    runInRequest((requestId) => {
      const startedAt = performance.now();
      response.setHeader('x-request-id', requestId);
      response.on('finish', () => {
        const fields = {
          method: request.method,
          status: response.statusCode,
          ms: Math.round(performance.now() - startedAt),
        };
        const message = `${request.method} ${shortened(request.path, MAX_URL)} ${response.statusCode}`;
        // Successful reads are frequent and uninteresting.
        if (request.method === 'GET' && response.statusCode < 400) log.debug(message);
        else log.info(message, fields);
      });
      next();
    });
  };
}
