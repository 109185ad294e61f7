import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { whenClosed } from '../../core/api/index.js';
import { DomainError } from '../../core/errors/index.js';

/** Expensive requests, and how many of each kind can run at the same time. */
const LIMITS: readonly { paths: RegExp; most: number; what: string }[] = [
  { paths: /^\/api\/v1\/diagnostics\/bundle(?:\/content)?\/?$/i, most: 1, what: 'support bundles' },
  { paths: /^\/api\/v1\/clusters\/[^/]+\/node-logs\/?$/i, most: 2, what: 'collections of node logs' },
  {
    paths: /^\/api\/v1\/clusters\/[^/]+\/addons\/(charts|repositories)(\/|$)/i,
    most: 4,
    what: 'requests for charts',
  },
  { paths: /^\/api\/v1\/journal\/export\/?$/i, most: 2, what: 'exports of the journal' },
  { paths: /^\/api(\/v1|\/v1\/logs)?\/(search|histogram|export)\/?$/i, most: 16, what: 'searches' },
];

/** Limits concurrent expensive requests. @throws DomainError `too_many_requests` */
export function concurrencyLimit(): RequestHandler {
  const running = new Map<RegExp, number>();
  return (request: Request, response: Response, next: NextFunction): void => {
    const limit = LIMITS.find(({ paths }) => paths.test(request.path));
    if (!limit) {
      next();
      return;
    }
    const { paths, most, what } = limit;
    const now = running.get(paths) ?? 0;
    if (now >= most) {
      response.setHeader('retry-after', '5');
      next(
        new DomainError('too_many_requests', `Too many ${what} are running (${now}). Wait until one ends.`),
      );
      return;
    }
    running.set(paths, now + 1);
    whenClosed(response, () => running.set(paths, (running.get(paths) ?? 1) - 1));
    next();
  };
}
