import type { Request, RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import { DomainError } from '../../core/errors/index.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export function writeRateLimit(perMinute: number, clientKey: (request: Request) => string): RequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit: perMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: clientKey,
    skip: (request) => SAFE_METHODS.has(request.method),
    handler: (_request, _response, next) => {
      next(
        new DomainError(
          'too_many_requests',
          `Too many changes: the limit is ${perMinute} per minute. Wait a minute.`,
        ),
      );
    },
  });
}
