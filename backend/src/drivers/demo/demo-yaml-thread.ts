import { serveWork } from '../../core/threads/index.js';
import { yamlValue } from '../../core/yaml/index.js';
import { draftOf, manifestObjects } from './package-manager/rendering.js';

serveWork({ draftOf, manifestObjects, yamlValue });
