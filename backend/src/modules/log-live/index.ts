export { LogLiveModule } from './log-live.module.js';
