import type { CancellationDto, JobDto } from '../../../modules/jobs/index.js';
import { ApiError, path, type ApiClient } from '../client/api-client.js';

export const POLL_MS = 250;
/** Beyond the lines of any log: a poll needs none. */
const NO_LOG = 1_000_000_000;

export async function readJob(api: Pick<ApiClient, 'get'>, id: number): Promise<JobDto> {
  return await api.get<JobDto>(path`/api/v1/jobs/${id}`, { log_after: NO_LOG });
}

/** A job that has ended in the meantime needs no cancellation. */
export async function cancelJob(api: Pick<ApiClient, 'send'>, id: number): Promise<void> {
  try {
    await api.send<CancellationDto>('POST', path`/api/v1/jobs/${id}/cancel`);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'job_ended') throw error;
  }
}
