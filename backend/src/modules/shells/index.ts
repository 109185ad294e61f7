export type { ShellServerMessage } from './shell-messages.js';
export { ShellsModule } from './shells.module.js';
