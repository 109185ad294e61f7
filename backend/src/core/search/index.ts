export {
  MAX_QUERY,
  parseQuery,
  printQuery,
  type CompareNode,
  type ListNode,
  type NotNode,
  type Operator,
  type Pattern,
  type QueryNode,
  type RegexNode,
  type TextNode,
} from './query-language.js';
