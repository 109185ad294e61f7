export {
  lineOf,
  overlay,
  parseValues,
  valuesRefused,
  type Values,
  type ValuesProblem,
} from './parse-values.js';
