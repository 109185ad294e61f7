export {
  MAX_QUERY,
  openCondition,
  parseQuery,
  printQuery,
  type CompareNode,
  type OpenCondition,
  type Operator,
  type Pattern,
  type QueryNode,
  type RegexNode,
  type TextNode,
} from './query-language.js';
export { sourceName } from './source-name.js';
export { scopeOfSource, SOURCE_SCOPES, type SourceScope } from './source-scope.js';
