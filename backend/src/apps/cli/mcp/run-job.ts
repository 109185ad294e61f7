import { setTimeout as delay } from 'node:timers/promises';
import type { JobDto, JobReferenceDto } from '../../../modules/jobs/index.js';
import { CliError } from '../cli-error.js';
import { jobFailure } from '../jobs/job-failure.js';
import { cancelJob, POLL_MS, readJob } from '../jobs/job-requests.js';
import type { Output } from './output.js';
import type { WriteCall } from './tool.js';

/**
 * The result of a write tool that starts a job. It waits for the job and reports its progress, unless `wait` is false.
 * If the client cancels the request, the job is canceled. If the client ends, the job continues.
 * @throws CliError if the job does not succeed.
 */
export async function runJob(call: WriteCall, reference: JobReferenceDto, wait: boolean): Promise<Output> {
  const { job_id: id } = reference;
  if (!wait) return { job: reference, note: `Job ${id} has started. Follow it with get_job.` };
  let shown = -1;
  let isCanceled = false;
  for (;;) {
    const job = await readJob(call.api, id);
    if (job.finished_at !== null) return endOf(job);
    if (call.signal.aborted && !call.isConnected()) {
      throw new CliError(`The client has ended. Job ${id} continues.`);
    }
    if (call.signal.aborted && !isCanceled) {
      await cancelJob(call.api, id);
      isCanceled = true;
    }
    if (job.progress_percent > shown && !isCanceled) {
      shown = job.progress_percent;
      await call.report(shown, job.progress_step ?? 'Waiting for other jobs');
    }
    await delay(POLL_MS);
  }
}

function endOf(job: JobDto): Output {
  const { id, kind, cluster, title, message, state, warnings, problems, watched_until, result } = job;
  if (state !== 'succeeded') throw jobFailure(job, 'Read its log with get_job.');
  return { job: { id, kind, cluster, title, message, state, warnings, problems, watched_until, result } };
}
