import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * The bundler of Angular's build in the same version, since it bundles the output of that build again.
 */
const fromAngular = createRequire(createRequire(import.meta.url).resolve('@angular/build'));

export const { rolldown, watch } = await import(pathToFileURL(fromAngular.resolve('rolldown')).href);
