export { LogBoardAuthModule } from './log-board-auth.module.js';
