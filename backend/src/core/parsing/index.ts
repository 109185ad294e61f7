export { jsonValue, parseJson, parseOwnJson, toJson, withTextForLongIntegers } from './json.js';
export * from './readers.js';
