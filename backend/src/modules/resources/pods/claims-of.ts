import type { PodSpec } from 'kubernetes-types/core/v1.js';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';

/** Names of the PersistentVolumeClaims that a Pod mounts. */
export function claimsOf(pod: KubernetesObject): string[] {
  const { volumes = [] } = (pod['spec'] ?? {}) as Partial<PodSpec>;
  return volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
}
