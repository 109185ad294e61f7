export type { ClientMessage, ServerMessage } from './socket-messages.js';
export { LogLiveModule } from './log-live.module.js';
