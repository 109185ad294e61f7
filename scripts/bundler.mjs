import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * The bundler that Angular's build brings, in its version: what it has packed is packed anew, so the two must agree on
 * what a script means.
 */
const fromAngular = createRequire(createRequire(import.meta.url).resolve('@angular/build'));

export const { rolldown } = await import(pathToFileURL(fromAngular.resolve('rolldown')).href);
