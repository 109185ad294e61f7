import { ROLE_LABEL, type NodeMount, type NodeSettings, type PublishedPort } from '../runtime-driver.js';
import type { ContainerSummary, InspectedContainer } from './engine-responses.js';
import { nameOf, toRole } from './node-container.js';

/** Sorted, because the order of mounts in Docker's responses varies. */
export function toNodeSettings(
  summary: ContainerSummary,
  { Config, HostConfig, Mounts }: InspectedContainer,
): NodeSettings {
  return {
    id: summary.Id,
    name: nameOf(summary),
    role: toRole(summary.Labels?.[ROLE_LABEL]),
    image: Config?.Image ?? summary.Image ?? '',
    ports: boundPortsOf(HostConfig).sort(
      (one, other) => one.containerPort - other.containerPort || one.protocol.localeCompare(other.protocol),
    ),
    mounts: (Mounts ?? [])
      .filter(({ Type }) => Type === 'bind')
      .map(toMount)
      .sort((one, other) => one.containerPath.localeCompare(other.containerPath)),
    environment: Object.fromEntries(
      (Config?.Env ?? []).filter((entry) => entry.startsWith('KIND_')).map(splitVariable),
    ),
  };
}

/** The port bindings of a container's configuration. The order of the bindings of one container port is kept. */
export function boundPortsOf(hostConfig: InspectedContainer['HostConfig']): PublishedPort[] {
  return Object.entries(hostConfig?.PortBindings ?? {}).flatMap(([container, bindings]) =>
    bindings.map(({ HostIp = '', HostPort = '' }) => {
      const [port = '', protocol = 'tcp'] = container.split('/');
      return {
        hostAddress: HostIp === '' ? '0.0.0.0' : HostIp,
        hostPort: Number(HostPort) || 0,
        containerPort: Number(port) || 0,
        protocol: protocol.toUpperCase(),
      };
    }),
  );
}

type Mount = NonNullable<InspectedContainer['Mounts']>[number];

function toMount({
  Source = '',
  Destination = '',
  Mode = '',
  RW = true,
  Propagation = '',
}: Mount): NodeMount {
  return {
    hostPath: Source,
    containerPath: Destination,
    readOnly: !RW,
    propagation: Propagation === 'rslave' || Propagation === 'rshared' ? Propagation : 'private',
    relabelled: Mode.split(',').includes('Z'),
  };
}

function splitVariable(entry: string): [string, string] {
  const at = entry.indexOf('=');
  return at < 0 ? [entry, ''] : [entry.slice(0, at), entry.slice(at + 1)];
}
