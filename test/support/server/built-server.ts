import { join } from 'node:path';
import { readProject } from '../../../backend/src/core/config/project.js';

/** The output of `nest build`. Run it with Node. */
export const BUILT_SERVER = join(readProject().root, 'dist', 'backend', 'src', 'main.js');
