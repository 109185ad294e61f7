import type { DeploymentSpec } from 'kubernetes-types/apps/v1';
import type { ContainerPort, PodSpec, ServicePort, ServiceSpec } from 'kubernetes-types/core/v1';
import type { ForwardDto, ResourceObjectDto } from '../../shared/api/api-types';
import type { Received } from '../resource-model/received';

/** An object to which ports can be forwarded. */
export type ForwardObject = Pick<ForwardDto, 'plural' | 'namespace' | 'object'>;

export interface TargetPort {
  /** Empty without one. */
  name: string;
  number: number;
  /** Kubernetes forwards only TCP. */
  protocol: string;
}

/** `53 (dns) UDP` */
export function describePort({ name, number, protocol }: TargetPort): string {
  return [number, name && `(${name})`, protocol === 'TCP' ? '' : protocol].filter(Boolean).join(' ');
}

const GROUPS: Readonly<Record<ForwardDto['plural'], string>> = {
  pods: 'core',
  services: 'core',
  deployments: 'apps',
  statefulsets: 'apps',
  daemonsets: 'apps',
  replicasets: 'apps',
  jobs: 'batch',
};

/** The group of a kind whose ports can be forwarded. */
export function groupOf(plural: ForwardDto['plural']): string {
  return GROUPS[plural];
}

/** Null for kinds that have no Pods, or whose Pods come and go, such as CronJobs. */
export function forwardObject({
  group,
  plural,
  namespace,
  name: object,
}: {
  group: string;
  plural: string;
  namespace: string | null;
  name: string;
}): ForwardObject | null {
  const isKnown = Object.entries(GROUPS).some(([kind, of]) => kind === plural && of === group);
  return isKnown && namespace !== null ? { plural: plural as ForwardDto['plural'], namespace, object } : null;
}

/** The ports that a Service, a Pod or the Pods of a workload declare, each once. */
export function portsOf({ type, spec }: Pick<ResourceObjectDto, 'type' | 'spec'>): TargetPort[] {
  const fields = (spec ?? {}) as Received<ServiceSpec & DeploymentSpec & PodSpec>;
  const pods = type.plural === 'pods' ? fields : fields.template?.spec;
  const declared: Partial<ServicePort & ContainerPort>[] =
    type.plural === 'services'
      ? (fields.ports ?? [])
      : (pods?.containers ?? []).flatMap(({ ports = [] }) => ports);
  const ports = declared.map(({ name = '', port, containerPort, protocol = 'TCP' }) => ({
    name,
    number: port ?? containerPort ?? 0,
    protocol,
  }));
  return ports.filter(
    (port, index) =>
      ports.findIndex((one) => one.number === port.number && one.protocol === port.protocol) === index,
  );
}

/** The same number, or one that needs no privileges: 8080 for 80. */
export function suggestedLocalPort(port: number): number {
  return port < 1024 ? port + 8000 : port;
}
