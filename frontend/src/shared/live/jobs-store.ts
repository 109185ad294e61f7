import { computed, effect, inject, Injector, Service } from '@angular/core';
import { Api } from '../api/api';
import { ApiProblem } from '../api/api-problem';
import type { JobDto } from '../api/api-types';
import { LiveValue } from './live-value';

/** All jobs, newest first, without their logs. */
@Service()
export class JobsStore {
  private readonly api = inject(Api);
  private readonly injector = inject(Injector);
  readonly live = new LiveValue<JobDto[]>({
    topics: ['jobs'],
    pollEveryMs: 2000,
    load: (signal) => this.api.get('/api/v1/jobs', {}, signal),
    apply: (value, message) => (message.type === 'job' && value ? withJob(value, message.job) : value),
  });
  readonly jobs = computed(() => this.live.value() ?? []);
  readonly active = computed(() => this.jobs().filter(isActive));
  private readonly byId = computed(() => new Map(this.jobs().map((job) => [job.id, job])));

  get(id: number | null): JobDto | undefined {
    return id === null ? undefined : this.byId().get(id);
  }

  /**
   * Waits for the end of a job, across lost connections.
   * @throws ApiProblem `job_not_found`: it was cleared, or does not exist
   */
  async ending(id: number): Promise<JobDto> {
    const leave = this.live.join();
    // A new job may not be in the list yet.
    await this.live.reload();
    const end = new Promise<JobDto>((resolve, reject) => {
      const watching = effect(
        () => {
          const job = this.get(id);
          if (job ? isActive(job) : this.live.problem() !== null) return;
          watching.destroy();
          if (job) resolve(job);
          else reject(new ApiProblem('job_not_found', $localize`Job ${id}:id: does not exist.`, 404));
        },
        { injector: this.injector },
      );
    });
    return end.finally(leave);
  }
}

export function isActive({ state }: Pick<JobDto, 'state'>): boolean {
  return state === 'queued' || state === 'running';
}

export function withJob(jobs: readonly JobDto[], job: JobDto): JobDto[] {
  const index = jobs.findIndex(({ id }) => id === job.id);
  if (index >= 0) return jobs.map((known, at) => (at === index ? newer(known, job) : known));
  return [...jobs, job].sort((one, other) => other.id - one.id);
}

/** A late message must not restart a job that has ended. */
function newer(known: JobDto, received: JobDto): JobDto {
  return !isActive(known) && isActive(received) ? known : received;
}
