import { serveWork } from '../../core/threads/index.js';
import { changeUserKubeconfig, readUserKubeconfig } from './user-kubeconfig-document.js';

serveWork({ changeUserKubeconfig, readUserKubeconfig });
