import type { CauseCode } from './diagnosis.dto.js';
import { healthOf, isCustom } from '../../drivers/kubernetes/index.js';
import type { Facts } from './facts.js';
import type { Finding } from './findings.js';
import { BEING_DELETED, CONTAINER_FAILURE, isPast, REPORTED_FAILURE } from './any-kind.js';
import { RULES, type Rule } from './rules.js';

export interface Cause extends Finding {
  code: CauseCode;
  nextStep: string;
}

/** Whether an object is in the state that its spec describes. Does not look at its Pods. */
export function isHealthy(facts: Facts): boolean {
  const { object, containers, events } = facts;
  if (object.metadata.deletionTimestamp !== undefined) return false;
  if (object.kind === 'Service' && !isCustom(object) && applied(RULES, facts).length > 0) return false;
  const { health, works } = healthOf({ object });
  // Nothing in such an object says whether it works, so the last event does.
  const isSilent = health === 'none' || ['CronJob', 'PersistentVolumeClaim', 'Service'].includes(object.kind);
  const [last] = events.filter((event) => !isPast(event, object));
  if (isSilent && last?.isWarning === true) return false;
  return works && (health === 'ended' || !containers.some(({ isDown }) => isDown));
}

/** The causes of an unhealthy object: by the rules that know more, or else in its own words. */
export function findCauses(facts: Facts): Cause[] {
  if (facts.object.metadata.deletionTimestamp !== undefined) return applied([BEING_DELETED], facts);
  const causes = applied([...RULES, CONTAINER_FAILURE], facts);
  return causes.length > 0 ? causes : applied([REPORTED_FAILURE], facts);
}

/** At most one for each container, and one for the object. */
function applied(rules: readonly Rule[], facts: Facts): Cause[] {
  const { object } = facts;
  const causes = new Map<string, Cause>();
  for (const { code, kinds, find, nextStep } of rules) {
    if (kinds && (isCustom(object) || !kinds.includes(object.kind))) continue;
    for (const finding of find(facts)) {
      const part = finding.container ?? '';
      if (!causes.has(part)) causes.set(part, { nextStep, ...finding, code });
    }
  }
  return [...causes.values()];
}
