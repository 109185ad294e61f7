import { join } from 'node:path';
import { readProject } from '../../../backend/src/core/config/project.js';

/** What `nest build` makes of the backend. Run it with Node. */
export const BUILT_SERVER = join(readProject().root, 'dist', 'backend', 'src', 'main.js');
