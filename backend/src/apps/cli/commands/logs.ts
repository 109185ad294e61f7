import type { Command } from 'commander';
import type { LogSourceDto } from '../../../modules/log-sources/index.js';
import { LEVEL_OPTION, levels, timeText, wholeNumber } from '../arguments.js';
import { CliError, EXIT } from '../cli-error.js';
import { Cli } from '../cli.js';
import type { ApiClient } from '../client/api-client.js';
import { followLines, type FollowedLine } from '../logs/follow.js';
import { LineFormat } from '../logs/line-format.js';
import { sourceName } from '../../../core/search/index.js';
import { chooseSources } from '../logs/sources.js';
import { ageOf } from '../output/times.js';

const MAX_TAIL = 10_000;

interface Options {
  follow?: true;
  tail: number;
  since?: string;
  level?: string[];
  timestamps?: true;
  all?: true;
}

export function addLogsCommand(program: Command): void {
  program
    .command('logs')
    .description('Print the logs of sources, or list the sources')
    .argument(
      '[source...]',
      'Pods, workloads, nodes or containers, or the beginning of a name; slipway logs lists them',
    )
    .option('-f, --follow', 'Continue with new lines until Ctrl+C')
    .option('-n, --tail <count>', 'Newest lines to print first', wholeNumber(0, MAX_TAIL), 200)
    .option('--since <time>', 'Only lines since a time: RFC 3339, or 15m, 2h, 7d ago', timeText)
    .option('--level <levels>', LEVEL_OPTION, levels)
    .option('-t, --timestamps', 'Print the time of each line')
    .option('-a, --all', 'List also the sources that no longer exist')
    .action(async (names: string[], options: Options, command: Command) => {
      const cli = new Cli(command);
      if (options.follow && names.length === 0) {
        throw new CliError('A source to follow is missing. List them with: slipway logs', EXIT.usage);
      }
      const api = cli.logBoard;
      const sources = await api.get('/api/sources');
      if (names.length === 0) {
        list(cli, options.all ? sources : sources.filter(({ state }) => state !== 'gone'));
      } else await print(cli, api, chooseSources(sources, names), options);
    });
}

function list(cli: Cli, sources: LogSourceDto[]): void {
  cli.showList(
    sources,
    {
      id: ({ id }) => String(id),
      source: sourceName,
      workload: ({ workload }) => workload ?? '',
      engine: ({ runtime }) => runtime,
      state: ({ state }) => state,
      last: ({ last_time }) => (last_time === null ? '-' : ageOf(last_time)),
      reason: ({ reason }) => reason ?? '',
    },
    'No log sources. They appear when containers run.',
  );
}

async function print(cli: Cli, api: ApiClient, sources: LogSourceDto[], options: Options): Promise<void> {
  const ids = sources.map(({ id }) => id);
  const names = new Map(sources.map((source) => [source.id, sourceName(source)]));
  const format = new LineFormat(ids.length > 1 ? names : new Map(), options.timestamps === true);
  const conditions = {
    sources: ids.join(','),
    from: options.since,
    level: options.level?.join(','),
    limit: options.tail,
  };
  const show = (line: FollowedLine): void => {
    cli.print(cli.isJson ? `${JSON.stringify(line)}\n` : format.format(line));
  };
  if (!options.follow) {
    if (options.tail === 0) return;
    const result = await api.get('/api/search', conditions);
    result.matches.reverse();
    cli.show(result, () => result.matches.map((line) => format.format(line)).join(''));
    return;
  }
  await followLines(api, ids, {
    onStart: async (from) => {
      if (options.tail === 0) return;
      const { matches } = await api.get('/api/search', conditions);
      const earlier = matches.filter(({ source, seq }) => seq < (from.get(source) ?? 0));
      // The fields of lines that follow.
      for (const { source, seq, time, stream, level, text } of earlier.reverse()) {
        show({ source, seq, time, stream, level, text });
      }
    },
    onLine: (line) => {
      if (options.level === undefined || options.level.includes(line.level ?? 'none')) show(line);
    },
    onSkipped: (source, count) => {
      cli.tell(
        `Skipped ${count} lines of ${names.get(source) ?? source}, because they came faster than they were printed.`,
      );
    },
  });
}
