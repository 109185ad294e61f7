import type { JobWithLogDto } from '../../../backend/src/modules/jobs/job.dto.js';
import type { JournalPageDto } from '../../../backend/src/modules/journal/journal.dto.js';
import { run } from './engines.js';
import { hasEnded, type Product } from './product.js';

/** Whether a step of a job has started, for `Product.follow`. */
export function stepIs(name: string): (job: JobWithLogDto) => boolean {
  return (job) =>
    hasEnded(job) || job.progress_steps.some((step) => step.name === name && step.state === 'running');
}

/** All processes on the host that create the cluster with kind, or run its containers. */
export async function processesOf(cluster: string): Promise<string[]> {
  const all = await run('ps', ['-eo', 'args']);
  return all.split('\n').filter((line) => /\bkind\b.* create cluster/.test(line) && line.includes(cluster));
}

/** The journal entry of a job that has ended. */
export async function journalEnd(
  product: Product,
  jobId: number,
): Promise<JournalPageDto['entries'][number] | undefined> {
  const { body } = await product.call<JournalPageDto>('GET', '/journal/recent?limit=200');
  return body.entries.find((entry) => entry.job_id === jobId && entry.outcome !== 'started');
}
