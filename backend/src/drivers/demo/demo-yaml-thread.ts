import { serveWork } from '../../core/threads/index.js';
import { yamlValue } from '../../core/yaml/index.js';
import { renderRelease, manifestObjects } from './package-manager/rendering.js';

serveWork({ renderRelease, manifestObjects, yamlValue });
