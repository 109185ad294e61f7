import { Argument, type Command } from 'commander';
import { Cli } from '../cli.js';
import { candidatesFor } from '../completion/candidates.js';
import { COMPLETE, SCRIPTS } from '../completion/scripts.js';

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('Print the completion script of a shell; its first line says how to load it')
    .addArgument(new Argument('<shell>').choices(Object.keys(SCRIPTS)))
    .action((shell: keyof typeof SCRIPTS, _options: object, command: Command) =>
      new Cli(command).print(SCRIPTS[shell]),
    );
  program
    .command(COMPLETE, { hidden: true })
    .argument('[words...]')
    .action(async (words: string[], _options: object, command: Command) => {
      const cli = new Cli(command);
      // Without a server there are no names to complete.
      const candidates = await candidatesFor(program, words, cli).catch(() => []);
      cli.print(candidates.map((candidate) => `${candidate}\n`).join(''));
    });
}
