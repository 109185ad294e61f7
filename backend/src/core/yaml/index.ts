export { MAX_DEPTH } from './check-document.js';
export { editYaml, withEdit, type Edit } from './edit-yaml.js';
export { goBoolean, goInteger, goText, goValue } from './go-scalar.js';
export { parseGoYaml } from './go-syntax.js';
export { kubernetesYaml } from './kubernetes-yaml.js';
export { nodeAt, parseAllYaml, parseYaml, toValue, yamlValue } from './parse-yaml.js';
export { stringify } from './print-yaml.js';
export {
  Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  visit,
  type Node,
  type Scalar,
  type YAMLMap,
} from 'yaml';
