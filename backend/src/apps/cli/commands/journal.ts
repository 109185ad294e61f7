import type { Command } from 'commander';
import type { JournalPageDto } from '../../../modules/journal/index.js';
import { clusterName, wholeNumber } from '../arguments.js';
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
    .option('--since <time>', 'Only entries from this time on (RFC 3339)')
    .option('--limit <count>', 'Newest entries to list', wholeNumber(1, MAX_ENTRIES), 30)
    .action(async (options: Options, command: Command) => {
      const cli = new Cli(command);
      const page = await cli.dashboard.get<JournalPageDto>('/api/v1/journal/recent', { ...options });
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
