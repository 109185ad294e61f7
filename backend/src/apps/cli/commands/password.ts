import type { Command } from 'commander';
import { Cli } from '../cli.js';

export function addPasswordCommand(program: Command): void {
  program
    .command('password')
    .description('Replace a lost password. It takes effect at the next start')
    .action(renew);
  program.command('new-password', { hidden: true }).action(renew);
}

async function renew(_options: object, command: Command): Promise<void> {
  const { renewPassword } = await import('../../new-password.js');
  process.exitCode = await renewPassword(new Cli(command).configuration);
}
