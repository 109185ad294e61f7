export { LocalUserExemption, NoExemption } from './exemption.js';
export { LogBoardAuthModule } from './log-board-auth.module.js';
export { SessionSockets } from './session-sockets.js';
