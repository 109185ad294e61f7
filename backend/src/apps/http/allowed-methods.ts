import type { NextFunction, Request, RequestHandler, Response, Router } from 'express';
import { DomainError } from '../../core/errors/index.js';
import { isPage, type PageRoutes } from './pages.js';
import type { StaticFiles } from './static-files.js';

/** A layer of Express' router as far as it is asked here: does it match this path, and for which methods? */
interface RouteLayer {
  route?: { methods: Readonly<Record<string, boolean>> };
  match: (path: string) => unknown;
}

/**
 * Refuses a method that an address does not take, and lists in `Allow` those that it does (RFC 9110, 15.5.6).
 * An address that takes none at all is left to the last handler.
 * @param router asked with each request: routes are made after this handler.
 * @param files what is served beside the routes, by GET alone, as the pages of `routes` are.
 */
export function allowedMethods(
  router: Router,
  files: readonly StaticFiles[],
  routes: PageRoutes,
): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const { method, path } = request;
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
      `This address takes ${methods.join(', ')}, and not ${method}. Cannot ${method} ${path.slice(0, 200)}.`,
      { allowed: methods },
    );
  };
}

function methodsOf(router: Router, path: string): Set<string> {
  const layers = router.stack as unknown as readonly RouteLayer[];
  const found = layers.flatMap((layer) =>
    layer.route && takesSomeMethods(layer.route) && matches(layer, path)
      ? Object.keys(layer.route.methods)
      : [],
  );
  // Express answers HEAD wherever there is a GET.
  if (found.includes('get')) found.push('head');
  return new Set(found.map((method) => method.toUpperCase()));
}

/** Nest's own answer to what it does not know, beside a prefix, takes every method that there is. */
function takesSomeMethods({ methods }: NonNullable<RouteLayer['route']>): boolean {
  return methods['connect'] !== true;
}

function matches(layer: RouteLayer, path: string): boolean {
  try {
    return Boolean(layer.match(path));
  } catch {
    // A broken %-escape: the route itself says what is wrong with it.
    return false;
  }
}
