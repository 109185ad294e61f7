import { WorkProcess } from '../../core/work/index.js';
import { parseKindConfig } from './parse-kind-config.js';
import { readKubeadmConfig } from './read-kubeadm-config.js';
import { cloneKindConfig, completeKindConfig } from './render-kind-config.js';

const work = new WorkProcess(import.meta.url, 'kind-config-process');

/** Functions that parse YAML. Large texts are parsed in a work process. */
export const kindConfigYaml = {
  cloneKindConfig: work.forAnySize(cloneKindConfig),
  completeKindConfig: work.forAnySize(completeKindConfig),
  parseKindConfig: work.forAnySize(parseKindConfig),
  readKubeadmConfig: work.forAnySize(readKubeadmConfig),
};
