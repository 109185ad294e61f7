import { WorkProcess } from '../../core/work/index.js';
import { changeUserKubeconfig, readUserKubeconfig } from './user-kubeconfig-document.js';

/** Functions that parse kubeconfigs. Large texts are parsed in a work process. */
export const kubeconfigYaml = WorkProcess.forAnySize(import.meta.url, 'kubeconfig-process', {
  changeUserKubeconfig,
  readUserKubeconfig,
});
