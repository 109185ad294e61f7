export { exactInteger, jsonValue, parseJson, parseOwnJson, withTextForLongIntegers } from './json.js';
export * from './readers.js';
