import type { CauseCode } from './diagnosis.dto.js';
import { healthOf } from '../../drivers/kubernetes/index.js';
import type { Facts } from './facts.js';
import type { Finding } from './findings.js';
import { RULES } from './rules.js';

export interface Cause extends Finding {
  code: CauseCode;
  nextStep: string;
}

/** Whether an object is in the state that its spec describes. Does not look at its Pods. */
export function isHealthy(facts: Facts): boolean {
  const { object, containers } = facts;
  if (object.kind === 'Service') return findCauses(facts).length === 0;
  const { health, works } = healthOf({ object });
  return works && (health === 'ended' || !containers.some(({ isDown }) => isDown));
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
