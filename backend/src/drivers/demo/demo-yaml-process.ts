import { serveWork } from '../../core/work/index.js';
import type { yaml } from './demo-yaml.js';
import { yamlValue } from '../../core/yaml/index.js';
import { renderRelease, manifestObjects } from './package-manager/rendering.js';

serveWork<keyof typeof yaml>({ renderRelease, manifestObjects, yamlValue });
