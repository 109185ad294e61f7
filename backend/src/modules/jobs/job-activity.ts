import { Injectable } from '@nestjs/common';
import { OwnChanges, OwnJobs } from '../journal/index.js';
import { isActive } from './job.js';
import { JobStore } from './job.store.js';
import { JobsService } from './jobs.service.js';

/** Tells the journal which changes of clusters jobs cause. */
@Injectable()
export class JobActivity extends OwnJobs {
  /** Time of the last change of a job, by engine and cluster, and the same by `performance.now`. */
  private readonly lastChanges = new Map<string, { at: number; counted: number }>();
  /** The last job that has ended, by engine and cluster. */
  private readonly lastEnded = new Map<string, number>();

  constructor(
    private readonly jobs: JobsService,
    private readonly store: JobStore,
    own: OwnChanges,
  ) {
    super();
    own.register(this);
    jobs.changes.subscribe(({ job }) => {
      const key = `${job.runtime}/${job.cluster}`;
      // Problems are added to a job that has ended.
      if (this.lastEnded.get(key) === job.id) return;
      this.lastChanges.set(key, { at: Date.now(), counted: performance.now() });
      if (!isActive(job.state)) this.lastEnded.set(key, job.id);
      if (!isActive(job.state)) own.ended.next(job.runtime);
    });
  }

  override lastWorkedOn(cluster: string, runtime: string): number | undefined {
    if (this.jobs.activeOf(cluster, runtime)) return Infinity;
    const changed = this.lastChanges.get(`${runtime}/${cluster}`);
    // Not later than that time ago, if the clock was set back.
    if (changed) return Math.min(changed.at, Date.now() - (performance.now() - changed.counted));
    // Of an earlier run.
    const last = this.store.list().find((job) => job.cluster === cluster && job.runtime === runtime);
    return last?.finished_at ? Date.parse(last.finished_at) : undefined;
  }
}
