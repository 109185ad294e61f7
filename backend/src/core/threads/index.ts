export { isAborted } from './is-aborted.js';
export { MAX_ON_MAIN_THREAD } from './is-large.js';
export { KeyedMutex } from './keyed-mutex.js';
export { mapConcurrently } from './map-concurrently.js';
export { serveWork } from './serve-work.js';
export { WorkThread } from './work-thread.js';
