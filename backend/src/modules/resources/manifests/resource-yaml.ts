import { WorkThread } from '../../../core/threads/index.js';
import { diffObjects } from './diff.js';
import { findFieldLines, parseManifests } from './parse-manifests.js';
import * as manifests from './print-manifest.js';

const thread = new WorkThread(import.meta.url, 'resource-yaml-thread');

/** YAML functions for input of any size: large input is processed in a thread. */
export const yaml = {
  diffObjects: thread.forAnySize(diffObjects),
  findFieldLines: thread.forAnySize(findFieldLines),
  manifestsWithoutSecrets: thread.forAnySize(manifests.manifestsWithoutSecrets),
  manifestWithoutSecrets: thread.forAnySize(manifests.manifestWithoutSecrets),
  parseManifests: thread.forAnySize(parseManifests),
  printPart: thread.forAnySize(manifests.printPart),
};

export const { manifestsWithoutSecrets } = yaml;
