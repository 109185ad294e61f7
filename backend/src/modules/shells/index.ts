export type { ShellClientMessage, ShellServerMessage } from './shell-messages.js';
export { ShellsModule } from './shells.module.js';
