import type { Response } from 'express';
import type { JobDto, JobReferenceDto, JobWithLogDto } from './job.dto.js';
import type { Job, JobLogLine } from './job.js';

/** A job as the API shows it: without its input, with the names that the contract promises. */
export function presentJob(job: Job): JobDto {
  const { steps, ...rest } = job;
  return { ...rest, progress_steps: steps };
}

export function presentJobWithLog(job: Job, log: JobLogLine[]): JobWithLogDto {
  const { steps, ...rest } = job;
  return { ...rest, progress_steps: steps, progress_log: log };
}

/** Answers a request that is now a job: where to follow it, in the head too. The status, 202, is the route's to say. */
export function accepted(job: Job, response: Response): JobReferenceDto {
  const url = statusUrl(job.id);
  response.location(url);
  return { job_id: job.id, cluster: job.cluster, status_url: url };
}

export function statusUrl(id: number): string {
  return `/api/v1/jobs/${id}`;
}
