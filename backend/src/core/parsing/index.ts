export { jsonValue, parseJson, parseOwnJson } from './json.js';
export * from './readers.js';
