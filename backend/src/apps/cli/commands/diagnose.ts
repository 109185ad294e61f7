import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { pathFailure } from '../../../core/errors/storage-failure.js';
import { CliError } from '../cli-error.js';
import { Cli } from '../cli.js';

export function addDiagnoseCommand(program: Command): void {
  program
    .command('diagnose')
    .description('Check whether this machine can run clusters')
    .option('--bundle <file>', 'Save a support bundle (.tar.gz) instead. It contains no secrets')
    .action(async ({ bundle }: { bundle?: string }, command: Command) => {
      const cli = new Cli(command);
      if (bundle !== undefined) await saveBundle(cli, bundle);
      else await diagnose(cli);
    });
}

/** @throws CliError if a problem prevents clusters. */
async function diagnose(cli: Cli): Promise<void> {
  const found = await cli.dashboard.get('/api/v1/diagnostics');
  cli.show(found, () =>
    [
      cli.table(
        ['level', 'check', 'result'],
        found.checks.map(({ level, title, message }) => [level, title, message]),
      ),
      ...found.checks.map(({ title, fix }) => (fix === null ? '' : `Fix of ${title}: ${fix}\n`)),
    ].join(''),
  );
  if (!found.ready) throw new CliError('Clusters cannot be created yet. Fix the problems above.');
}

async function saveBundle(cli: Cli, file: string): Promise<void> {
  const body = await cli.dashboard.stream('/api/v1/diagnostics/bundle');
  try {
    await pipeline(body, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    throw new CliError(`Could not save the support bundle as ${file}: ${pathFailure(error)}.`);
  }
  cli.tell(`Saved the support bundle as ${file}. Read it before you share it.`);
}
