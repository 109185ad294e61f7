import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';

interface PodFields {
  volumes?: { persistentVolumeClaim?: { claimName?: string } }[];
}

/** Names of the PersistentVolumeClaims that a Pod mounts. */
export function claimsOf(pod: KubernetesObject): string[] {
  const { volumes = [] } = (pod['spec'] ?? {}) as PodFields;
  return volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
}
