import type { CreateModel } from './create-model';

/** Traefik on the node whose ports are mapped, listening on the ports of the node itself. */
const VALUES = `# Receives ports 80 and 443 of the first control plane, which are mapped to the host.
ports:
  web:
    hostPort: 80
  websecure:
    hostPort: 443
service:
  spec:
    type: ClusterIP
nodeSelector:
  kubernetes.io/os: linux
  node-role.kubernetes.io/control-plane: ''
tolerations:
  - key: node-role.kubernetes.io/control-plane
    operator: Exists
    effect: NoSchedule
# A second Pod could not use the same ports.
updateStrategy:
  rollingUpdate:
    maxUnavailable: 1
    maxSurge: 0
`;
/** Rootless engines cannot listen on host ports below 1024. */
const PORTS = [
  [8080, 80],
  [8443, 443],
] as const;

/** Whether `withIngress` has nothing to add. */
export function hasIngress({ port_mappings: mapped, addons }: CreateModel): boolean {
  return (
    PORTS.every(([, port]) => mapped.some(({ container_port }) => container_port === port)) &&
    addons.some(({ addon }) => addon === 'traefik')
  );
}

/** Maps host ports to ports 80 and 443, and installs Traefik behind them. Keeps what the user has chosen. */
export function withIngress(model: CreateModel): Pick<CreateModel, 'port_mappings' | 'addons'> {
  const { port_mappings: mapped, addons } = model;
  const added = PORTS.filter(([, port]) => !mapped.some(({ container_port }) => container_port === port));
  const ports = added.map(([host_port, container_port]) => ({
    listen_address: '127.0.0.1',
    host_port,
    container_port,
    protocol: 'TCP' as const,
  }));
  const hasTraefik = addons.some(({ addon }) => addon === 'traefik');
  return {
    port_mappings: [...mapped, ...ports],
    addons: hasTraefik ? addons : [...addons, { addon: 'traefik', values: VALUES }],
  };
}
