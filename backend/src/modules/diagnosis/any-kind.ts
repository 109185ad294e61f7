import { asSentence } from '../../core/errors/index.js';
import { recordOf } from '../../core/values/index.js';
import {
  conditionsOf,
  failedConditions,
  healthOf,
  isCustom,
  specOf,
  type Condition,
  type KubernetesObject,
} from '../../drivers/kubernetes/index.js';
import { eventEvidence, type EventFact } from './facts.js';
import {
  BINDING_FAILURES,
  COUNTED_KINDS,
  eachContainer,
  isStuck,
  phaseOf,
  state,
  stateOf,
} from './findings.js';
import type { Rule } from './rules.js';

/** Reasons of conditions that only say that Pods or containers are not ready. The Pods say why. */
const SAYS_NOTHING = ['ContainersNotReady', 'ContainersNotInitialized', 'MinimumReplicasUnavailable'];
/** Events that are usual while a container starts. */
const USUAL_WARNINGS = ['Unhealthy', 'BackOff'];
/** No later event takes them back: of a Job that was started by hand, of a lost race. */
const PASSING = ['UnexpectedJob', 'FailedToUpdateEndpoint', 'FailedToUpdateEndpointSlices'];

const WAITS_FOR: Readonly<Record<string, string>> = {
  'kubernetes.io/pvc-protection': ' (a Pod uses it)',
  'kubernetes.io/pv-protection': ' (a PersistentVolumeClaim uses it)',
  foregroundDeletion: ' (its dependents are deleted first)',
};

/** The reasons why an object still exists after its deletion. They explain all else about it. */
export const BEING_DELETED: Rule = {
  code: 'being_deleted',
  find: ({ object, events, now }) => {
    const { name, deletionTimestamp = null } = object.metadata;
    const { finalizers: ofNamespace = [], nodeName } = specOf(object);
    const finalizers = [
      ...(object.metadata.finalizers ?? []),
      // The one of each Namespace, whose controller reports in conditions what it waits for.
      ...ofNamespace.filter((finalizer) => finalizer !== 'kubernetes'),
    ];
    const reports =
      object.kind === 'Namespace' ? conditionsOf(object).filter(({ status }) => status === 'True') : [];
    const waits = [
      ...reports.map(({ type = '', message = type }) => message),
      ...finalizers.map((each) => `waiting for the finalizer ${each}${WAITS_FOR[each] ?? ''}`),
    ];
    if (waits.length === 0 && nodeName !== undefined && isStuck(object, now)) {
      waits.push(`waiting for the kubelet of node ${nodeName} to end its containers`);
    }
    if (waits.length === 0) return [];
    return [
      {
        message: asSentence(`${object.kind} ${name} is being deleted: ${waits.join('; ')}`),
        evidence: [
          { ...state('Being deleted'), time: deletionTimestamp },
          ...reports.map((each) => state(conditionText(each))),
          ...finalizers.map((each) => state(`Finalizer: ${each}`)),
          ...events
            .filter(({ isWarning }) => isWarning)
            .slice(0, 3)
            .map(eventEvidence),
        ],
        ...(reports.length > 0 && {
          nextStep:
            'Delete the objects that remain or correct their finalizers. If an API group fails, repair the server of its APIService, or delete the APIService.',
        }),
      },
    ];
  },
  nextStep:
    'Start the controller that removes the finalizer. If it no longer exists, remove the finalizer from the YAML: what the controller would have cleaned up is then left.',
};

/** A container that says itself what it waits for, or that a Warning event is about. */
export const CONTAINER_FAILURE: Rule = {
  code: 'reported_failure',
  kinds: ['Pod'],
  find: eachContainer(({ title, ready, waiting, events }) => {
    const warning = events.find(({ isWarning, reason }) => isWarning && !USUAL_WARNINGS.includes(reason));
    const found = waiting.message ? stateOf(waiting) : !ready && warning && eventEvidence(warning);
    return found && { message: asSentence(`${title} reports: ${found.text}`), evidence: [found] };
  }),
  nextStep: 'Correct what the message says. The events and the log of the Pod may say more.',
};

/** The failed conditions and the Warning events of an object that no other rule explains. */
export const REPORTED_FAILURE: Rule = {
  code: 'reported_failure',
  find: ({ object, events }) => {
    const said = statusText(object);
    const conditions = failedConditions(object)
      .filter((condition) => !SAYS_NOTHING.includes(condition.reason ?? ''))
      .sort((one, other) => Number(Boolean(other.message)) - Number(Boolean(one.message)));
    const warnings = events.filter((event) => event.isWarning && !isPast(event, object));
    const evidence = [
      ...conditions.filter((condition) => condition.message).map((each) => state(conditionText(each))),
      ...(said === '' ? [] : [state(said)]),
      ...warnings.slice(0, 3).map(eventEvidence),
      ...conditions.filter((condition) => !condition.message).map((each) => state(conditionText(each))),
    ];
    const [first] = evidence;
    if (!first) return [];
    return [
      { message: asSentence(`${object.kind} ${object.metadata.name} reports: ${first.text}`), evidence },
    ];
  },
  nextStep: 'Correct what the message says. The log of the controller of this kind may say more.',
};

/** `Failed: no capacity`: what the status says, whatever the names of its fields; of a custom resource, at least a word. */
function statusText(object: KubernetesObject): string {
  const status = recordOf(object['status']);
  const texts = Object.entries({ ...recordOf(status['health']), ...status })
    .filter(([name]) => /(?:message|reason|errors?)$/i.test(name))
    .sort(([one], [other]) => (one < other ? 1 : -1))
    .flatMap(([, value]) => value)
    .filter((value) => typeof value === 'string' && value !== '');
  if (texts.length > 0) return texts.join(': ').slice(0, 2000);
  return isCustom(object) && failedConditions(object).length === 0 ? (healthOf({ object }).reason ?? '') : '';
}

/** Whether a warning is about a step that the object has completed since, or about usual work. */
export function isPast({ reason }: EventFact, object: KubernetesObject): boolean {
  if (PASSING.includes(reason)) return true;
  if (BINDING_FAILURES.includes(reason)) return phaseOf(object) === 'Bound';
  if (reason === 'FailedScheduling') return specOf(object).nodeName !== undefined;
  // Otherwise `pods_not_created` explains it.
  return reason === 'FailedCreate' && COUNTED_KINDS.includes(object.kind);
}

function conditionText({ type = '', status = 'True', reason = '', message = '' }: Condition): string {
  return [`${type} is ${status}${reason && ` (${reason})`}`, message].filter(Boolean).join(': ');
}
