export {
  kubeconfigContent,
  nameOf,
  parseKubeconfig,
  partsOf,
  singleKubeconfig,
  textOf,
  unusable,
  type ParsedKubeconfig,
} from './kubeconfig-text.js';
export type { Fields, Kubeconfig, NamedItem, Section } from './kubeconfig.schema.js';
