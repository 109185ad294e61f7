import { parseKubeconfig, type ParsedKubeconfig } from '../../core/kubeconfig/index.js';
import { WorkProcess } from '../../core/work/index.js';

function kubeconfigContent(text: string): ParsedKubeconfig['content'] {
  return parseKubeconfig(text).content;
}

/** Kubeconfigs of more than two clusters are larger than what the main thread parses. */
export const contextsYaml = WorkProcess.forAnySize(import.meta.url, 'contexts-process', {
  kubeconfigContent,
});
