export { MAX_ON_MAIN_THREAD } from './is-large.js';
export { serveWork } from './serve-work.js';
export { WorkProcess } from './work-process.js';
