import { serveWork } from '../../../core/work/index.js';
import type { yaml } from './resource-yaml.js';
import { diffObjects } from './diff.js';
import { findFieldLines, parseManifests } from './parse-manifests.js';
import { manifestsWithoutSecrets, manifestWithoutSecrets, printPart } from './print-manifest.js';

serveWork<keyof typeof yaml>({
  diffObjects,
  findFieldLines,
  manifestsWithoutSecrets,
  manifestWithoutSecrets,
  parseManifests,
  printPart,
});
