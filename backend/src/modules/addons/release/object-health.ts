import { recordOf } from '../../../core/values/index.js';
import { hasCondition, statusOf, type KubernetesObject } from '../../../drivers/kubernetes/index.js';
import type { ResourceHealth } from '../../resources/index.js';

interface ObjectHealth {
  health: ResourceHealth;
  detail: string | null;
}

const NO_HEALTH: ObjectHealth = { health: 'none', detail: null };

export function healthOf(object: KubernetesObject): ObjectHealth {
  if (object.metadata.deletionTimestamp !== undefined) {
    return { health: 'progressing', detail: 'being deleted' };
  }
  return hasHealth(object.kind) ? (CHECKS[object.kind]?.(object) ?? NO_HEALTH) : NO_HEALTH;
}

export function isReady({ health }: ObjectHealth): boolean {
  return health === 'ok' || health === 'none' || health === 'ended';
}

/** Whether objects of the kind become ready after their creation. */
export function hasHealth(kind: string): boolean {
  return Object.hasOwn(CHECKS, kind);
}

const CHECKS: Readonly<Record<string, (object: KubernetesObject) => ObjectHealth>> = {
  Deployment: (object) => replicas(object, 'readyReplicas', recordOf(object['spec'])['replicas'] ?? 1),
  StatefulSet: (object) => replicas(object, 'readyReplicas', recordOf(object['spec'])['replicas'] ?? 1),
  ReplicaSet: (object) => replicas(object, 'readyReplicas', recordOf(object['spec'])['replicas'] ?? 1),
  DaemonSet: (object) =>
    replicas(object, 'numberReady', recordOf(object['status'])['desiredNumberScheduled']),
  Job: (object) => {
    if (hasCondition(object, 'Complete')) return { health: 'ended', detail: 'complete' };
    if (hasCondition(object, 'Failed')) return { health: 'failed', detail: 'failed' };
    return { health: 'progressing', detail: 'running' };
  },
  Pod: (object) => {
    const { phase } = statusOf(object);
    if (phase === 'Succeeded') return { health: 'ended', detail: 'completed' };
    if (phase === 'Failed') return { health: 'failed', detail: 'failed' };
    return hasCondition(object, 'Ready')
      ? { health: 'ok', detail: 'ready' }
      : { health: 'progressing', detail: phase ?? null };
  },
  PersistentVolumeClaim: (object) => {
    const { phase = null } = statusOf(object);
    return { health: phase === 'Bound' ? 'ok' : 'progressing', detail: phase };
  },
  APIService: (object) => byCondition(object, 'Available'),
  CustomResourceDefinition: (object) => byCondition(object, 'Established'),
  Service: (object) => {
    if (recordOf(object['spec'])['type'] !== 'LoadBalancer') return NO_HEALTH;
    const { ingress } = recordOf(recordOf(object['status'])['loadBalancer']);
    return Array.isArray(ingress) && ingress.length > 0
      ? { health: 'ok', detail: null }
      : { health: 'warning', detail: 'no load balancer address' };
  },
};

function replicas(object: KubernetesObject, field: string, wanted: unknown): ObjectHealth {
  const status = recordOf(object['status']);
  const ready = number(status[field]);
  const want = number(wanted);
  const detail = `${ready} of ${want} ready`;
  const seen = number(status['observedGeneration']) >= number(object.metadata['generation']);
  if (!seen || (wanted === undefined && object.kind === 'DaemonSet')) {
    return { health: 'progressing', detail: 'not started' };
  }
  if (hasCondition(object, 'Progressing', 'False')) return { health: 'failed', detail };
  const updated = status['updatedReplicas'] ?? status['updatedNumberScheduled'];
  // Pods of the previous revision count as ready, too.
  const leftOver = object.kind === 'Deployment' && number(status['replicas']) > number(updated);
  const counted =
    updated === undefined ? want === 0 || object.kind === 'ReplicaSet' : number(updated) >= want;
  return { health: ready >= want && counted && !leftOver ? 'ok' : 'progressing', detail };
}

function byCondition(object: KubernetesObject, type: string): ObjectHealth {
  return hasCondition(object, type)
    ? { health: 'ok', detail: type.toLowerCase() }
    : { health: 'progressing', detail: `not yet ${type.toLowerCase()}` };
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
