import { WorkProcess } from '../../../core/work/index.js';
import { diffObjects } from './diff.js';
import { findFieldLines, parseManifests } from './parse-manifests.js';
import * as manifests from './print-manifest.js';

/** YAML functions for input of any size: large input is processed in a work process. */
export const yaml = WorkProcess.forAnySize(import.meta.url, 'resource-yaml-process', {
  diffObjects,
  findFieldLines,
  manifestsWithoutSecrets: manifests.manifestsWithoutSecrets,
  manifestWithoutSecrets: manifests.manifestWithoutSecrets,
  parseManifests,
  printPart: manifests.printPart,
});

export const { manifestsWithoutSecrets } = yaml;
