import { WorkThread } from '../../core/threads/index.js';
import { parseKindConfig } from './parse-kind-config.js';
import { readKubeadmConfig } from './read-kubeadm-config.js';
import { cloneKindConfig, completeKindConfig } from './render-kind-config.js';

const thread = new WorkThread(import.meta.url, 'kind-config-thread');

/** Functions that parse YAML. Large texts are parsed in a worker thread. */
export const kindConfigYaml = {
  cloneKindConfig: thread.forAnySize(cloneKindConfig),
  completeKindConfig: thread.forAnySize(completeKindConfig),
  parseKindConfig: thread.forAnySize(parseKindConfig),
  readKubeadmConfig: thread.forAnySize(readKubeadmConfig),
};
