import type { TestApp } from './start-app.js';

/** A layer of Express' router, where it holds a route. */
interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
}

/** All routes of Express, whether a controller, a module or other code created them. */
export function routesOf({ nest }: TestApp): { method: string; path: string }[] {
  const { stack } = (nest.getHttpAdapter().getInstance() as { router: { stack: Layer[] } }).router;
  return stack.flatMap(({ route }) =>
    // A route with every method, including CONNECT, is Nest's own catch-all.
    Object.keys(route?.methods['connect'] === true ? {} : (route?.methods ?? {})).map((method) => ({
      method: method.toUpperCase(),
      path: (route?.path ?? '').replace(/:\w+/g, 'x').replace(/\{?\*\w+\}?/g, 'x'),
    })),
  );
}
