import { WorkThread } from '../../core/threads/index.js';
import { changeUserKubeconfig, readUserKubeconfig } from './user-kubeconfig-document.js';

const thread = new WorkThread(import.meta.url, 'kubeconfig-thread');

/** Functions that parse kubeconfigs. Large texts are parsed in a worker thread. */
export const kubeconfigYaml = {
  changeUserKubeconfig: thread.forAnySize(changeUserKubeconfig),
  readUserKubeconfig: thread.forAnySize(readUserKubeconfig),
};
