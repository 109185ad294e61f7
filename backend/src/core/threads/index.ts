export { isAborted } from './is-aborted.js';
export { KeyedMutex } from './keyed-mutex.js';
export { mapConcurrently } from './map-concurrently.js';
