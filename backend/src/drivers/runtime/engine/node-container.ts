import { ownValue } from '../../../core/values/index.js';
import { CLUSTER_LABEL, ROLE_LABEL, type NodeContainer, type NodeRole } from '../runtime-driver.js';
import type { NodeState } from '../container-logs.js';
import type { ContainerState, ContainerSummary } from './engine-responses.js';

const STATES = ['created', 'running', 'paused', 'restarting', 'exited', 'dead', 'removing'] as const;
const ROLES = ['control-plane', 'worker', 'external-load-balancer'] as const;

const PODMAN_STATES: Record<string, NodeState> = {
  configured: 'created',
  initialized: 'created',
  stopped: 'exited',
  stopping: 'running',
};

/** A node from its entry in a list of containers, with the times of an inspection. */
export function toNodeContainer(summary: ContainerSummary, state: ContainerState | undefined): NodeContainer {
  const labels = summary.Labels ?? {};
  const nodeState = toState(summary.State ?? state?.Status);
  const ended = nodeState === 'exited' || nodeState === 'dead';
  return {
    id: summary.Id,
    name: nameOf(summary),
    cluster: labels[CLUSTER_LABEL] ?? '',
    role: toRole(labels[ROLE_LABEL]),
    state: nodeState,
    exitCode: ended ? (state?.ExitCode ?? exitCodeOf(summary.Status)) : null,
    outOfMemory: ended && state?.OOMKilled === true,
    image: summary.Image ?? '',
    imageId: imageIdOf(summary),
    address: addressOf(summary),
    ports: (summary.Ports ?? [])
      .filter((port) => port.PublicPort !== undefined && port.PublicPort > 0)
      .map((port) => ({
        hostAddress: port.IP === undefined || port.IP === '' ? '0.0.0.0' : port.IP,
        hostPort: port.PublicPort ?? 0,
        containerPort: port.PrivatePort ?? 0,
        protocol: (port.Type ?? 'tcp').toUpperCase(),
      })),
    createdAt: new Date((summary.Created ?? 0) * 1000).toISOString(),
    stateSince: timeOf(ended ? state?.FinishedAt : state?.StartedAt),
  };
}

/** Names in this API have a leading slash. */
export function nameOf(summary: ContainerSummary): string {
  return (summary.Names?.[0] ?? summary.Id.slice(0, 12)).replace(/^\//, '');
}

export function toState(state: string | undefined): NodeState {
  const word = (state ?? '').toLowerCase();
  return STATES.find((known) => known === word) ?? ownValue(PODMAN_STATES, word) ?? 'unknown';
}

export function toRole(role: string | undefined): NodeRole {
  return ROLES.find((known) => known === role) ?? 'worker';
}

/** Parses "Exited (137) 3 minutes ago". */
function exitCodeOf(status: string | undefined): number | null {
  const match = /\((\d+)\)/.exec(status ?? '');
  return match ? Number(match[1]) : null;
}

/** Prefers kind's network, since a user may have connected the node to others. */
function addressOf(summary: ContainerSummary): string | null {
  const networks = summary.NetworkSettings?.Networks ?? {};
  const addresses = [networks['kind'], ...Object.values(networks)].map((network) => network?.IPAddress);
  return addresses.find((address) => address !== undefined && address !== '') ?? null;
}

/** A time of an engine as RFC 3339 in UTC; null if it is unknown. Engines use the year 1 for "never". */
export function timeOf(text: string | undefined): string | null {
  const time = Date.parse(text ?? '');
  return time > 0 ? new Date(time).toISOString() : null;
}

/** Podman omits the prefix `sha256:`. */
function imageIdOf({ ImageID }: ContainerSummary): string | null {
  if (ImageID === undefined || ImageID === '') return null;
  return ImageID.startsWith('sha256:') ? ImageID : `sha256:${ImageID}`;
}
