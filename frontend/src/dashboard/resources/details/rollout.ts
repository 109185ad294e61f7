import type {
  DaemonSetStatus,
  DeploymentSpec,
  DeploymentStatus,
  StatefulSetSpec,
} from 'kubernetes-types/apps/v1';
import type { ResourceObjectDto } from '../../../shared/api/api-types';

/** State of the rollout of a Deployment, StatefulSet or DaemonSet, as in `kubectl rollout status`; null for others. */
export function rolloutText({ type: { group, kind }, ...object }: ResourceObjectDto): string | null {
  if (group !== 'apps' || !['Deployment', 'StatefulSet', 'DaemonSet'].includes(kind)) return null;
  const spec = (object.spec ?? {}) as Partial<DeploymentSpec & StatefulSetSpec>;
  const status = (object.status ?? {}) as Partial<DeploymentStatus & DaemonSetStatus>;
  const isDaemon = kind === 'DaemonSet';
  const wanted = (isDaemon ? status.desiredNumberScheduled : spec.replicas) ?? 0;
  const updated = (isDaemon ? status.updatedNumberScheduled : status.updatedReplicas) ?? 0;
  const available = (isDaemon ? status.numberAvailable : status.availableReplicas) ?? 0;
  if (spec.paused === true) return $localize`Paused: ${updated}:count: of ${wanted}:wanted: updated`;
  if (updated < wanted && spec.updateStrategy?.type !== 'OnDelete') {
    const stalled = status.conditions?.some(({ reason }) => reason === 'ProgressDeadlineExceeded') ?? false;
    return stalled
      ? $localize`Stalled: ${updated}:count: of ${wanted}:wanted: updated (ProgressDeadlineExceeded)`
      : $localize`In progress: ${updated}:count: of ${wanted}:wanted: updated`;
  }
  if (available < wanted) {
    return $localize`In progress: ${available}:count: of ${wanted}:wanted: updated Pods are available`;
  }
  return $localize`Complete`;
}
