import type { PublishedPort } from '../runtime-driver.js';
import type { InspectedContainer } from './engine-responses.js';

/** The port bindings of a container's configuration. The order of the bindings of one container port is kept. */
export function boundPortsOf(hostConfig: InspectedContainer['HostConfig']): PublishedPort[] {
  return Object.entries(hostConfig?.PortBindings ?? {}).flatMap(([container, bindings]) =>
    (bindings ?? []).map(({ HostIp = '', HostPort = '' }) => {
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
