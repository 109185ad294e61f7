import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { DomainError } from '../../core/errors/index.js';
import type { AccessPolicy, PageSession } from '../../core/security/index.js';
import { nonceOf } from './security-headers.js';
import type { PageParts, StaticFiles } from './static-files.js';

/** Where one signs in; a page of each application. */
const SIGN_IN = '/login';
const NOT_PAGES = /^\/(api|docs|redoc|readme|events|ws|openapi\.(json|yaml)|favicon\.ico)(\/|$)/;
/** Open to anybody beside the sign-in page and what it loads. */
const ICON = '/favicon.ico';
const VIEWER_PAGES = /^\/(docs|redoc)\/?$/i;

/** Where the document tells the page of its session. Its own value is for a page that another server hands out. */
const TOLD_SESSION = /data-session="[a-z]*"/;

/** A page, or those of one kind. */
export interface PageRoute {
  path: RegExp;
  /** The source files that are loaded for it alone, by their paths below `frontend/src`. */
  parts: readonly string[];
  /** The address of the API that it asks first, from the groups of `path`; undefined where that is not known yet. */
  asksFirst?: (groups: readonly string[], query: Request['query']) => string | undefined;
}

/** The pages of one application. */
export interface PageRoutes {
  home: string;
  pages: readonly PageRoute[];
}

const SIGN_IN_PAGE: PageRoute = { path: /^\/login$/, parts: ['shared/session/sign-in-page'] };

/**
 * Serves the Angular application: one document for every page, rendered with the request's nonce. Who is not
 * signed in is sent to do so first, and comes back to the page that was asked for.
 */
export function pages(
  { files, parts }: { files: StaticFiles; parts: PageParts },
  routes: PageRoutes,
  access: AccessPolicy,
): RequestHandler {
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
      response.redirect(302, routes.home);
      return;
    }
    if (template === undefined) {
      response
        .status(503)
        .type('text/plain')
        .send('The pages are not built yet. Run `npm run build`, or use `npm start`, which does.');
      return;
    }
    response
      .status(isPage(routes, request.path) ? 200 : 404)
      .setHeader('cache-control', 'no-store')
      .type('text/html')
      .send(
        template
          .replace('</head>', `${hintsFor(request, routes, parts, access)}</head>`)
          .replaceAll('__NONCE__', nonceOf(response))
          .replace(TOLD_SESSION, `data-session="${sessionOf(request, access)}"`),
      );
  };
}

/**
 * What the page will need once its first scripts have run, so that a browser fetches it beside them. What it will ask
 * the API for is among it only where that needs no token.
 */
function hintsFor(request: Request, routes: PageRoutes, parts: PageParts, access: AccessPolicy): string {
  const page = pageAt(routes, request.path);
  if (!page) return '';
  const scripts = new Set(page.parts.flatMap((part) => parts[part] ?? []));
  const hints = [...scripts].map((name) => `<link rel="modulepreload" href="${name}" nonce="__NONCE__">`);
  const groups = page.path.exec(request.path)?.slice(1) ?? [];
  const address = access.isOpenTo(request) ? page.asksFirst?.(groups, request.query) : undefined;
  if (address !== undefined) {
    hints.push(`<link rel="preload" as="fetch" crossorigin href="${address.replaceAll('&', '&amp;')}">`);
  }
  return hints.join('');
}

/**
 * Keeps everything outside the API for who is signed in, as its guards keep the API: the viewers of the API, its
 * document, and whatever else is served. Behind the pages, which send who is not signed in to do so.
 */
export function requireSession(access: AccessPolicy): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    // By what is open, and not by what is closed: Express knows `/DOCS` for `/docs`.
    if (request.path.startsWith('/api/') || request.path === ICON || access.admitsPage(request)) next();
    else if (VIEWER_PAGES.test(request.path) && request.accepts('html') !== false) {
      toSignIn(request, response);
    } else next(new DomainError('unauthorized', 'Unauthorized'));
  };
}

/** So that a page asks for a token only where it may get one. */
function sessionOf(request: Request, access: AccessPolicy): PageSession {
  if (access.isOpenTo(request)) return 'open';
  if (access.admitsPage(request)) return 'held';
  const { 'sec-fetch-site': site } = request.headers;
  return site === undefined || site === 'cross-site' ? 'unseen' : 'none';
}

function toSignIn(request: Request, response: Response): void {
  const query =
    request.path === '/' ? '' : `?${new URLSearchParams({ next: request.originalUrl }).toString()}`;
  response.setHeader('cache-control', 'no-store');
  response.redirect(302, SIGN_IN + query);
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** A program that takes anything gets a page where there is one, and an error that it can read where there is none. */
function wantsPage(request: Request, routes: PageRoutes): boolean {
  if (isPage(routes, request.path)) return request.accepts('html') !== false;
  return request.accepts(['json', 'html']) === 'html';
}

/** Whether the page's own router knows an address. */
export function isPage(routes: PageRoutes, path: string): boolean {
  return path === '/' || pageAt(routes, path) !== undefined;
}

function pageAt({ pages: known }: PageRoutes, path: string): PageRoute | undefined {
  return path === SIGN_IN ? SIGN_IN_PAGE : known.find((page) => page.path.test(path));
}
