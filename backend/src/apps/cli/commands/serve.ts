import { Argument, type Command } from 'commander';
import type { ApplicationName } from '../../core.module.js';
import { Cli } from '../cli.js';

const APPLICATIONS: readonly ApplicationName[] = ['dashboard', 'log-board'];

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('Run Slipway until Ctrl+C (the default command)')
    .addArgument(new Argument('[application]', 'Run only this one').choices(APPLICATIONS))
    .action(async (application: ApplicationName | undefined, _options, command: Command) => {
      await serve(command, application === undefined ? APPLICATIONS : [application]);
    });
  // As before there were commands.
  for (const application of APPLICATIONS) {
    program
      .command(application, { hidden: true })
      .action(async (_options, command: Command) => await serve(command, [application]));
  }
}

async function serve(command: Command, applications: readonly ApplicationName[]): Promise<void> {
  const { configuration } = new Cli(command);
  const { start } = await import('../../start.js');
  process.exitCode = await start(configuration, applications);
}
