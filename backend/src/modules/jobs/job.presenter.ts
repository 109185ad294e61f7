import type { Response } from 'express';
import { basePathOf } from '../../core/security/index.js';
import type { JobDto, JobReferenceDto, JobWithLogDto } from './job.dto.js';
import { watchedUntil, type Job, type JobLogLine } from './job.js';

export function presentJob(job: Job): JobDto {
  const { steps, ...rest } = job;
  return { ...rest, progress_steps: steps, watched_until: watchedUntil(job) };
}

export function presentJobWithLog(job: Job, log: JobLogLine[]): JobWithLogDto {
  return { ...presentJob(job), progress_log: log };
}

/** The response to a request that submitted a job, with its URL in the `Location` header. The route sets status 202. */
export function accepted(job: Job, response: Response): JobReferenceDto {
  const url = `${basePathOf(response.req)}/api/v1/jobs/${job.id}`;
  response.location(url);
  return { job_id: job.id, cluster: job.cluster, status_url: url };
}
