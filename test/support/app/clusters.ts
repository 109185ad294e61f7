import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterDto } from '../../../backend/src/modules/clusters/index.js';
import type { JobWithLogDto } from '../../../backend/src/modules/jobs/job.dto.js';
import type { JournalEntry } from '../../../backend/src/modules/journal/index.js';
import type {
  JournalDiffDto,
  JournalEntryWithDiffDto,
} from '../../../backend/src/modules/journal/journal.dto.js';
import type { ApiClient } from './api-client.js';

/** The smallest request that creates a cluster. */
export function clusterSpec(name: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { name, workers: 0, node_image_tag: 'v1.34.4', ...more };
}

/** Requests a cluster. @returns the id of its job. */
export async function requestCluster(
  client: ApiClient,
  name: string,
  more: Record<string, unknown> = {},
): Promise<number> {
  return await submit(client, '/api/v1/clusters', clusterSpec(name, more));
}

/**
 * Follows a job to its end. A busy machine may take its time, as long as the job moves.
 * @param stillMs maximum time without a change.
 * @param see called with each state, including the last.
 */
export async function jobEnded(
  client: ApiClient,
  id: number,
  stillMs = 30_000,
  see: (job: JobWithLogDto) => void = () => undefined,
): Promise<JobWithLogDto> {
  let known = '';
  for (;;) {
    const moved = (now: JobWithLogDto): boolean => JSON.stringify(now) !== known;
    const job = await client.until<JobWithLogDto>(`/api/v1/jobs/${id}`, moved, stillMs);
    see(job);
    if (job.state !== 'queued' && job.state !== 'running') return job;
    known = JSON.stringify(job);
  }
}

/** Waits until a job reaches a step. */
export async function stepRuns(client: ApiClient, id: number, step: string): Promise<void> {
  await client.until<JobWithLogDto>(`/api/v1/jobs/${id}`, ({ progress_steps }) =>
    progress_steps.some(({ name, state }) => name === step && state === 'running'),
  );
}

/** Entries of the journal, newest first. @param query such as `?cluster=c`. */
export async function journalOf(client: ApiClient, query = ''): Promise<JournalEntry[]> {
  return (await client.get<{ entries: JournalEntry[] }>(`/api/v1/journal/recent${query}`)).entries;
}

/** The diff of the last entry of a kind. */
export async function lastDiff(client: ApiClient, kind: string): Promise<JournalDiffDto | null> {
  const [last] = await journalOf(client, `?kind=${kind}`);
  return (await client.get<JournalEntryWithDiffDto>(`/api/v1/journal/${last?.id ?? 0}`)).diff;
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

/** Starts a job. @returns its id. */
export async function submit(client: ApiClient, path: string, body?: unknown): Promise<number> {
  const response = await client.send('POST', path, { body });
  if (response.status !== 202) throw new Error(`POST ${path} returned ${response.status}: ${response.text}`);
  return (response.body as { job_id: number }).job_id;
}

/** Edits the saved config of a cluster. */
export async function editConfig(
  client: ApiClient,
  name: string,
  edit: (text: string) => string,
): Promise<void> {
  const path = `/api/v1/clusters/${name}/config`;
  const before = await client.send('GET', path);
  const headers = { 'content-type': 'application/yaml', 'if-match': before.headers.etag ?? '' };
  const response = await client.send('PUT', path, { text: edit(before.text), headers });
  if (response.status !== 200) throw new Error(`PUT ${path} returned ${response.status}: ${response.text}`);
}

/** Adds a worker to a config's text. */
export function withWorker(text: string): string {
  return text.replace(/(- role: control-plane\n\s+image: (\S+)\n)/, '$1  - role: worker\n    image: $2\n');
}

export async function clusterOf(client: ApiClient, name: string): Promise<ClusterDto> {
  return await client.get<ClusterDto>(`/api/v1/clusters/${name}`);
}

/** The files that the product saved beside the config of a cluster. */
export function savedMeta(dataDirectory: string, name: string): Record<string, unknown> {
  const file = join(dataDirectory, 'clusters', name, 'meta.json');
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}
