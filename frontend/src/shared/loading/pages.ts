import type { Type } from '@angular/core';
import type { ActivatedRouteSnapshot, Route } from '@angular/router';
import { loadPart } from './load-part';

type Title = string | ((route: ActivatedRouteSnapshot) => string);

/** Creates routes of pages that are loaded on demand. Their titles end with the name of the application. */
export function pagesOf(application: string) {
  return (path: string, title: Title, load: () => Promise<Type<unknown>>, more: Route = {}): Route => ({
    path,
    title: (route) => `${typeof title === 'string' ? title : title(route)} · ${application}`,
    loadComponent: () => loadPart(load),
    ...more,
  });
}
