import { serveWork } from '../../core/threads/index.js';
import { diffObjects } from './change/diff.js';
import { findFieldLines, parseManifests } from './manifests/parse-manifests.js';
import { manifestsWithoutSecrets, manifestWithoutSecrets } from './manifests/print-manifest.js';

serveWork({ diffObjects, findFieldLines, manifestsWithoutSecrets, manifestWithoutSecrets, parseManifests });
