import type { Command } from 'commander';
import type { JobWithLogDto } from '../../../modules/jobs/index.js';
import { jobId, waitHealthyOption } from '../arguments.js';
import { CliError, EXIT } from '../cli-error.js';
import { Cli } from '../cli.js';
import { tableOfProblems } from './problems.js';
import { showEndOf } from '../jobs/wait-for-job.js';
import { ageOf } from '../output/times.js';

interface Options {
  cancel?: true;
  wait?: true;
  waitHealthy?: boolean;
}

export function addJobsCommand(program: Command): void {
  program
    .command('jobs')
    .description('List jobs, or show one with its log')
    .argument('[id]', 'Number of a job', jobId)
    .option('--wait', 'Wait for the job and show its progress')
    .addOption(waitHealthyOption())
    .option('--cancel', 'Cancel the job, and wait until it is undone')
    .action(async (id: number | undefined, options: Options, command: Command) => {
      const cli = new Cli(command);
      if (id !== undefined) await one(cli, id, options);
      else if (options.cancel || options.wait || options.waitHealthy) {
        throw new CliError('The number of the job is missing.', EXIT.usage);
      } else await list(cli);
    });
}

async function list(cli: Cli): Promise<void> {
  cli.showList(
    await cli.dashboard.get('/api/v1/jobs'),
    {
      id: ({ id }) => String(id),
      kind: ({ kind }) => kind,
      cluster: ({ cluster }) => cluster,
      engine: ({ runtime }) => runtime,
      state: ({ state, cancelling }) => (cancelling ? 'canceling' : state),
      progress: ({ progress_percent }) => `${Math.floor(progress_percent)} %`,
      age: ({ created_at }) => ageOf(created_at),
      step: ({ progress_step, message }) => message ?? progress_step ?? '',
    },
    'No jobs.',
  );
}

async function one(cli: Cli, id: number, { cancel, wait, waitHealthy = false }: Options): Promise<void> {
  if (cancel) {
    await cli.dashboard.send('POST /api/v1/jobs/{id}/cancel', { id });
    await showEndOf(cli, id).catch((error: unknown) => {
      // Being canceled is what the user asked for.
      if (!(error instanceof CliError) || error.status !== EXIT.canceled) throw error;
      cli.tell(error.message);
    });
    return;
  }
  if (wait || waitHealthy) {
    await showEndOf(cli, id, waitHealthy);
    return;
  }
  const job = await cli.dashboard.get('/api/v1/jobs/{id}', { id });
  cli.show(job, () => describe(cli, job));
}

function describe(cli: Cli, job: JobWithLogDto): string {
  const { id, title, runtime, state, progress_percent, error, warnings, problems, progress_log } = job;
  return [
    `Job ${id}: ${title} (${runtime}), ${state}, ${Math.floor(progress_percent)} %`,
    ...progress_log.map(({ time, text }) => `${time}  ${text}`),
    ...warnings.map((warning) => `Warning: ${warning}`),
    ...(error ? [`Error: ${error.message}`] : []),
    ...(problems.length === 0 ? [] : ['', tableOfProblems(cli, problems).trimEnd()]),
    '',
  ].join('\n');
}
