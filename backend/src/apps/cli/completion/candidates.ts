import type { Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import { sourceName } from '../../../core/search/index.js';

/** Characters that no shell expands or splits at. */
const SAFE = /^[\w./@-]+$/;

/** Completions of the line. @param words of the line after the program; the last one may be incomplete. */
export async function candidatesFor(program: Command, words: readonly string[], cli: Cli): Promise<string[]> {
  const earlier = words.slice(0, -1);
  const word = words.at(-1) ?? '';
  const { command, operands } = commandOf(program, earlier);
  const option = optionWithValue(program, command, earlier.at(-1));
  const argument = command.registeredArguments[operands] ?? command.registeredArguments.at(-1);
  const found = word.startsWith('-')
    ? optionsOf(program, command)
    : option
      ? await valuesOf(option.attributeName(), option.argChoices, cli)
      : [
          ...(operands === 0 ? visibleCommandsOf(command) : []),
          ...(await valuesOf(argument?.name(), argument?.argChoices, cli)),
        ];
  return found.filter((candidate) => candidate.startsWith(word) && SAFE.test(candidate));
}

/** The command that the words name, and the number of arguments after it. */
function commandOf(program: Command, words: readonly string[]): { command: Command; operands: number } {
  let command = program;
  let operands = 0;
  for (const word of words) {
    if (word.startsWith('-')) continue;
    const inner = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (inner) command = inner;
    else operands += 1;
  }
  return { command, operands };
}

function visibleCommandsOf(command: Command): string[] {
  const { commands } = command;
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => commands.includes(one))
    .map((one) => one.name());
}

function optionsOf(program: Command, command: Command): string[] {
  return [...[...command.options, ...program.options].flatMap(({ long }) => long ?? []), '--help'];
}

/** The option before the word, if it needs a value. */
function optionWithValue(program: Command, command: Command, flag: string | undefined): Option | undefined {
  return [...command.options, ...program.options].find(
    ({ short, long, required }) => required && flag !== undefined && (flag === long || flag === short),
  );
}

/** @param name of an argument or option. */
async function valuesOf(
  name: string | undefined,
  choices: string[] | undefined,
  cli: Cli,
): Promise<string[]> {
  if (choices) return choices;
  if (name === 'source') {
    return (await cli.logBoard.get('/api/sources')).filter(({ state }) => state !== 'gone').map(sourceName);
  }
  if (name === 'cluster') {
    return (await cli.dashboard.get('/api/v1/clusters')).map((one) => one.name);
  }
  if (name === 'external') {
    return (await cli.dashboard.get('/api/v1/clusters')).filter((one) => one.external).map((one) => one.name);
  }
  if (name === 'context') {
    const { contexts } = await cli.dashboard.get('/api/v1/external-clusters/contexts');
    return contexts
      .filter((one) => (one.added_as ?? one.own_cluster ?? one.problem) === null)
      .map((one) => one.context);
  }
  return [];
}
