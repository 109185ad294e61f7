import { specOf, type KubernetesObject } from '../../../drivers/kubernetes/index.js';

/** Names of the PersistentVolumeClaims that a Pod mounts. */
export function claimsOf(pod: KubernetesObject): string[] {
  const { volumes = [] } = specOf(pod);
  return volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
}
