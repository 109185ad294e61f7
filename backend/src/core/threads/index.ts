export { isLarge, MAX_ON_MAIN_THREAD } from './is-large.js';
export { KeyedMutex } from './keyed-mutex.js';
export { serveWork } from './serve-work.js';
export { startThread } from './start-thread.js';
export { WorkThread, type ThreadLimits } from './work-thread.js';
