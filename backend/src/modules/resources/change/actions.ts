import type { KubernetesObject, TypeName } from '../../../drivers/kubernetes/index.js';
import type { ResourceAction } from '../object.dto.js';

type Named = Pick<TypeName, 'group' | 'plural'>;

const SCALED = ['deployments', 'replicasets', 'statefulsets'];
const ROLLED_OUT = ['deployments', 'statefulsets', 'daemonsets'];

/** Whether it has a number of replicas that a person sets. */
export function isScaled({ group, plural }: Named): boolean {
  return group === 'apps' && SCALED.includes(plural);
}

/** Whether its pods are replaced a few at a time when its template changes. */
export function isRolledOut({ group, plural }: Named): boolean {
  return group === 'apps' && ROLLED_OUT.includes(plural);
}

/** What can be done with an object now, beside editing and deleting it. */
export function actionsOf(type: Named, object: KubernetesObject): ResourceAction[] {
  if (object.metadata.deletionTimestamp !== undefined) return [];
  if (type.group === '' && type.plural === 'pods') return ['restart-pod'];
  if (type.group === '' && type.plural === 'nodes') {
    const { unschedulable } = (object['spec'] ?? {}) as { unschedulable?: boolean };
    return [unschedulable === true ? 'uncordon' : 'cordon', 'drain'];
  }
  return [
    ...(isScaled(type) ? (['scale'] as const) : []),
    ...(isRolledOut(type) ? (['restart'] as const) : []),
  ];
}

/** How many replicas are wanted, or null of what has none. */
export function replicasOf(type: Named, object: KubernetesObject): number | null {
  if (!isScaled(type)) return null;
  const { replicas } = (object['spec'] ?? {}) as { replicas?: number };
  // What the API server sets where nothing is said.
  return replicas ?? 1;
}
