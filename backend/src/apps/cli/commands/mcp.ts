import type { Command } from 'commander';
import { Cli } from '../cli.js';

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('Serve the Model Context Protocol on standard input and output, for AI assistants')
    .option('--write', 'Also offer tools that change clusters')
    .action(async ({ write }: { write?: true }, command: Command) => {
      // On demand: other commands do not need the SDK.
      const { serveMcp } = await import('../mcp/server.js');
      await serveMcp(new Cli(command), write === true);
    });
}
