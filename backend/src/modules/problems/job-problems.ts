import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { guarded } from '../../core/errors/index.js';
import { record, word } from '../../core/parsing/index.js';
import {
  isActive,
  JobsService,
  watchedUntil,
  type Job,
  type JobKind,
  type JobProblemDto,
} from '../jobs/index.js';
import type { ProblemDto } from './problem.dto.js';
import { ProblemsService } from './problems.service.js';

const ENDING_KINDS: readonly JobKind[] = ['delete', 'recreate', 'start', 'stop', 'pause', 'unpause'];

const readRelease = record({}, { release: word, namespace: word });

/** Watches what a successful job has installed or created, and adds to the job what does not work. */
@Injectable()
export class JobProblems implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly watched = new Map<number, { job: Job; timer: NodeJS.Timeout }>();
  private readonly subscriptions: Subscription[] = [];

  constructor(
    private readonly jobs: JobsService,
    private readonly problems: ProblemsService,
  ) {}

  onApplicationBootstrap(): void {
    this.subscriptions.push(
      this.jobs.changes.subscribe(({ job }) => this.follow(job)),
      this.problems.changes.subscribe(() => {
        for (const { job } of this.watched.values()) this.note(job);
      }),
    );
  }

  onApplicationShutdown(): void {
    for (const subscription of this.subscriptions) subscription.unsubscribe();
    for (const { timer } of this.watched.values()) clearTimeout(timer);
    this.watched.clear();
  }

  private follow(job: Job): void {
    if (isActive(job.state)) this.endWatches(job);
    const until = watchedUntil(job);
    const left = until === null ? 0 : Date.parse(until) - Date.now();
    if (left <= 0 || this.watched.has(job.id)) return;
    const end = guarded(() => {
      this.note(job);
      this.watched.delete(job.id);
    }, `end the watch of job ${job.id}`);
    this.watched.set(job.id, { job, timer: setTimeout(end, left).unref() });
  }

  /** The state after a stop, pause, deletion or another change of the release is not the result of an earlier job. */
  private endWatches(next: Job): void {
    for (const [id, { job, timer }] of this.watched) {
      if (job.cluster !== next.cluster || job.runtime !== next.runtime) continue;
      if (!ENDING_KINDS.includes(next.kind) && releaseOf(job) !== (releaseOf(next) ?? '')) continue;
      clearTimeout(timer);
      this.watched.delete(id);
    }
  }

  private note(job: Job): void {
    const release = releaseOf(job);
    const found = this.problems
      .known({ name: job.cluster, runtime: job.runtime })
      ?.filter((each) => release === undefined || each.release === release);
    if (found) this.jobs.noteProblems(job.id, found.map(present));
  }
}

function releaseOf({ input }: Job): string | undefined {
  const found = readRelease(input);
  return found && `${found.namespace}/${found.release}`;
}

function present(problem: ProblemDto): JobProblemDto {
  const { group, version, plural, kind, namespace, name, since, code, message, next_step } = problem;
  return { group, version, plural, kind, namespace, name, since, code, message, next_step };
}
