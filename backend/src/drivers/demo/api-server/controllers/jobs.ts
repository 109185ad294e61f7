import type { ClusterState } from '../cluster-state.js';
import type { ApiObject, Condition, Job } from '../shapes.js';
import type { Controller } from './controller.js';
import { isActive, isReady, makePod, podsOf, withConditions } from './pod-state.js';

/** Runs pods until enough of them have succeeded. */
export class Jobs implements Controller {
  readonly type = 'jobs.batch';

  constructor(private readonly state: ClusterState) {}

  reconcile(object: ApiObject): void {
    const job = object as Job;
    const { metadata, spec = {}, status = {} } = job;
    const ended = status.conditions?.some(({ type }) => type === 'Complete' || type === 'Failed') === true;
    if (metadata.deletionTimestamp !== undefined || ended) return;
    const { time } = this.state.timeline;
    const completions = spec.completions ?? 1;
    const pods = podsOf(this.state, job);
    const succeeded = pods.filter((pod) => pod.status?.phase === 'Succeeded').length;
    const failed = pods.filter((pod) => pod.status?.phase === 'Failed').length;
    const broken = failed > (spec.backoffLimit ?? 6);
    const active = pods.filter(isActive);
    const wanted =
      broken || spec.suspend === true ? 0 : Math.min(spec.parallelism ?? 1, completions - succeeded);
    let running = active.length;
    for (; running < wanted; running += 1) {
      const pod = makePod(this.state, job, spec.template, { name: `${metadata.name}-` });
      this.state.event(job, {
        reason: 'SuccessfulCreate',
        message: `Created pod: ${pod.metadata.name}`,
        by: 'job-controller',
      });
    }
    const complete = succeeded >= completions;
    const outcome: Condition[] = complete
      ? [
          {
            type: 'SuccessCriteriaMet',
            status: 'True',
            reason: 'CompletionsReached',
            message: 'Reached expected number of succeeded pods',
          },
          {
            type: 'Complete',
            status: 'True',
            reason: 'CompletionsReached',
            message: 'Reached expected number of succeeded pods',
          },
        ]
      : broken
        ? [
            {
              type: 'Failed',
              status: 'True',
              reason: 'BackoffLimitExceeded',
              message: 'Job has reached the specified backoff limit',
            },
          ]
        : spec.suspend === true
          ? [{ type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' }]
          : [];
    const told = this.state.update<Job>(this.type, job, {
      status: {
        ...(spec.suspend === true ? {} : { startTime: status.startTime ?? time }),
        ...(complete ? { completionTime: time } : {}),
        ...(running > 0 ? { active: running } : {}),
        ...(succeeded > 0 ? { succeeded } : {}),
        ...(failed > 0 ? { failed } : {}),
        ready: active.filter(isReady).length,
        ...(outcome.length > 0 ? { conditions: withConditions(status.conditions, outcome, time) } : {}),
      },
    });
    if (complete) {
      this.state.event(told, { reason: 'Completed', message: 'Job completed', by: 'job-controller' });
    }
    if (broken) {
      this.state.event(told, {
        type: 'Warning',
        reason: 'BackoffLimitExceeded',
        message: 'Job has reached the specified backoff limit',
        by: 'job-controller',
      });
    }
  }
}
