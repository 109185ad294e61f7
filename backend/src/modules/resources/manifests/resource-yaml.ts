import { WorkProcess } from '../../../core/work/index.js';
import { diffObjects } from './diff.js';
import { findFieldLines, parseManifests } from './parse-manifests.js';
import * as manifests from './print-manifest.js';

const work = new WorkProcess(import.meta.url, 'resource-yaml-process');

/** YAML functions for input of any size: large input is processed in a work process. */
export const yaml = {
  diffObjects: work.forAnySize(diffObjects),
  findFieldLines: work.forAnySize(findFieldLines),
  manifestsWithoutSecrets: work.forAnySize(manifests.manifestsWithoutSecrets),
  manifestWithoutSecrets: work.forAnySize(manifests.manifestWithoutSecrets),
  parseManifests: work.forAnySize(parseManifests),
  printPart: work.forAnySize(manifests.printPart),
};

export const { manifestsWithoutSecrets } = yaml;
