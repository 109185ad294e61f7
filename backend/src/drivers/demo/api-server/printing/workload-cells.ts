import { selectorText } from '../selectors.js';
import type {
  ApiObject,
  Container,
  ContainerStatus,
  CronJob,
  Job,
  KubeNode,
  Pod,
  PodTemplate,
  Workload,
} from '../shapes.js';
import { humanDuration, since } from './durations.js';
import type { Printer } from './table.js';

const NONE = '<none>';
const ROLE = 'node-role.kubernetes.io/';

export const WORKLOAD_PRINTERS: Readonly<Record<string, Printer>> = {
  pods: (object, now) => {
    const pod = object as Pod;
    const { reason, ready, restarts } = podSummary(pod, now);
    return [
      pod.metadata.name,
      `${ready}/${(pod.spec?.containers?.length ?? 0) + sidecars(pod).length}`,
      reason,
      restarts,
      age(pod, now),
      pod.status?.podIP ?? NONE,
      pod.spec?.nodeName ?? NONE,
      pod.status?.nominatedNodeName ?? NONE,
      readinessGates(pod),
    ];
  },
  nodes: (object, now) => {
    const node = object as KubeNode;
    const condition = node.status?.conditions?.find(({ type }) => type === 'Ready');
    const ready = condition === undefined ? 'Unknown' : condition.status === 'True' ? 'Ready' : 'NotReady';
    const roles = Object.keys(node.metadata.labels ?? {})
      .filter((label) => label.startsWith(ROLE))
      .map((label) => label.slice(ROLE.length));
    const address = (type: string): string =>
      node.status?.addresses?.find((candidate) => candidate.type === type)?.address ?? NONE;
    const info = node.status?.nodeInfo ?? {};
    return [
      node.metadata.name,
      node.spec?.unschedulable === true ? `${ready},SchedulingDisabled` : ready,
      roles.length === 0 ? NONE : roles.toSorted().join(','),
      age(node, now),
      info['kubeletVersion'] ?? '',
      address('InternalIP'),
      address('ExternalIP'),
      info['osImage'] ?? '<unknown>',
      info['kernelVersion'] ?? '<unknown>',
      info['containerRuntimeVersion'] ?? '<unknown>',
    ];
  },
  deployments: (object, now) => {
    const { metadata, spec, status } = object as Workload;
    return [
      metadata.name,
      `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
      status?.updatedReplicas ?? 0,
      status?.availableReplicas ?? 0,
      age(object, now),
      ...images(spec?.template),
      selectorText(spec?.selector),
    ];
  },
  replicasets: (object, now) => {
    const { metadata, spec, status } = object as Workload;
    return [
      metadata.name,
      spec?.replicas ?? 0,
      status?.replicas ?? 0,
      status?.readyReplicas ?? 0,
      age(object, now),
      ...images(spec?.template),
      selectorText(spec?.selector),
    ];
  },
  statefulsets: (object, now) => {
    const { metadata, spec, status } = object as Workload;
    const ready = `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`;
    return [metadata.name, ready, age(object, now), ...images(spec?.template)];
  },
  daemonsets: (object, now) => {
    const { metadata, spec, status } = object as Workload;
    return [
      metadata.name,
      status?.desiredNumberScheduled ?? 0,
      status?.currentNumberScheduled ?? 0,
      status?.numberReady ?? 0,
      status?.updatedNumberScheduled ?? 0,
      status?.numberAvailable ?? 0,
      selectorText({ matchLabels: spec?.template?.spec?.nodeSelector }),
      age(object, now),
      ...images(spec?.template),
      selectorText(spec?.selector),
    ];
  },
  jobs: (object, now) => {
    const { metadata, spec, status } = object as Job;
    const succeeded = status?.succeeded ?? 0;
    const parallelism = spec?.parallelism ?? 1;
    const started = status?.startTime;
    const ended = status?.completionTime === undefined ? now : Date.parse(status.completionTime);
    return [
      metadata.name,
      jobState(object),
      spec?.completions !== undefined
        ? `${succeeded}/${spec.completions}`
        : `${succeeded}/1${parallelism > 1 ? ` of ${parallelism}` : ''}`,
      started === undefined ? '' : humanDuration(ended - Date.parse(started)),
      age(object, now),
      ...images(spec?.template),
      selectorText(spec?.selector),
    ];
  },
  cronjobs: (object, now) => {
    const { metadata, spec, status } = object as CronJob;
    return [
      metadata.name,
      spec?.schedule ?? '',
      spec?.timeZone ?? NONE,
      spec?.suspend ?? false,
      status?.active?.length ?? 0,
      status?.lastScheduleTime === undefined ? NONE : since(status.lastScheduleTime, now),
      age(object, now),
      ...images(spec?.jobTemplate?.spec?.template),
      NONE,
    ];
  },
};

export function age(object: ApiObject, now: number): string {
  return since(object.metadata.creationTimestamp, now);
}

/** What kubectl says of a pod: its phase only where no container has something better to say. */
function podSummary({ metadata, spec, status = {} }: Pod, now: number): PodSummary {
  const initial = initialReason(spec?.initContainers?.length ?? 0, status.initContainerStatuses ?? []);
  let reason = status.reason ?? status.phase ?? '';
  let ready = sidecars({ spec }).filter(({ name }) =>
    status.initContainerStatuses?.some((one) => one.name === name && one.started === true),
  ).length;
  let restarts = 0;
  let lastRestart = 0;
  let running = false;
  if (initial !== undefined) {
    reason = initial;
    restarts = (status.initContainerStatuses ?? []).reduce((sum, one) => sum + (one.restartCount ?? 0), 0);
  } else {
    for (const container of [...(status.containerStatuses ?? [])].reverse()) {
      restarts += container.restartCount ?? 0;
      const ended = container.lastState?.terminated?.finishedAt;
      if (ended !== undefined) lastRestart = Math.max(lastRestart, Date.parse(ended));
      const said = containerReason(container);
      if (said !== undefined) reason = said;
      else if (container.ready === true && container.state?.running) {
        running = true;
        ready += 1;
      }
    }
    if (reason === 'Completed' && running) {
      const condition = status.conditions?.find(({ type }) => type === 'Ready');
      reason = condition?.status === 'True' ? 'Running' : 'NotReady';
    }
  }
  const ended = status.phase === 'Succeeded' || status.phase === 'Failed';
  if (metadata.deletionTimestamp !== undefined && !ended) reason = 'Terminating';
  return {
    reason,
    ready,
    restarts:
      restarts > 0 && lastRestart > 0
        ? `${restarts} (${humanDuration(now - lastRestart)} ago)`
        : String(restarts),
  };
}

interface PodSummary {
  reason: string;
  ready: number;
  restarts: string;
}

function containerReason({ state = {} }: ContainerStatus): string | undefined {
  if (state.waiting?.reason !== undefined) return state.waiting.reason;
  if (!state.terminated) return undefined;
  const { reason, signal = 0, exitCode = 0 } = state.terminated;
  return reason ?? (signal !== 0 ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}

function initialReason(count: number, statuses: readonly ContainerStatus[]): string | undefined {
  for (const [index, container] of statuses.entries()) {
    const { terminated, waiting } = container.state ?? {};
    if (terminated?.exitCode === 0 || container.started === true) continue;
    if (terminated) return `Init:${containerReason(container) ?? ''}`;
    if (waiting?.reason !== undefined && waiting.reason !== 'PodInitializing') {
      return `Init:${waiting.reason}`;
    }
    return `Init:${index}/${count}`;
  }
  return undefined;
}

/** Init containers that run as long as their pod: they count as its others do. */
function sidecars({ spec }: Pick<Pod, 'spec'>): Container[] {
  return (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
}

function readinessGates({ spec, status }: Pod): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return NONE;
  const fulfilled = gates.filter(({ conditionType }) =>
    status?.conditions?.some(({ type, status: value }) => type === conditionType && value === 'True'),
  );
  return `${fulfilled.length}/${gates.length}`;
}

function images(template: PodTemplate | undefined): [string, string] {
  const containers = template?.spec?.containers ?? [];
  return [containers.map(({ name }) => name).join(','), containers.map(({ image }) => image ?? '').join(',')];
}

function jobState({ metadata, status }: Job): string {
  const holds = (wanted: string): boolean =>
    status?.conditions?.some(({ type, status: value }) => type === wanted && value === 'True') === true;
  if (holds('Complete')) return 'Complete';
  if (holds('Failed')) return 'Failed';
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (holds('Suspended')) return 'Suspended';
  return 'Running';
}
