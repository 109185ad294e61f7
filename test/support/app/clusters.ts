import type { ClusterDto } from '../../../backend/src/modules/clusters/index.js';
import type { JobWithLogDto } from '../../../backend/src/modules/jobs/job.dto.js';
import type { ApiClient } from './api-client.js';

/** The smallest request that creates a cluster. */
export function wish(name: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { name, workers: 0, node_image_tag: 'v1.34.4', ...more };
}

/** Asks for a cluster. @returns the id of its job. */
export async function requestCluster(
  client: ApiClient,
  name: string,
  more: Record<string, unknown> = {},
): Promise<number> {
  const answer = await client.send('POST', '/api/v1/clusters', { body: wish(name, more) });
  if (answer.status !== 202) throw new Error(`POST /clusters answered ${answer.status}: ${answer.text}`);
  return (answer.body as { job_id: number }).job_id;
}

export async function jobEnded(client: ApiClient, id: number, withinMs?: number): Promise<JobWithLogDto> {
  return await client.until<JobWithLogDto>(
    `/api/v1/jobs/${id}`,
    ({ state }) => state !== 'queued' && state !== 'running',
    withinMs,
  );
}

/** Creates a cluster to its end. @throws Error unless that succeeds. */
export async function createCluster(
  client: ApiClient,
  name: string,
  more: Record<string, unknown> = {},
): Promise<JobWithLogDto> {
  const job = await jobEnded(client, await requestCluster(client, name, more));
  if (job.state !== 'succeeded') throw new Error(`job ${job.id} ${job.state}: ${JSON.stringify(job.error)}`);
  return job;
}

export async function clusterOf(client: ApiClient, name: string): Promise<ClusterDto> {
  return await client.get<ClusterDto>(`/api/v1/clusters/${name}`);
}
