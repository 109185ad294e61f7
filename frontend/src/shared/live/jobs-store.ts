import { computed, inject, Service } from '@angular/core';
import { Api } from '../api/api';
import type { JobDto } from '../api/api-types';
import { LiveValue } from './live-value';

/** All jobs, newest first, without their logs. */
@Service()
export class JobsStore {
  private readonly api = inject(Api);
  readonly live = new LiveValue<JobDto[]>({
    topics: ['jobs'],
    pollEveryMs: 2000,
    load: () => this.api.jobs(),
    apply: (value, message) => (message.type === 'job' && value ? withJob(value, message.job) : value),
  });
  readonly jobs = computed(() => this.live.value() ?? []);
  readonly active = computed(() => this.jobs().filter(isActive));
  private readonly byId = computed(() => new Map(this.jobs().map((job) => [job.id, job])));

  get(id: number | null): JobDto | undefined {
    return id === null ? undefined : this.byId().get(id);
  }
}

export function isActive({ state }: Pick<JobDto, 'state'>): boolean {
  return state === 'queued' || state === 'running';
}

/** The list with this job in its place: newest first. */
export function withJob(jobs: readonly JobDto[], job: JobDto): JobDto[] {
  const index = jobs.findIndex(({ id }) => id === job.id);
  if (index >= 0) return jobs.map((known, at) => (at === index ? newer(known, job) : known));
  return [...jobs, job].sort((one, other) => other.id - one.id);
}

/** A job that ended does not run again: a late message must not wake it. */
function newer(known: JobDto, told: JobDto): JobDto {
  return !isActive(known) && isActive(told) ? known : told;
}
