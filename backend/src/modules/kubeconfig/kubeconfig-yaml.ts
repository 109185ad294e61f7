import { WorkProcess } from '../../core/work/index.js';
import { changeUserKubeconfig, readUserKubeconfig } from './user-kubeconfig-document.js';

const work = new WorkProcess(import.meta.url, 'kubeconfig-process');

/** Functions that parse kubeconfigs. Large texts are parsed in a work process. */
export const kubeconfigYaml = {
  changeUserKubeconfig: work.forAnySize(changeUserKubeconfig),
  readUserKubeconfig: work.forAnySize(readUserKubeconfig),
};
