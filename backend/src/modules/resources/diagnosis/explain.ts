import type { CauseCode } from './diagnosis.dto.js';
import { isPodHealthy, type Facts } from './facts.js';
import { conditionsOf, phaseOf, type Finding } from './findings.js';
import { hasCondition, specOf, statusOf } from '../../../drivers/kubernetes/index.js';
import { RULES } from './rules.js';

export interface Cause extends Finding {
  code: CauseCode;
  nextStep: string;
}

/** Whether an object is in the state that its spec describes. Does not look at its Pods. */
export function isHealthy(facts: Facts): boolean {
  const { object } = facts;
  const { replicas = 1, suspend = false } = specOf(object);
  const status = statusOf(object);
  switch (object.kind) {
    case 'Pod':
      return isPodHealthy(facts);
    case 'Deployment':
    case 'ReplicaSet':
    case 'StatefulSet':
      return (status.readyReplicas ?? 0) >= replicas;
    case 'DaemonSet':
      return (status.numberReady ?? 0) >= (status.desiredNumberScheduled ?? 0);
    case 'Job':
      if (suspend || hasCondition(object, 'Complete')) return true;
      return !hasCondition(object, 'Failed') && typeof status.active === 'number' && status.active > 0;
    case 'PersistentVolumeClaim':
      return phaseOf(object) === 'Bound';
    case 'Service':
      return findCauses(facts).length === 0;
    default:
      return conditionsOf(object).every(
        ({ type = '', status: is }) => is === 'True' || !/^(Ready|Available)$/.test(type),
      );
  }
}

/** The causes of an unhealthy object by the table of rules: at most one for each container, and one for the object. */
export function findCauses(facts: Facts): Cause[] {
  const causes = new Map<string, Cause>();
  for (const { code, kinds, find, nextStep } of RULES) {
    if (!kinds.includes(facts.object.kind)) continue;
    for (const finding of find(facts)) {
      const part = finding.container ?? '';
      if (!causes.has(part)) causes.set(part, { nextStep, ...finding, code });
    }
  }
  return [...causes.values()];
}
