import type { JobDto, JobReferenceDto } from '../../../modules/jobs/index.js';
import { CliError } from '../cli-error.js';
import { ApiError, type ApiClient } from '../client/api-client.js';

export const POLL_MS = 250;
/** Beyond the lines of any log: a poll needs none. */
const NO_LOG = 1_000_000_000;

export async function readJob(api: Pick<ApiClient, 'get'>, id: number): Promise<JobDto> {
  return await api.get('/api/v1/jobs/{id}', { id, log_after: NO_LOG });
}

/** A job that has ended in the meantime needs no cancellation. */
export async function cancelJob(api: Pick<ApiClient, 'send'>, id: number): Promise<void> {
  try {
    await api.send('POST /api/v1/jobs/{id}/cancel', { id });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'job_ended') throw error;
  }
}

/** Starts the job that deletes a cluster. */
export async function deleteCluster(
  api: Pick<ApiClient, 'send'>,
  cluster: { name: string; runtime: string | undefined },
): Promise<JobReferenceDto> {
  const started = await api.send('DELETE /api/v1/clusters/{name}', { ...cluster, wait: false });
  if (!('deleted' in started)) return started;
  throw new CliError(`Cluster ${cluster.name} was deleted without a job.`);
}
