export { runInThread, type ThreadLimits } from './run-in-thread.js';
export { startThread } from './start-thread.js';
export { giveBack } from './give-back.js';
