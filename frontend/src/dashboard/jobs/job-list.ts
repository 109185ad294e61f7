import type { JobDto } from '../../shared/api/api-types';
import { formatList } from '../../shared/format/format';
import { wordFilter } from '../../shared/format/words';
import { isActive } from '../../shared/live/jobs-store';
import { jobNow } from '../../shared/ui/job-labels';
import type { ShownState } from '../../shared/ui/state-styles';
import { timeLeft } from '../../shared/ui/time-left';
import { brokenWorkloads } from '../resource-model/problem-labels';
import { formatJobTime } from './job-time';

export const JOB_GROUPS = ['all', 'active', 'failed', 'finished'] as const;
export type JobGroup = (typeof JOB_GROUPS)[number];

export interface JobFilter {
  group: JobGroup;
  /** Words in the title, engine, state or id, in any order. */
  text: string;
}

export function readGroup(text: string | null | undefined): JobGroup {
  return JOB_GROUPS.find((group) => group === text) ?? 'all';
}

export function filterJobs(jobs: readonly JobDto[], { group, text }: JobFilter): JobDto[] {
  const fits = wordFilter(text);
  return jobs.filter(
    (job) => belongs(job, group) && fits(`${job.title} ${job.runtime} ${job.state} ${job.id}`),
  );
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
      return hasFailed(job);
    case 'finished':
      return !isActive(job) && !hasFailed(job);
  }
}

function hasFailed({ state }: JobDto): boolean {
  return state === 'failed' || state === 'interrupted';
}

/** Its state; a warning if the outcome is not all that was wanted. */
export function jobMark({ state, warnings, problems }: JobDto): ShownState {
  return state === 'succeeded' && warnings.length + problems.length > 0 ? 'warning' : state;
}

/** The second line of a job in the list: the present step with the time left or the duration, or the outcome. */
export function jobSummary(job: JobDto, now: number): string {
  const [problem, ...more] = job.problems;
  if (problem && more.length > 0) {
    const names = formatList(job.problems.map(({ name }) => name));
    return $localize`Succeeded, but ${brokenWorkloads(more.length + 1)}:problems:: ${names}:names:`;
  }
  if (problem) {
    return $localize`Succeeded, but ${problem.name}:name: does not work: ${problem.message}:reason:`;
  }
  const [warning] = job.warnings;
  if (job.state === 'succeeded' && warning !== undefined) {
    return $localize`Succeeded with a warning: ${warning}:warning:`;
  }
  if (job.state !== 'running' || job.cancelling) return jobNow(job);
  return [stepOf(job), timeLeft(job) || formatJobTime(job, now)].filter(Boolean).join(', ');
}

/** `Starting control-plane, step 5 of 9`. */
function stepOf(job: JobDto): string {
  const { progress_steps } = job;
  const index = progress_steps.findIndex(({ state }) => state === 'running');
  if (index < 0) return jobNow(job);
  const title = progress_steps[index]?.title ?? '';
  return $localize`${title}:title:, step ${index + 1}:step: of ${progress_steps.length}:count:`;
}

/** The lists in a result, such as the resources that a deletion removed. */
export function resultLists(result: JobDto['result']): { name: string; items: string[] }[] {
  return Object.entries(result ?? {}).flatMap(([name, value]) => {
    if (!Array.isArray(value)) return [];
    const items = value.filter((item): item is string => typeof item === 'string');
    return items.length > 0 ? [{ name, items }] : [];
  });
}

/** A long command with one option per line, which a shell accepts too. */
export function unfoldCommand(command: string): string {
  return command.length <= 80 ? command : command.replaceAll(/ (?=--\w)/g, ' \\\n  ');
}
