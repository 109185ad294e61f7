import { specOf, statusOf, type KubernetesObject } from '../../drivers/kubernetes/index.js';
import type { CauseCode } from '../diagnosis/index.js';

/** Causes that a usual start has, too. They are problems after this time. */
const GRACE_MS: Partial<Record<CauseCode, number>> = {
  insufficient_resources: 30_000,
  scheduling_constraint: 30_000,
  volume_claim_unbound: 30_000,
  reported_failure: 30_000,
  being_deleted: 30_000,
  no_endpoints: 10_000,
};
/** Conditions that say whether an object works. */
const DECISIVE = /^(PodScheduled|Ready|Available|Complete|Failed)$/;

/** How long a cause must last to be a problem, in milliseconds. */
export function graceOf(code: CauseCode, { kind, ...object }: KubernetesObject): number {
  // A provisioner or a kubelet has refused it.
  const isFinal = kind === 'PersistentVolumeClaim' || statusOf({ kind, ...object }).phase === 'Failed';
  return isFinal && code !== 'being_deleted' ? 0 : (GRACE_MS[code] ?? 0);
}

/**
 * Since when an object does not work, as it reports it, in milliseconds since 1970.
 * @param seenAt when Slipway noticed it
 */
export function brokenSince(object: KubernetesObject, seenAt: number): number {
  const { creationTimestamp, deletionTimestamp } = object.metadata;
  const { conditions = [] } = statusOf(object);
  const broken = conditions.filter(
    ({ type = '', status }) => DECISIVE.test(type) && (status === 'True') === (type === 'Failed'),
  );
  // A Service without endpoints, and one whose Pods are ready again, say nothing.
  const times = [
    ...broken.map(({ lastTransitionTime }) => lastTransitionTime),
    ...(specOf(object).selector === undefined && conditions.length === 0 ? [creationTimestamp] : []),
    deletionTimestamp,
  ].map((time) => Date.parse(time ?? ''));
  return Math.min(seenAt, ...times.filter((time) => !Number.isNaN(time)));
}
