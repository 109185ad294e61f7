import { kubeconfigContent } from '../../core/kubeconfig/index.js';
import { WorkProcess } from '../../core/work/index.js';

/** Large kubeconfigs are parsed in a work process. */
export const contextYaml = WorkProcess.forAnySize(import.meta.url, 'context-process', { kubeconfigContent });
