import type { NextFunction, Request, RequestHandler, Response, Router } from 'express';
import { DomainError } from '../../core/errors/index.js';
import { isPage, type PageRoutes } from './pages.js';
import type { StaticFiles } from './static-files.js';

/** The part of a layer of Express' router that is used here. */
interface RouteLayer {
  route?: { methods: Readonly<Record<string, boolean>> };
  match: (path: string) => unknown;
}

/**
 * Rejects a method that a path does not support, with the supported ones in `Allow` (RFC 9110, 15.5.6). Paths without
 * any method are left to the last handler.
 * @param router read on each request, since the routes are created after this handler.
 * @param files served with GET, like the pages of `routes`.
 */
export function allowedMethods(
  router: Router,
  files: readonly StaticFiles[],
  routes: PageRoutes,
): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const { method, path } = request;
    if (isServed(router, method, path)) {
      next();
      return;
    }
    const allowed = methodsOf(router, path);
    if (isPage(routes, path) || files.some((some) => some.holds(path))) allowed.add('GET').add('HEAD');
    if (allowed.size === 0 || allowed.has(method)) {
      next();
      return;
    }
    const methods = [...allowed].sort();
    response.setHeader('allow', methods.join(', '));
    throw new DomainError(
      'method_not_allowed',
      `Method ${method} is not allowed. Allowed: ${methods.join(', ')}. Cannot ${method} ${path.slice(0, 200)}.`,
      { allowed: methods },
    );
  };
}

/** Almost every request: this stops at its route, where `methodsOf` tests all routes. */
function isServed(router: Router, method: string, path: string): boolean {
  const name = method.toLowerCase();
  return layersOf(router).some(
    (layer) => layer.route?.methods[name] && takesSomeMethods(layer.route) && matches(layer, path),
  );
}

function methodsOf(router: Router, path: string): Set<string> {
  const found = layersOf(router).flatMap((layer) =>
    layer.route && takesSomeMethods(layer.route) && matches(layer, path)
      ? Object.keys(layer.route.methods)
      : [],
  );
  // Express handles HEAD with the GET handler.
  if (found.includes('get')) found.push('head');
  return new Set(found.map((method) => method.toUpperCase()));
}

function layersOf(router: Router): readonly RouteLayer[] {
  return router.stack as unknown as readonly RouteLayer[];
}

/** Excludes Nest's own catch-all route under the prefix, which has every method. */
function takesSomeMethods({ methods }: NonNullable<RouteLayer['route']>): boolean {
  return methods['connect'] !== true;
}

function matches(layer: RouteLayer, path: string): boolean {
  try {
    return Boolean(layer.match(path));
  } catch {
    // An invalid %-escape, which the route itself reports.
    return false;
  }
}
