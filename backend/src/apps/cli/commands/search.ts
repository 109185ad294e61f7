import type { Command } from 'commander';
import { LEVEL_OPTION, levels, timeText, wholeNumber } from '../arguments.js';
import { CliError } from '../cli-error.js';
import { Cli } from '../cli.js';
import { LineFormat } from '../logs/line-format.js';
import { sourceName } from '../../../core/search/index.js';
import { chooseSources } from '../logs/sources.js';

const MAX_MATCHES = 10_000;

interface Options {
  since?: string;
  until?: string;
  source?: string[];
  level?: string[];
  regex?: true;
  case?: true;
  limit: number;
}

export function addSearchCommand(program: Command): void {
  program
    .command('search')
    .description('Search the stored log lines')
    .argument('<query>', 'Conditions, such as: timeout -healthz level:error status>=500')
    .option('--since <time>', 'Start: RFC 3339, or 15m, 2h, 7d ago', timeText)
    .option('--until <time>', 'End, in the same formats', timeText)
    .option(
      '--source <source>',
      'Only this source, by its name in slipway logs. Repeat it for several',
      (source: string, earlier: string[] | undefined) => [...(earlier ?? []), source],
    )
    .option('--level <levels>', LEVEL_OPTION, levels)
    .option('--regex', 'The whole query is one JavaScript regular expression')
    .option('--case', 'Match the case')
    .option('--limit <count>', 'Newest matches to print', wholeNumber(1, MAX_MATCHES), 500)
    .action(search);
}

async function search(query: string, options: Options, command: Command): Promise<void> {
  const cli = new Cli(command);
  const api = cli.logBoard;
  const sources = await api.get('/api/sources');
  const { source, since, until, level, regex, limit } = options;
  const result = await api.get('/api/search', {
    ...(regex ? { q: query } : { query }),
    sources:
      source &&
      chooseSources(sources, source)
        .map(({ id }) => id)
        .join(','),
    from: since,
    to: until,
    level: level?.join(','),
    regex,
    case: options.case,
    limit,
  });
  const format = new LineFormat(new Map(sources.map((one) => [one.id, sourceName(one)])), true);
  result.matches.reverse();
  cli.show(result, () => result.matches.map((line) => format.format(line)).join(''));
  if (result.reason === 'limit') cli.tell('There may be older matches. Find more with a higher --limit.');
  if (result.reason === 'timeout') {
    throw new CliError(
      'The result is incomplete: the regular expression took too long. Make it simpler, or search a shorter time.',
    );
  }
}
