import type { ContainerRole, LoggedPod, PodContainer } from './pod-logs.js';
import {
  specOf,
  statusOf,
  type Container,
  type ContainerState,
  type ContainerStatus,
  type ObjectStatus,
  type KubernetesObject,
} from './object-fields.js';

export function toLoggedPod(pod: KubernetesObject): LoggedPod {
  const { metadata } = pod;
  const spec = specOf(pod);
  const status = statusOf(pod);
  const pending = reasonOfPod(status);
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  const group = (
    containers: readonly Container[] = [],
    statuses: readonly ContainerStatus[] = [],
    role: (container: Container) => ContainerRole,
  ): PodContainer[] =>
    containers.map((container) => {
      const found = statuses.find(({ name }) => name === container.name);
      return toContainer(container.name, role(container), found, pending);
    });
  return {
    uid: metadata.uid ?? '',
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    workload: workloadOf(metadata, owner),
    owner: owner ? { kind: owner.kind, name: owner.name } : null,
    containers: [
      ...group(spec.initContainers, status.initContainerStatuses, ({ restartPolicy }) =>
        // An init container that keeps running.
        restartPolicy === 'Always' ? 'sidecar' : 'init',
      ),
      ...group(spec.containers, status.containerStatuses, () => 'main'),
      ...group(spec.ephemeralContainers, status.ephemeralContainerStatuses, () => 'ephemeral'),
    ],
  };
}

function toContainer(
  name: string,
  role: ContainerRole,
  status: ContainerStatus | undefined,
  pending: string,
): PodContainer {
  const { state = {}, lastState = {}, restartCount = 0 } = status ?? {};
  const ran = state.running ?? state.terminated ?? lastState.terminated;
  return {
    name,
    role,
    running: Boolean(state.running),
    waiting: state.running ? null : waitingReason({ state, lastState }, pending),
    restarts: restartCount,
    startedAt: ran?.startedAt ?? null,
  };
}

/** Why a container does not run. Includes how it ended if it waits for a restart. */
function waitingReason(
  { state, lastState }: Required<Pick<ContainerStatus, 'state' | 'lastState'>>,
  pending: string,
): string | null {
  const ended = state.terminated ?? lastState.terminated;
  if (!ended) return state.waiting?.reason ?? pending;
  const words = [state.waiting?.reason, endOf(ended)].filter((part) => part !== undefined && part !== null);
  return words.length > 0 ? words.join(', ') : null;
}

/** How a container failed; null if it succeeded. Omits the reason `Error`, which adds nothing to the exit code. */
function endOf({ reason, exitCode }: NonNullable<ContainerState['terminated']>): string | null {
  if (exitCode === 0 || (exitCode === undefined && reason === undefined)) return null;
  if (exitCode === undefined) return reason ?? null;
  return reason === undefined || reason === 'Error'
    ? `exit code ${exitCode}`
    : `${reason}, exit code ${exitCode}`;
}

/** Why a Pod without container statuses does not run. */
function reasonOfPod({ conditions }: ObjectStatus): string {
  const refused = conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  return refused?.reason ?? 'Pending';
}

/** A CronJob names its Jobs by their scheduled time in minutes since 1970: eight digits until 2160. */
const RUN_OF_CRON_JOB = /^(.+)-(\d{8})$/;
/** A late run, or a Pod that repeats a failed one, is created later than scheduled. Clocks may differ. */
const MOST_LATE_MINUTES = 24 * 60;
const MOST_EARLY_MINUTES = 1;

function workloadOf(
  { labels, creationTimestamp }: KubernetesObject['metadata'],
  owner: LoggedPod['owner'] | undefined,
): LoggedPod['workload'] {
  // The owner of a static Pod is its Node.
  if (!owner || owner.kind === 'Node') return null;
  const hash = labels?.['pod-template-hash'];
  if (owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(`-${hash}`)) {
    return { kind: 'Deployment', name: owner.name.slice(0, -hash.length - 1) };
  }
  const [, cronJob, minutes] = owner.kind === 'Job' ? (RUN_OF_CRON_JOB.exec(owner.name) ?? []) : [];
  const late = Date.parse(creationTimestamp ?? '') / 60_000 - Number(minutes);
  if (cronJob !== undefined && late > -MOST_EARLY_MINUTES && late < MOST_LATE_MINUTES) {
    return { kind: 'CronJob', name: cronJob };
  }
  return { kind: owner.kind, name: owner.name };
}
