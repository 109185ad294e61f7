import {
  eventFieldsOf,
  specOf,
  statusOf,
  type Container,
  type ContainerState,
  type ContainerStatus,
  type KubernetesObject,
} from '../../drivers/kubernetes/index.js';
import type { EvidenceDto } from './diagnosis.dto.js';

export interface EventFact {
  isWarning: boolean;
  reason: string;
  message: string;
  count: number;
  /** RFC 3339; empty if unknown. */
  time: string;
  /** Name of the container that the event is about. */
  container: string | null;
}

export interface ContainerFact {
  name: string;
  /** With its kind, as at the start of a sentence: `Container web`, `Init container migrate`. */
  title: string;
  image: string;
  limits: Record<string, string>;
  ready: boolean;
  restarts: number;
  waiting: NonNullable<ContainerState['waiting']>;
  startedAt: string | null;
  /** How the last instance ended: the current one, or the one before. */
  ended: NonNullable<ContainerState['terminated']> | null;
  endedInstance: 'current' | 'previous';
  /** Whether the current instance has ended or waits for a restart, or has only just been restarted. */
  isDown: boolean;
  /** Newest first. */
  events: readonly EventFact[];
}

/** The input of the rules about one object. */
export interface Facts {
  object: KubernetesObject;
  /** Without those of single containers. Newest first. */
  events: readonly EventFact[];
  /** Of a Pod. */
  containers: readonly ContainerFact[];
  /** Of a Service, the Pods that it selects; of a Pod, its PersistentVolumeClaims. */
  related: readonly Facts[];
  /** In milliseconds since 1970. */
  now: number;
}

/** After a restart, a program that crashes repeatedly runs for a moment. */
const JUST_RESTARTED_MS = 60_000;

/** @param events of any object: those of others are ignored. @param now in milliseconds since 1970 */
export function factsOf(
  object: KubernetesObject,
  events: readonly KubernetesObject[],
  now: number,
  related: readonly Facts[] = [],
): Facts {
  const own = events
    .filter((event) => eventFieldsOf(event).involvedObject?.uid === object.metadata.uid)
    .map(eventFact)
    .sort((one, other) => (one.time < other.time ? 1 : -1));
  const containers = object.kind === 'Pod' ? containersOf(object, own, now) : [];
  return { object, events: own.filter(({ container }) => container === null), containers, related, now };
}

/** An event as evidence. */
export function eventEvidence({ reason, message, count, time }: EventFact): EvidenceDto {
  const times = count > 1 ? ` (${count} times)` : '';
  return { source: 'event', text: `${reason}${times}: ${message}`, time: time || null };
}

function eventFact(event: KubernetesObject): EventFact {
  const {
    type,
    reason = '',
    message = '',
    count,
    series,
    lastTimestamp,
    eventTime,
    involvedObject,
  } = eventFieldsOf(event);
  const time =
    series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? event.metadata.creationTimestamp ?? '';
  const [, container = null] = /^spec\.\w+\{([^{}]{1,63})\}$/.exec(involvedObject?.fieldPath ?? '') ?? [];
  return {
    isWarning: type === 'Warning',
    reason,
    message,
    count: series?.count ?? count ?? 1,
    time,
    container,
  };
}

function containersOf(pod: KubernetesObject, events: readonly EventFact[], now: number): ContainerFact[] {
  const { initContainers = [], containers = [] } = specOf(pod);
  const { initContainerStatuses = [], containerStatuses = [] } = statusOf(pod);
  const facts = (
    specs: readonly Container[],
    statuses: readonly ContainerStatus[],
    title: string,
  ): ContainerFact[] =>
    specs.map(({ name, image = '', resources }) => {
      const {
        ready = false,
        restartCount = 0,
        state = {},
        lastState = {},
      } = statuses.find((status) => status.name === name) ?? { name };
      const ended = state.terminated ?? lastState.terminated ?? null;
      const startedAt = state.running?.startedAt ?? null;
      const age = startedAt === null ? Infinity : now - Date.parse(startedAt);
      return {
        name,
        title: `${title} ${name}`,
        image,
        limits: resources?.limits ?? {},
        ready,
        restarts: restartCount,
        waiting: state.waiting ?? {},
        startedAt,
        ended,
        endedInstance: state.terminated ? ('current' as const) : ('previous' as const),
        isDown:
          ended !== null &&
          !(ended === state.terminated && ended.exitCode === 0) &&
          (startedAt === null || age < JUST_RESTARTED_MS),
        events: events.filter(({ container }) => container === name),
      };
    });
  return [
    ...facts(initContainers, initContainerStatuses, 'Init container'),
    ...facts(containers, containerStatuses, 'Container'),
  ];
}
