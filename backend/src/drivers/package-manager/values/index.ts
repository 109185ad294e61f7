export { lineOf, overlay, parseValues, valuesRefused, type Values } from './parse-values.js';
