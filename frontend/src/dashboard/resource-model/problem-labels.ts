import type { ProblemDto } from '../../shared/api/api-types';
import { formatElapsed, plural } from '../../shared/format/format';
import { objectPage } from './resource-address';

const CAUSES: Readonly<Record<ProblemDto['code'], string>> = {
  being_deleted: $localize`deletion does not end`,
  image_pull: $localize`image not pulled`,
  config_map_missing: $localize`ConfigMap missing`,
  secret_missing: $localize`Secret missing`,
  out_of_memory: $localize`out of memory`,
  probe: $localize`probe fails`,
  crash: $localize`crash loop`,
  volume_claim_unbound: $localize`volume claim not bound`,
  insufficient_resources: $localize`no node has room`,
  scheduling_constraint: $localize`no node is allowed`,
  quota_exceeded: $localize`quota exceeded`,
  job_deadline: $localize`deadline exceeded`,
  pods_not_created: $localize`Pods not created`,
  no_endpoints: $localize`no endpoints`,
  reported_failure: $localize`reports a failure`,
};

/** `crash loop for 4 min`. */
export function problemSummary({ code, kind, since }: ProblemDto, now: number): string {
  // The Pods of a failed Job do not start again.
  const cause = code === 'crash' && kind === 'Job' ? $localize`failed` : CAUSES[code];
  const elapsed = Math.max(0, now - Date.parse(since));
  return $localize`${cause}:cause: for ${formatElapsed(elapsed)}:duration:`;
}

/** `3 workloads do not work`. */
export function brokenWorkloads(count: number): string {
  return plural(count, (n) => ({
    one: $localize`${n}:count: workload does not work`,
    other: $localize`${n}:count: workloads do not work`,
  }));
}

export function problemId({ cluster, runtime, group, plural, namespace, name, code }: ProblemDto): string {
  return [runtime, cluster, group, plural, namespace, name, code].join('/');
}

/** URL of the object in the panel. */
export function problemPage(problem: ProblemDto): string {
  return objectPage({ name: problem.cluster, runtime: problem.runtime }, problem);
}
