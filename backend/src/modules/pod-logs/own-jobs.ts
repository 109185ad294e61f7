import type { ResourceApi, TypeName } from '../../drivers/kubernetes/index.js';

const JOBS: TypeName = { group: 'batch', version: 'v1', plural: 'jobs' };
const MAX_JOBS = 1000;
/** Behind the name of the CronJob, a Job has its scheduled time in minutes since 1970. */
const RUN = /^Job\/(.+)-\d{8,10}$/;

/** Which Jobs of a namespace belong to the requested workloads, because their CronJob is one of them. */
export class OwnJobs {
  /** The CronJob of each Job, null without one. */
  private readonly owners = new Map<string, string | null>();

  /** @param workloads kinds and names: `CronJob/nightly` */
  constructor(
    private readonly workloads: ReadonlySet<string>,
    private readonly namespace: string,
  ) {}

  /** @param workload `Job/nightly-29401000`. A deleted Job is known by its name. */
  has(workload: string): boolean {
    const owner = this.owners.get(workload);
    const cronJob = owner === undefined ? RUN.exec(workload)?.[1] : owner;
    return this.workloads.has(workload) || this.workloads.has(`CronJob/${cronJob ?? ''}`);
  }

  /** Whether the owner of a Job must be looked up. */
  isUnknown(workload: string): boolean {
    const hasCronJob = [...this.workloads].some((each) => each.startsWith('CronJob/'));
    return hasCronJob && workload.startsWith('Job/') && !this.owners.has(workload);
  }

  async lookUp(api: Pick<ResourceApi, 'list'>, jobs: Iterable<string>): Promise<void> {
    for (const { metadata } of await api.list(JOBS, { namespace: this.namespace, limit: MAX_JOBS })) {
      const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'CronJob');
      this.owners.set(`Job/${metadata.name}`, owner?.name ?? null);
    }
    // Deleted meanwhile: their names are all that is known.
    for (const job of jobs) {
      if (!this.owners.has(job)) this.owners.set(job, RUN.exec(job)?.[1] ?? null);
    }
  }
}
