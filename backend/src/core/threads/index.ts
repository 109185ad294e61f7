export { isLarge, MAX_ON_MAIN_THREAD } from './is-large.js';
export { runInThread, type ThreadLimits } from './run-in-thread.js';
export { serveWork } from './serve-work.js';
export { startThread } from './start-thread.js';
export { WorkThread } from './work-thread.js';
export { giveBack } from './give-back.js';
