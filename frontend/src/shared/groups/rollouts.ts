import type { LogSourceDto } from '../api/api-types';

/** The newest ReplicaSet of a Deployment. */
export interface Rollout {
  /** `cluster/namespace/name` of the Deployment. */
  name: string;
  /** Of the first line of its Pods, RFC 3339. */
  time: string;
}

/** The newest ReplicaSets of the Deployments of some sources, the latest first. */
export function rolloutsOf(sources: readonly LogSourceDto[]): Rollout[] {
  const begins = new Map<string, Map<string, string>>();
  for (const { workload, cluster, namespace, name, first_time } of sources) {
    if (!workload?.startsWith('Deployment/') || first_time === null) continue;
    const deployment = `${cluster ?? ''}/${namespace ?? ''}/${workload.slice('Deployment/'.length)}`;
    const replicaSet = name.slice(0, name.lastIndexOf('-'));
    const known = begins.get(deployment) ?? new Map<string, string>();
    const earliest = known.get(replicaSet);
    if (earliest === undefined || first_time < earliest) known.set(replicaSet, first_time);
    begins.set(deployment, known);
  }
  return [...begins]
    .map(([name, replicaSets]) => ({ name, time: [...replicaSets.values()].sort().at(-1) ?? '' }))
    .sort((one, other) => other.time.localeCompare(one.time));
}
