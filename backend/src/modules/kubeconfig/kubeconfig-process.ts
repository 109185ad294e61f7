import { serveWork } from '../../core/work/index.js';
import type { kubeconfigYaml } from './kubeconfig-yaml.js';
import { changeUserKubeconfig, readUserKubeconfig } from './user-kubeconfig-document.js';

serveWork<keyof typeof kubeconfigYaml>({ changeUserKubeconfig, readUserKubeconfig });
