export {
  kubeconfigContent,
  nameOf,
  parseKubeconfig,
  partsOf,
  textOf,
  unusable,
  type ParsedKubeconfig,
} from './kubeconfig-text.js';
export type { Fields, Kubeconfig, NamedItem, Section } from './kubeconfig.schema.js';
