export {
  isMap,
  lineOf,
  overlay,
  parseValues,
  valuesRefused,
  type Values,
  type ValuesProblem,
} from './parse-values.js';
