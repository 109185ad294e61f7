export { MAX_DEPTH } from './check-document.js';
export { nodeAt, parseAllYaml, parseYaml, toValue, yamlValue } from './parse-yaml.js';
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
  type Tags,
  type ToStringOptions,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
