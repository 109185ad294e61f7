import type { ClusterState } from '../cluster-state.js';
import type { Removal } from '../removal.js';
import type { ApiObject, CronJob, Job } from '../shapes.js';
import { wholeSeconds } from '../timeline.js';
import { ownerReference, type Controller } from './controller.js';
import { cronTimes } from './cron-schedule.js';

/** Makes Jobs by the clock. */
export class CronJobs implements Controller {
  readonly type = 'cronjobs.batch';
  /** The schedule that is waited for, by the cron job's uid. */
  private readonly planned = new Map<string, string>();

  constructor(
    private readonly state: ClusterState,
    private readonly removal: Removal,
  ) {}

  removed({ metadata }: ApiObject): void {
    this.planned.delete(metadata.uid ?? '');
  }

  reconcile(object: ApiObject): void {
    const cron = object as CronJob;
    const jobs = this.jobsOf(cron);
    const running = jobs.filter(({ status }) => outcomeOf(status) === undefined);
    const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = cron.spec ?? {};
    for (const [outcome, limit] of [
      ['Complete', successfulJobsHistoryLimit],
      ['Failed', failedJobsHistoryLimit],
    ] as const) {
      const ended = jobs.filter(({ status }) => outcomeOf(status) === outcome);
      for (const job of ended.slice(0, Math.max(0, ended.length - limit))) {
        this.removal.remove('jobs.batch', job);
      }
    }
    const lastSuccess = jobs.findLast(({ status }) => outcomeOf(status) === 'Complete')?.status
      ?.completionTime;
    const told = this.state.update<CronJob>(this.type, cron, {
      status: {
        ...cron.status,
        active: running.length === 0 ? undefined : running.map(({ metadata }) => ({ name: metadata.name })),
        ...(lastSuccess === undefined ? {} : { lastSuccessfulTime: lastSuccess }),
      },
    });
    this.plan(told);
  }

  private plan(cron: CronJob): void {
    const { schedule = '', suspend } = cron.spec ?? {};
    const uid = cron.metadata.uid ?? '';
    if (this.planned.get(uid) === schedule) return;
    const { now } = this.state.timeline;
    // What nobody saw is not made up, but for the last few.
    const past = cronTimes(schedule, Date.now(), -3).filter((time) => time > now);
    const [next] = past.length > 0 ? past : cronTimes(schedule, now, 1);
    if (next === undefined) return;
    this.planned.set(uid, schedule);
    this.state.timeline.at(next, () => {
      this.planned.delete(uid);
      const current = this.state.current(this.type, cron);
      if (!current || current.metadata.deletionTimestamp !== undefined) return;
      if (current.spec?.schedule === schedule && suspend !== true && current.spec.suspend !== true) {
        this.start(current, next);
      }
      const after = this.state.current(this.type, cron);
      if (after) this.plan(after);
    });
  }

  private start(cron: CronJob, at: number): void {
    const { spec, metadata } = cron.spec?.jobTemplate ?? {};
    const name = `${cron.metadata.name}-${Math.floor(at / 60_000)}`;
    if (this.state.store.get('jobs.batch', cron.metadata.namespace, name)) return;
    const job = this.state.create<Job>('jobs.batch', {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        name,
        namespace: cron.metadata.namespace,
        labels: metadata?.labels,
        annotations: { 'batch.kubernetes.io/cronjob-scheduled-timestamp': wholeSeconds(at) },
        ownerReferences: [ownerReference(cron)],
        generation: 1,
      },
      spec: withJobDefaults(spec, name, this.state.names.uid()),
      status: {},
    });
    const told = this.state.update<CronJob>(this.type, cron, {
      status: { ...cron.status, lastScheduleTime: wholeSeconds(at), active: [{ name: job.metadata.name }] },
    });
    this.state.event(told, {
      reason: 'SuccessfulCreate',
      message: `Created job ${name}`,
      by: 'cronjob-controller',
    });
  }

  private jobsOf(cron: CronJob): Job[] {
    return this.state.store
      .ownedBy(cron.metadata.uid)
      .filter(({ type }) => type === 'jobs.batch')
      .map(({ object }) => object as Job)
      .sort((one, other) => (one.metadata.name < other.metadata.name ? -1 : 1));
  }
}

/** What the server fills into a Job: its pods are known by labels that nobody else has. */
export function withJobDefaults(spec: Job['spec'], name: string, uid: string): NonNullable<Job['spec']> {
  const own = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
  const { template, selector } = spec ?? {};
  return {
    parallelism: 1,
    completions: 1,
    backoffLimit: 6,
    suspend: false,
    ...spec,
    selector: selector ?? { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
    template: {
      ...template,
      metadata: { ...template?.metadata, labels: { ...template?.metadata?.labels, ...own } },
    },
  };
}

function outcomeOf(status: Job['status']): 'Complete' | 'Failed' | undefined {
  const found = status?.conditions?.find(({ type }) => type === 'Complete' || type === 'Failed');
  return found?.type as 'Complete' | 'Failed' | undefined;
}
