import type { ClusterState } from '../cluster-state.js';
import type { Removal } from '../removal.js';
import type { ApiObject, Condition, Workload } from '../shapes.js';
import type { Controller } from './controller.js';
import { createPod, hasCondition, isActive, isReady, podsOf, withConditions } from './pod-state.js';

const COMPLETED = { reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' };
const FAILED = { reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' };

/** Runs pods until enough of them have succeeded. */
export class Jobs implements Controller {
  readonly type = 'jobs.batch';

  constructor(
    private readonly state: ClusterState,
    private readonly removal: Removal,
  ) {}

  reconcile(object: ApiObject): void {
    const job = object as Workload;
    const { metadata, spec = {}, status = {} } = job;
    const { completions = 1, parallelism = 1, backoffLimit = 6, suspend, template } = spec;
    const ended = hasCondition(status.conditions, 'Complete') || hasCondition(status.conditions, 'Failed');
    if (metadata.deletionTimestamp !== undefined || ended) return;
    const pods = podsOf(this.state, job);
    const count = (phase: string): number => pods.filter((pod) => pod.status?.phase === phase).length;
    const [succeeded, failed, running] = [count('Succeeded'), count('Failed'), pods.filter(isActive).length];
    const outcome: Condition[] =
      succeeded >= completions
        ? [{ type: 'Complete', status: 'True', ...COMPLETED }]
        : failed > backoffLimit
          ? [{ type: 'Failed', status: 'True', ...FAILED }]
          : [];
    const wanted = outcome.length > 0 || suspend ? 0 : Math.min(parallelism, completions - succeeded);
    for (let active = running; active < wanted; active += 1) {
      createPod(this.state, job, template, {
        name: `${metadata.name}-`,
        labels: { 'job-name': metadata.name },
      });
    }
    for (const pod of suspend ? pods.filter(isActive) : []) this.removal.remove('pods', pod);
    const { time } = this.state.timeline;
    const updated = this.state.update<Workload>(this.type, job, {
      status: {
        startTime: status.startTime ?? time,
        ...(succeeded >= completions ? { completionTime: time } : {}),
        ...(wanted > 0 ? { active: wanted } : {}),
        ...(succeeded > 0 ? { succeeded } : {}),
        ...(failed > 0 ? { failed } : {}),
        ready: pods.filter(isReady).length,
        ...(outcome.length > 0 ? { conditions: withConditions(status.conditions, outcome, time) } : {}),
      },
    });
    const by = 'job-controller';
    if (succeeded >= completions) {
      this.state.event(updated, { reason: 'Completed', message: 'Job completed', by });
    } else if (outcome.length > 0) this.state.event(updated, { type: 'Warning', ...FAILED, by });
  }
}
