import { randomBytes } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { clientOf } from '../../core/security/index.js';

export function nonceOf(response: Response): string {
  return String(response.locals['nonce']);
}

/** Swagger UI uses inline styles. */
const VIEWER = /^\/docs(\/|$)/;
/** Redoc has an icon font among its styles. */
const REDOC = /^\/redoc(\/|$)/;
const API = /^\/api\//i;
const UNUSED_FEATURES = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'usb'];
const PERMISSIONS = UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', ');

/** Sets the security headers of every response. The CSP allows only this server, and no inline scripts. */
export function securityHeaders(): RequestHandler {
  const forPages = headers((response) => ["'self'", `'nonce-${nonceOf(response)}'`]);
  const forViewer = headers(() => ["'self'", "'unsafe-inline'"]);
  const forRedoc = headers((response) => ["'self'", `'nonce-${nonceOf(response)}'`], ["'self'", 'data:']);
  const forData = headers(() => ["'none'"]);
  return (request: Request, response: Response, next: NextFunction): void => {
    response.setHeader('permissions-policy', PERMISSIONS);
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

/**
 * Makes browsers use only HTTPS for the host name, on all of its ports. Not for addresses and names of this machine, where
 * other programs use plain HTTP. Comes after HostOriginGuard, so that the client and the host are known.
 * @param publicUrls of both applications behind a proxy; empty without one.
 */
export function strictTransport(publicUrls: readonly string[]): RequestHandler {
  const publicOrigins = publicUrls.map((url) => URL.parse(url)?.origin);
  return (request: Request, response: Response, next: NextFunction): void => {
    const { hostname, headers } = request;
    const isEncrypted =
      clientOf(request).protocol === 'https' ||
      publicOrigins.includes(`https://${headers.host}`.toLowerCase());
    if (isEncrypted && !/(^|\.)localhost$|^\[|^[\d.]+$/i.test(hostname)) {
      response.setHeader('strict-transport-security', 'max-age=31536000');
    }
    next();
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
    // Depends on the host: `strictTransport`.
    strictTransportSecurity: false,
    xXssProtection: false,
  }) as RequestHandler;
}
