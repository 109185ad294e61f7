import type { RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import { DomainError } from '../../core/errors/index.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Bounds changing requests per minute and address: far above what a person does, far below what a loop does. */
export function changeLimit(perMinute: number): RequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit: perMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // These are passed over on purpose, as whoever sends them could choose who to be: nothing to complain of.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    skip: (request) => SAFE_METHODS.has(request.method),
    handler: (_request, _response, next) => {
      next(
        new DomainError(
          'too_many_requests',
          `More than ${perMinute} changes a minute are too many. Wait a minute.`,
        ),
      );
    },
  });
}
