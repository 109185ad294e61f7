import { serveWork } from '../../core/threads/index.js';
import { differenceOf } from './change/difference.js';
import { findFieldLines, parseManifests } from './manifests/parse-manifests.js';
import { manifestsWithoutSecrets, manifestWithoutSecrets } from './manifests/print-manifest.js';

serveWork({ differenceOf, findFieldLines, manifestsWithoutSecrets, manifestWithoutSecrets, parseManifests });
