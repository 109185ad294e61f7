export { LEVEL_BY_NAME, levelOfName, LEVELS, type Level } from './levels.js';
export { compileCondition, patternTest, requiredTexts } from './line-condition.js';
export { LineConditions } from './line-conditions.js';
export { STREAMS, type LogQuery, type QueriedLine } from './line-query.js';
export { completionsIn, hasRegex, withConditions, withQuery, type NamedSource } from './query-plan.js';
export { escapeRegex, longest, longestFieldWord } from './query-text.js';
export {
  MAX_QUERY,
  openCondition,
  parseQuery,
  printQuery,
  type CompareNode,
  type OpenCondition,
  type QueryNode,
} from './query-language.js';
export { sourceName } from './source-name.js';
export { scopeOfSource, SOURCE_SCOPES, type SourceScope } from './source-scope.js';
