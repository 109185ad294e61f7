import type { JobDto } from '../../shared/api/api-types';
import { formatDuration, formatElapsed } from '../../shared/format/format';
import { isActive } from '../../shared/live/jobs-store';
import { jobNow, jobTitle } from '../../shared/ui/job-labels';

export const JOB_GROUPS = ['all', 'active', 'failed', 'finished'] as const;
export type JobGroup = (typeof JOB_GROUPS)[number];

export interface JobFilter {
  group: JobGroup;
  /** Parts of a name, a kind, an engine or a number, in any order. */
  text: string;
}

/** Whatever an address holds, as a group. */
export function readGroup(text: string | null | undefined): JobGroup {
  return JOB_GROUPS.find((group) => group === text) ?? 'all';
}

export function filterJobs(jobs: readonly JobDto[], { group, text }: JobFilter): JobDto[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  return jobs.filter((job) => {
    if (!belongs(job, group)) return false;
    const words = `${jobTitle(job)} ${job.runtime} ${job.state} ${job.id}`.toLowerCase();
    return wanted.every((part) => words.includes(part));
  });
}

export function countGroups(jobs: readonly JobDto[]): Readonly<Record<JobGroup, number>> {
  const counts = { all: 0, active: 0, failed: 0, finished: 0 };
  for (const job of jobs) {
    for (const group of JOB_GROUPS) if (belongs(job, group)) counts[group] += 1;
  }
  return counts;
}

function belongs(job: JobDto, group: JobGroup): boolean {
  switch (group) {
    case 'all':
      return true;
    case 'active':
      return isActive(job);
    case 'failed':
      return job.state === 'failed' || job.state === 'interrupted';
    case 'finished':
      return !isActive(job);
  }
}

/** How long a job has been at work, or was; null before it began. */
export function jobMilliseconds(job: Pick<JobDto, 'started_at' | 'finished_at'>, now: number): number | null {
  if (job.started_at === null) return null;
  const end = job.finished_at === null ? now : Date.parse(job.finished_at);
  return Math.max(0, end - Date.parse(job.started_at));
}

/** The second line of a job in the list: where it is, or how it ended and how long that took. */
export function jobSummary(job: JobDto, now: number): string {
  const took = jobMilliseconds(job, now);
  const ending = took === null ? '' : ` ${formatDuration(took)}`;
  const at = job.progress_step === null ? '' : ` at ${job.progress_step}`;
  switch (job.state) {
    case 'queued':
      return jobNow(job);
    case 'running':
      if (job.cancelling) return jobNow(job);
      return `${stepOf(job)}${took === null ? '' : `, ${formatElapsed(took)}`}`;
    case 'succeeded':
      return job.warnings.length > 0 ? `Succeeded, but: ${job.warnings[0] ?? ''}` : `Succeeded.${ending}`;
    case 'failed':
      return `Failed${at}.${ending}`;
    case 'cancelled':
      return `Cancelled${at}.${ending}`;
    case 'interrupted':
      return `Interrupted${at} by a restart of Slipway`;
  }
}

/** `Starting control-plane, step 5 of 9`. */
function stepOf(job: JobDto): string {
  const { progress_steps } = job;
  const index = progress_steps.findIndex(({ state }) => state === 'running');
  if (index < 0) return jobNow(job);
  return `${progress_steps[index]?.title ?? ''}, step ${index + 1} of ${progress_steps.length}`;
}

/** What a job brought about, as lists with a name: the parts that a deletion removed, say. */
export function resultLists(result: JobDto['result']): { name: string; items: string[] }[] {
  return Object.entries(result ?? {}).flatMap(([name, value]) => {
    if (!Array.isArray(value)) return [];
    const items = value.filter((item): item is string => typeof item === 'string');
    return items.length > 0 ? [{ name, items }] : [];
  });
}

/** A long command with each option on a line of its own; a shell takes it as it takes the short one. */
export function unfoldCommand(command: string): string {
  return command.length <= 80 ? command : command.replaceAll(/ (?=--\w)/g, ' \\\n  ');
}
