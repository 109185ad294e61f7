import type { TestApp } from './start-app.js';

/** A layer of Express' router, where it holds a route. */
interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
}

/** Every route that Express knows, however it was made: by a controller, a module or by hand. */
export function routesOf({ nest }: TestApp): { method: string; path: string }[] {
  const { stack } = (nest.getHttpAdapter().getInstance() as { router: { stack: Layer[] } }).router;
  return stack.flatMap(({ route }) =>
    // One for every method there is, CONNECT too, is Nest's own answer to what it does not know.
    Object.keys(route?.methods['connect'] === true ? {} : (route?.methods ?? {})).map((method) => ({
      method: method.toUpperCase(),
      path: (route?.path ?? '').replace(/:\w+/g, 'x').replace(/\{?\*\w+\}?/g, 'x'),
    })),
  );
}
