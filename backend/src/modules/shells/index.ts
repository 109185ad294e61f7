export { endProgram } from './end-program.js';
export { endOfSession, printingPid } from './shell-command.js';
export { readPid } from './shell-start.js';
export type { ShellServerMessage } from './shell-messages.js';
export { ShellsModule } from './shells.module.js';
