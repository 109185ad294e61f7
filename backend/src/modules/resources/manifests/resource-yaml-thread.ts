import { serveWork } from '../../../core/threads/index.js';
import { diffObjects } from './diff.js';
import { findFieldLines, parseManifests } from './parse-manifests.js';
import { manifestsWithoutSecrets, manifestWithoutSecrets } from './print-manifest.js';

serveWork({ diffObjects, findFieldLines, manifestsWithoutSecrets, manifestWithoutSecrets, parseManifests });
