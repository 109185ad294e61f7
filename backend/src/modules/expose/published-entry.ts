import { isLoopbackAddress } from '../../core/security/index.js';
import { PODS, specOf, type KubernetesObject, type ResourceApi } from '../../drivers/kubernetes/index.js';
import type { NodeContainer, PublishedPort } from '../../drivers/runtime/index.js';
import { isRunning } from '../forwards/index.js';

/** A port of this machine that leads to the HTTP port of an ingress controller. */
export interface PublishedEntry {
  hostPort: number;
  /** Whether only this machine can connect to it. */
  isLoopback: boolean;
}

const SERVICES = { group: '', version: 'v1', plural: 'services' };
/** The label that charts give to their IngressClass and their Pods. */
const NAME_LABEL = 'app.kubernetes.io/name';
const ANY_ADDRESS = ['', '0.0.0.0', '::'];

/**
 * Finds a published port of the nodes on which the controller of an IngressClass listens for HTTP: as a host port of its
 * Pod, or as a node port of its Service. An IngressClass does not name its Pods, so they are found by their common label;
 * without one, by the port alone.
 */
export async function findEntry(
  api: ResourceApi,
  ingressClass: KubernetesObject,
  nodes: readonly NodeContainer[],
): Promise<PublishedEntry | null> {
  const wanted = ingressClass.metadata.labels?.[NAME_LABEL];
  const isOfController = ({ metadata }: KubernetesObject): boolean =>
    wanted === undefined || metadata.labels?.[NAME_LABEL] === wanted;
  const publishing = nodes
    .filter(({ role }) => role !== 'external-load-balancer')
    .map(({ name, ports }) => ({ name, ports: ports.filter(isUsable) }))
    .filter(({ ports }) => ports.length > 0);
  for (const { name, ports } of publishing) {
    const pods = await api.list(PODS, { fieldSelector: `spec.nodeName=${name}` });
    const open = pods.filter((pod) => isOfController(pod) && isRunning(pod)).flatMap(hostPortsOf);
    const found = ports.find(({ containerPort }) => open.includes(containerPort));
    if (found) return entryOf(found);
  }
  if (publishing.length === 0) return null;
  const services = await api.list(SERVICES);
  const open = services.filter(isOfController).flatMap(nodePortsOf);
  const found = publishing
    .flatMap(({ ports }) => ports)
    .find(({ containerPort }) => open.includes(containerPort));
  return found ? entryOf(found) : null;
}

function isUsable({ hostAddress, hostPort, protocol }: PublishedPort): boolean {
  const isReached = ANY_ADDRESS.includes(hostAddress) || isLoopbackAddress(hostAddress);
  return isReached && hostPort > 0 && protocol.toUpperCase() === 'TCP';
}

function entryOf({ hostAddress, hostPort }: PublishedPort): PublishedEntry {
  return { hostPort, isLoopback: !ANY_ADDRESS.includes(hostAddress) };
}

/** Numbers of the host ports of a Pod that speak HTTP. */
function hostPortsOf(pod: KubernetesObject): number[] {
  const { containers = [] } = specOf(pod);
  return containers
    .flatMap(({ ports = [] }) => ports)
    .filter(({ name, hostPort, hostIP = '' }) => isHttp(name, hostPort) && ANY_ADDRESS.includes(hostIP))
    .flatMap(({ hostPort, protocol = 'TCP' }) =>
      hostPort !== undefined && protocol === 'TCP' ? hostPort : [],
    );
}

function nodePortsOf(service: KubernetesObject): number[] {
  const { ports = [] } = specOf(service);
  return ports
    .filter(({ name, port }) => isHttp(name, port))
    .flatMap(({ nodePort, protocol = 'TCP' }) =>
      nodePort !== undefined && protocol === 'TCP' ? nodePort : [],
    );
}

/** By what the ports of ingress controllers are called. */
function isHttp(name: string | undefined, number: number | undefined): boolean {
  return number === 80 || name === 'http' || name === 'web';
}
