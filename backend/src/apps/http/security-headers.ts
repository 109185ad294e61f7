import { randomBytes } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';

/** The nonce of this answer, for whoever renders the page. */
export function nonceOf(response: Response): string {
  return String(response.locals['nonce']);
}

/** Documentation viewers set styles of their own inline; scripts stay ours alone everywhere. */
const VIEWERS = /^\/(docs|redoc)(\/|$)/;

/** Headers of every answer. The policy allows nothing but this server, and no inline script. */
export function securityHeaders(): RequestHandler {
  const forPages = headers((response) => [`'nonce-${nonceOf(response)}'`]);
  const forViewers = headers(() => ["'unsafe-inline'"]);
  return (request: Request, response: Response, next: NextFunction): void => {
    response.locals['nonce'] = randomBytes(16).toString('base64');
    if (/^\/api\//i.test(request.path)) response.setHeader('cache-control', 'no-store');
    (VIEWERS.test(request.path) ? forViewers : forPages)(request, response, next);
  };
}

function headers(styles: (response: Response) => string[]): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", (_request, response) => styles(response as Response).join(' ')],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
      },
    },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    // For browsers that do not know frame-ancestors.
    xFrameOptions: { action: 'deny' },
    // Plain HTTP on loopback: there is nothing to upgrade to.
    strictTransportSecurity: false,
    xXssProtection: false,
  }) as RequestHandler;
}
