import { serveWork } from '../../core/work/index.js';
import type { kindConfigYaml } from './kind-config-yaml.js';
import { parseKindConfig } from './parse-kind-config.js';
import { readKubeadmConfig } from './read-kubeadm-config.js';
import { cloneKindConfig, completeKindConfig } from './render-kind-config.js';

serveWork<keyof typeof kindConfigYaml>({
  cloneKindConfig,
  completeKindConfig,
  parseKindConfig,
  readKubeadmConfig,
});
