import { WorkProcess } from '../../core/work/index.js';
import { cgroupNeedsOf } from './cgroup-needs.js';
import { impedimentsOf } from './impediments.js';
import { parseKindConfig } from './parse-kind-config.js';
import { readKubeadmConfig } from './read-kubeadm-config.js';
import { cloneKindConfig, completeKindConfig } from './render-kind-config.js';

/** Functions that parse YAML. Large texts are parsed in a work process. */
export const kindConfigYaml = WorkProcess.forAnySize(import.meta.url, 'kind-config-process', {
  cgroupNeedsOf,
  cloneKindConfig,
  completeKindConfig,
  impedimentsOf,
  parseKindConfig,
  readKubeadmConfig,
});
