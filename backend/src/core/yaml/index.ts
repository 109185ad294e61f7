export { MAX_DEPTH } from './check-document.js';
export { editYaml, withEdit, type Edit } from './edit-yaml.js';
export { goBoolean, goInteger, goText, goValue } from './go-scalar.js';
export { findTab } from './find-tab.js';
export {
  hasContent,
  nodeAt,
  parseAllYaml,
  parseFirstYaml,
  parseYaml,
  toValue,
  yamlValue,
} from './parse-yaml.js';
export {
  Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  stringify,
  visit,
  type Node,
  type Scalar,
  type Tags,
  type YAMLMap,
} from 'yaml';
