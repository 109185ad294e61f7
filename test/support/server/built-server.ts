import { join } from 'node:path';
import { readProject } from '../../../backend/src/core/config/project.js';

/** The bundled server, which users run. It starts in half the time of its separate files. Run it with Node. */
export const BUILT_SERVER = join(readProject().root, 'dist', 'server', 'main.js');

/** Node's compile cache, for all servers of the tests. */
export const COMPILED = join(readProject().root, '.cache', 'compiled');
