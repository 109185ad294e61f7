export {
  nameOf,
  parseKubeconfig,
  partsOf,
  textOf,
  unusable,
  type ParsedKubeconfig,
} from './kubeconfig-text.js';
export type { Fields, NamedItem, Section } from './kubeconfig.schema.js';
