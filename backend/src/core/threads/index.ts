export { startThread } from './start-thread.js';
export { giveBack } from './give-back.js';
