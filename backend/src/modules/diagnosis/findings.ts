import { conditionsOf, specOf, statusOf, type KubernetesObject } from '../../drivers/kubernetes/index.js';
import type { EvidenceDto } from './diagnosis.dto.js';
import { eventEvidence, type ContainerFact, type EventFact, type Facts } from './facts.js';

/** The result of a rule. */
export interface Finding {
  message: string;
  container?: string;
  evidence: EvidenceDto[];
  /** Instead of the one of the rule. */
  nextStep?: string;
  /** Of which instance of the container the last lines are evidence. */
  log?: 'current' | 'previous';
}

type Find = (facts: Facts) => Finding[];

/** Fewer failures are usual while a program starts. The default of `failureThreshold`. */
const PROBE_FAILURES = 3;
/** Longest time between a failed probe and the end of the container that the kubelet kills for it. */
const KILL_MS = 60_000;
/** Kinds that count the Pods that they have created. */
export const COUNTED_KINDS = ['ReplicaSet', 'StatefulSet'];
export const BINDING_FAILURES = ['ProvisioningFailed', 'FailedBinding'];
/** A kubelet needs some seconds after the grace period of a Pod. */
const STUCK_MS = 30_000;

export function state(text: string): EvidenceDto {
  return { source: 'state', text, time: null };
}

/** A rule about each container of a Pod. */
export function eachContainer(find: (container: ContainerFact) => Finding | undefined | false): Find {
  return ({ containers }) =>
    containers.flatMap((container) => {
      const finding = find(container);
      return finding ? [{ ...finding, container: container.name }] : [];
    });
}

/** A rule about the message of the scheduler for a Pod without a node. */
export function whileUnschedulable(explain: (text: string, facts: Facts) => string | undefined): Find {
  return (facts) => {
    const text = schedulingMessage(facts.object);
    const cause = explain(text, facts);
    if (cause === undefined) return [];
    return [
      { message: `The Pod cannot be scheduled: ${cause}.`, evidence: [state(`Unschedulable: ${text}`)] },
    ];
  };
}

/** Why the scheduler found no node for a Pod, in its words; empty otherwise. */
export function schedulingMessage(pod: KubernetesObject): string {
  const refusal = conditionsOf(pod).find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  return refusal?.message ?? '';
}

/** A rule about a ConfigMap or Secret that a container needs, or a volume. */
export function missingReference(kind: string, missing: RegExp, keys: readonly RegExp[]): Find {
  const explain = (text: string): string | undefined => {
    const [, name] = missing.exec(text) ?? [];
    if (name !== undefined) return `${kind} ${name} does not exist`;
    for (const pattern of keys) {
      const [, key, owner] = pattern.exec(text) ?? [];
      if (key !== undefined) {
        return `${owner === undefined ? `a ${kind}` : `${kind} ${owner}`} has no key ${key}`;
      }
    }
    return undefined;
  };
  return (facts) => {
    const found = eachContainer(({ title, waiting }) => {
      const cause = explain(waiting.message ?? '');
      return (
        cause !== undefined && { message: `${title} cannot start: ${cause}.`, evidence: [stateOf(waiting)] }
      );
    })(facts);
    if (found.length > 0 || phaseOf(facts.object) !== 'Pending') return found;
    const mount = facts.events.find(
      ({ reason, message }) => reason === 'FailedMount' && explain(message) !== undefined,
    );
    return mount
      ? [
          {
            message: `The Pod cannot mount a volume: ${explain(mount.message)}.`,
            evidence: [eventEvidence(mount)],
          },
        ]
      : [];
  };
}

interface ProbeFailure {
  probe: string;
  effect: string;
  event: EventFact;
}

const PROBE_EFFECTS: Readonly<Record<string, string>> = {
  readiness: 'it gets no traffic from Services',
  liveness: 'the kubelet restarts it',
  startup: 'the kubelet restarts it',
};

export function probeFailure(container: ContainerFact): ProbeFailure | undefined {
  for (const event of container.events) {
    const [, name = ''] = /^(Readiness|Liveness|Startup) probe/.exec(event.message) ?? [];
    const probe = name.toLowerCase();
    const effect = PROBE_EFFECTS[probe];
    if (event.reason !== 'Unhealthy' || effect === undefined) continue;
    const fails = probe === 'readiness' ? keepsUnready(container, event) : endsContainer(container, event);
    if (fails) return { probe, effect, event };
  }
  return undefined;
}

/** Failures of earlier instances do not count: each is unready until it has started. */
function keepsUnready({ ready, startedAt }: ContainerFact, event: EventFact): boolean {
  return !ready && startedAt !== null && event.time >= startedAt && event.count >= PROBE_FAILURES;
}

function endsContainer({ isDown, ended }: ContainerFact, event: EventFact): boolean {
  if (!isDown || ended?.finishedAt === undefined) return false;
  return Math.abs(Date.parse(ended.finishedAt) - Date.parse(event.time)) < KILL_MS;
}

export function stateOf({ reason = 'Waiting', message }: ContainerFact['waiting']): EvidenceDto {
  return { source: 'state', text: message === undefined ? reason : `${reason}: ${message}`, time: null };
}

export function endOf({
  exitCode,
  reason,
  message,
  finishedAt,
}: NonNullable<ContainerFact['ended']>): EvidenceDto {
  const end = `Terminated${reason === undefined ? '' : `: ${reason}`}, exit code ${exitCode ?? '?'}`;
  return { source: 'state', text: message ? `${end}: ${message}` : end, time: finishedAt ?? null };
}

export function eventsWith(
  events: readonly EventFact[],
  reasons: readonly string[],
  pattern = /(?:)/,
): EvidenceDto[] {
  const found = events.find(({ reason, message }) => reasons.includes(reason) && pattern.test(message));
  return found ? [eventEvidence(found)] : [];
}

export function restartsText(restarts: number): string {
  return restarts === 0 ? '' : restarts === 1 ? ', after 1 restart' : `, after ${restarts} restarts`;
}

/** Whether it is still there long after its deletion, and the grace period of a Pod. */
export function isStuck({ metadata: { deletionTimestamp } }: KubernetesObject, now: number): boolean {
  return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < now - STUCK_MS;
}

/** The message of the API server, if it refuses to create the Pods that a controller still lacks. */
export function creationRefusal(
  { object, events }: Facts,
  pattern = /(?:)/,
): { text: string; evidence: EvidenceDto } | undefined {
  const { replicas = 0 } = statusOf(object);
  if (COUNTED_KINDS.includes(object.kind) && replicas >= (specOf(object).replicas ?? 1)) return undefined;
  const event = events.find(({ reason, message }) => reason === 'FailedCreate' && pattern.test(message));
  if (event) return { text: event.message, evidence: eventEvidence(event) };
  const { message } =
    conditionsOf(object).find(
      ({ type, status, message: text = '' }) =>
        type === 'ReplicaFailure' && status === 'True' && pattern.test(text),
    ) ?? {};
  return message === undefined ? undefined : { text: message, evidence: state(message) };
}

export function phaseOf(object: KubernetesObject): string {
  return statusOf(object).phase ?? '';
}

export function hasPort(pod: KubernetesObject, port: string): boolean {
  const { containers = [], initContainers = [] } = specOf(pod);
  return [...containers, ...initContainers].some(({ ports = [] }) => ports.some(({ name }) => name === port));
}

export function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
