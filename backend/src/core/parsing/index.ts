export { jsonValue, parseJson, parseOwnJson } from './json.js';
export {
  anything,
  droppedValues,
  either,
  flag,
  labels,
  list,
  mapOf,
  number,
  prose,
  record,
  required,
  text,
  texts,
  within,
  type Read,
  type Reader,
} from './readers.js';
