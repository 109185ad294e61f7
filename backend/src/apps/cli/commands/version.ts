import type { Command } from 'commander';
import { readProject } from '../../../core/config/project.js';
import { Cli } from '../cli.js';
import { runningServer } from '../client/server.js';

export function addVersionCommand(program: Command): void {
  program
    .command('version')
    .description('Print the version of this program and of the server that runs here')
    .action((_options: object, command: Command) => {
      const cli = new Cli(command);
      const { version } = readProject();
      const server = runningServer(cli.configuration.values.dataDirectory, 'dashboard')?.version ?? null;
      cli.show(
        { version, node: process.versions.node, server },
        () => `slipway ${version} (Node ${process.versions.node})\nserver  ${server ?? 'not running'}\n`,
      );
    });
}
