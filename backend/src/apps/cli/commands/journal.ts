import type { Command } from 'commander';
import { clusterName, timeText, wholeNumber } from '../arguments.js';
import { Cli } from '../cli.js';

const MAX_ENTRIES = 200;

interface Options {
  cluster?: string;
  since?: string;
  limit: number;
}

export function addJournalCommand(program: Command): void {
  program
    .command('journal')
    .description('List what happened, newest first')
    .option('--cluster <name>', 'Only entries of this cluster', clusterName)
    .option('--since <time>', 'Only entries since a time: RFC 3339, or 15m, 2h, 7d ago', timeText)
    .option('--limit <count>', 'Newest entries to list', wholeNumber(1, MAX_ENTRIES), 30)
    .action(async (options: Options, command: Command) => {
      const cli = new Cli(command);
      const page = await cli.dashboard.get('/api/v1/journal/recent', { ...options });
      cli.show(page, () =>
        page.entries.length === 0
          ? 'No entries.\n'
          : cli.table(
              ['time', 'kind', 'cluster', 'outcome', 'actor', 'message'],
              page.entries.map(({ time, kind, cluster, outcome, actor, message }) => [
                time,
                kind,
                cluster ?? '',
                outcome,
                actor?.user ?? '',
                message,
              ]),
            ),
      );
    });
}
