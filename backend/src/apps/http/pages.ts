import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { type AccessPolicy, basePathOf, type PageSession } from '../../core/security/index.js';
import { lookingForEngines, unauthorized } from '../../modules/auth/index.js';
import { nonceOf } from './security-headers.js';
import type { StaticFiles } from './static-files.js';

const SIGN_IN = '/login';
const NOT_PAGES = /^\/(api|docs|redoc|readme|events|ws|openapi\.(json|yaml)|favicon\.ico)(\/|$)/;
/** Needs no session, like the sign-in page and its files. */
const ICON = '/favicon.ico';
const VIEWER_PAGES = /^\/(docs|redoc)\/?$/i;

/** The build does not know the path. */
const BASE = /<base href="\/" ?\/>/;
/** The attribute of the document that tells the page about its session. Its static value is for the dev server. */
const SESSION_ATTRIBUTE = /data-session="[a-z]*"/;

export interface PageRoutes {
  home: string;
  pages: readonly RegExp[];
  /** Whether new clusters are simulated, so that the page has room for the notice from the beginning. */
  isDemo?: () => boolean;
}

/**
 * Serves the Angular application: one document for all pages, rendered with the nonce of the request. Redirects clients
 * without a session to the sign-in page, which returns to the requested page.
 */
export function pages(files: StaticFiles, routes: PageRoutes, access: AccessPolicy): RequestHandler {
  const template = files.text('/index.html');
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!isRead(request) || NOT_PAGES.test(request.path) || !wantsPage(request, routes)) {
      next();
      return;
    }
    if (request.path !== SIGN_IN && !access.admitsPage(request)) {
      toSignIn(request, response);
      return;
    }
    if (request.path === '/') {
      response.redirect(302, basePathOf(request) + routes.home);
      return;
    }
    if (template === undefined) {
      response
        .status(503)
        .type('text/plain')
        .send('The pages are not built yet. Run `npm run build`, or use `npm start`.');
      return;
    }
    response
      .status(isPage(routes, request.path) ? 200 : 404)
      .setHeader('cache-control', 'no-store')
      .type('text/html')
      .send(
        template
          .replaceAll('__NONCE__', nonceOf(response))
          .replace(BASE, `<base href="${basePathOf(request)}/"/>`)
          .replace(
            SESSION_ATTRIBUTE,
            `data-session="${sessionOf(request, access)}"${routes.isDemo?.() === true ? ' data-demo' : ''}`,
          ),
      );
  };
}

/** Requires a session for everything outside the API, which has guards, such as the API viewers. */
export function requireSession(access: AccessPolicy): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    // An allowlist, since Express also accepts `/DOCS` for `/docs`.
    if (request.path.startsWith('/api/') || request.path === ICON || access.admitsPage(request)) next();
    else if (VIEWER_PAGES.test(request.path) && request.accepts('html') !== false) {
      toSignIn(request, response);
    } else next(access.isLooking(request) ? lookingForEngines() : unauthorized());
  };
}

function sessionOf(request: Request, access: AccessPolicy): PageSession {
  if (access.isOpenTo(request)) return 'open';
  if (access.admitsPage(request)) return 'held';
  if (access.isLooking(request)) return 'looking';
  const { 'sec-fetch-site': site } = request.headers;
  return site === undefined || site === 'cross-site' ? 'unseen' : 'none';
}

function toSignIn(request: Request, response: Response): void {
  const query =
    request.path === '/' ? '' : `?${new URLSearchParams({ next: request.originalUrl }).toString()}`;
  response.setHeader('cache-control', 'no-store');
  response.redirect(302, basePathOf(request) + SIGN_IN + query);
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Clients that accept any type get pages that exist, and JSON errors otherwise. */
function wantsPage(request: Request, routes: PageRoutes): boolean {
  if (isPage(routes, request.path)) return request.accepts('html') !== false;
  return request.accepts(['json', 'html']) === 'html';
}

function isPage(routes: PageRoutes, path: string): boolean {
  return path === '/' || path === SIGN_IN || routes.pages.some((page) => page.test(path));
}
