import { randomBytes } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';

export function nonceOf(response: Response): string {
  return String(response.locals['nonce']);
}

/** Swagger UI uses inline styles. */
const VIEWER = /^\/docs(\/|$)/;
/** Redoc has an icon font among its styles. */
const REDOC = /^\/redoc(\/|$)/;
const API = /^\/api\//i;

/** Sets the security headers of every response. The CSP allows only this server, and no inline scripts. */
export function securityHeaders(): RequestHandler {
  const forPages = headers((response) => ["'self'", `'nonce-${nonceOf(response)}'`]);
  const forViewer = headers(() => ["'self'", "'unsafe-inline'"]);
  const forRedoc = headers((response) => ["'self'", `'nonce-${nonceOf(response)}'`], ["'self'", 'data:']);
  const forData = headers(() => ["'none'"]);
  return (request: Request, response: Response, next: NextFunction): void => {
    if (API.test(request.path)) {
      response.setHeader('cache-control', 'no-store');
      forData(request, response, next);
      return;
    }
    response.locals['nonce'] = randomBytes(16).toString('base64');
    const { path } = request;
    const forPath = VIEWER.test(path) ? forViewer : REDOC.test(path) ? forRedoc : forPages;
    forPath(request, response, next);
  };
}

function headers(styles: (response: Response) => string[], fonts = ["'self'"]): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: [(_request, response) => styles(response as Response).join(' ')],
        imgSrc: ["'self'", 'data:'],
        fontSrc: fonts,
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
    // For browsers without frame-ancestors.
    xFrameOptions: { action: 'deny' },
    // Loopback uses plain HTTP.
    strictTransportSecurity: false,
    xXssProtection: false,
  }) as RequestHandler;
}
