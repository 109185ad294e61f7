import { WorkThread } from '../../core/threads/index.js';
import { readKubeadmConfig } from './adoption/read-kubeadm-config.js';
import { clonedConfig } from './clone/port-moves.js';
import { parseKindConfig } from './kind-config/parse-kind-config.js';
import { completeKindConfig } from './kind-config/render-kind-config.js';
import { changeUserKubeconfig, readUserKubeconfig } from './kubeconfig/user-kubeconfig-document.js';

const thread = new WorkThread(import.meta.url, 'cluster-yaml-thread');

/** Everything in clusters that parses YAML, for texts of any size: large ones are parsed in a thread. */
export const yaml = {
  changeUserKubeconfig: thread.forAnySize(changeUserKubeconfig),
  clonedConfig: thread.forAnySize(clonedConfig),
  completeKindConfig: thread.forAnySize(completeKindConfig),
  parseKindConfig: thread.forAnySize(parseKindConfig),
  readKubeadmConfig: thread.forAnySize(readKubeadmConfig),
  readUserKubeconfig: thread.forAnySize(readUserKubeconfig),
};

/** For other modules, which read what was saved. */
export const readKindConfig = yaml.parseKindConfig;
