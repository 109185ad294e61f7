import { serveWork } from '../../core/threads/index.js';
import { readKubeadmConfig } from './adoption/read-kubeadm-config.js';
import { clonedConfig } from './clone/port-moves.js';
import { parseKindConfig } from './kind-config/parse-kind-config.js';
import { completeKindConfig } from './kind-config/render-kind-config.js';
import { changeUserKubeconfig, readUserKubeconfig } from './kubeconfig/user-kubeconfig-document.js';

serveWork({
  changeUserKubeconfig,
  clonedConfig,
  completeKindConfig,
  parseKindConfig,
  readKubeadmConfig,
  readUserKubeconfig,
});
