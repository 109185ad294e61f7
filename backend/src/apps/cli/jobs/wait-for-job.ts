import { counted } from '../../../core/values/index.js';
import type { JobDto, JobReferenceDto } from '../../../modules/jobs/index.js';
import { CliError, EXIT } from '../cli-error.js';
import type { Cli } from '../cli.js';
import type { ApiClient } from '../client/api-client.js';
import { tableOfProblems } from '../commands/problems.js';
import { Progress } from '../output/progress.js';
import { ask, canAsk } from '../output/prompt.js';
import { durationOf } from '../output/times.js';
import { jobFailure } from './job-failure.js';
import { Interrupts } from './interrupts.js';
import { cancelJob, POLL_MS, readJob } from './job-requests.js';

export interface WaitOptions {
  wait: boolean;
  /** Also wait until Slipway has watched what the job installed or created. */
  waitHealthy?: boolean;
}

/**
 * Waits for a job that the command has started, and prints its result.
 * @param given without `wait`, it only prints the reference to the job.
 * @throws CliError if the job does not succeed.
 */
export async function finishJob(
  cli: Cli,
  reference: JobReferenceDto,
  { wait, waitHealthy }: WaitOptions,
): Promise<void> {
  const { job_id: id } = reference;
  if (wait || waitHealthy) await showEndOf(cli, id, waitHealthy === true);
  else cli.show(reference, () => `Started job ${id}. ${howToFollow(id)}\n`);
}

/**
 * Waits for a job and prints it.
 * @param waitHealthy whether to wait until Slipway has watched what the job installed or created
 * @throws CliError if the job does not succeed, or if something does not work then.
 */
export async function showEndOf(cli: Cli, id: number, waitHealthy = false): Promise<void> {
  const job = await waitForJob(cli, cli.dashboard, id, waitHealthy);
  for (const warning of job.warnings) cli.tell(`Warning: ${warning}`);
  if (cli.isJson) cli.show(job, () => '');
  if (job.state === 'succeeded') {
    if (!cli.isJson) cli.print(`Job ${id} succeeded${tookOf(job)}. ${job.message ?? ''}\n`);
    if (!cli.isJson && job.problems.length > 0) cli.print(`\n${tableOfProblems(cli, job.problems)}`);
    if (waitHealthy && job.problems.length > 0) {
      throw new CliError(
        `${counted(job.problems.length, 'problem')} after job ${id}. Show what to do with: slipway problems ${job.cluster}`,
      );
    }
    return;
  }
  throw jobFailure(job, `Show its log with: slipway jobs ${id}`);
}

/**
 * Waits for the end of a job, and shows its progress. On Ctrl+C, the user decides about canceling it; a second
 * one stops waiting.
 * Without a terminal, SIGINT and SIGTERM cancel it.
 */
async function waitForJob(cli: Cli, api: ApiClient, id: number, waitHealthy: boolean): Promise<JobDto> {
  const progress = new Progress(process.stderr);
  const interrupts = new Interrupts();
  let isCanceled = false;
  try {
    for (;;) {
      const job = await readJob(api, id);
      const isWatched = waitHealthy && Date.now() < Date.parse(job.watched_until ?? '');
      if (job.finished_at !== null && !isWatched) return job;
      progress.update(job);
      const signal = await interrupts.next(POLL_MS);
      if (signal === undefined) continue;
      progress.clear();
      if (isCanceled || !(await isToCancel(id, signal, interrupts))) throw detached(id);
      cli.tell(`Canceling job ${id}. Slipway undoes what it has done.`);
      await cancelJob(api, id);
      isCanceled = true;
    }
  } finally {
    progress.clear();
    interrupts.end();
  }
}

async function isToCancel(id: number, signal: NodeJS.Signals, interrupts: Interrupts): Promise<boolean> {
  if (signal === 'SIGTERM' || !canAsk()) return true;
  const answer = await interrupts.race(async (stop) => await ask(`Cancel job ${id}?`, stop));
  return answer ?? false;
}

function detached(id: number): CliError {
  return new CliError(`\nJob ${id} continues. ${howToFollow(id)}`, EXIT.canceled);
}

function howToFollow(id: number): string {
  return `Wait for it with: slipway jobs ${id} --wait`;
}

function tookOf({ started_at, finished_at }: JobDto): string {
  if (started_at === null || finished_at === null) return '';
  return ` in ${durationOf(Date.parse(finished_at) - Date.parse(started_at))}`;
}
