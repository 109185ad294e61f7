import { isIP } from 'node:net';
import { posix } from 'node:path';
import { NODE_IMAGE_TAG } from '../../core/security/grammar.js';
import type { ClusterShape, ProvisionerStatus } from '../../drivers/provisioner/index.js';

/** The fields of kind's v1alpha4 cluster config that Slipway reads. It keeps the others unchanged. */
export interface KindConfig {
  kind: 'Cluster';
  apiVersion: 'kind.x-k8s.io/v1alpha4';
  name?: string;
  nodes?: KindNode[];
  networking?: {
    ipFamily?: string;
    apiServerPort?: number;
    apiServerAddress?: string;
    disableDefaultCNI?: boolean;
    podSubnet?: string;
    serviceSubnet?: string;
    kubeProxyMode?: string;
    dnsSearch?: string[];
  };
  featureGates?: Record<string, boolean>;
  runtimeConfig?: Record<string, string>;
  kubeadmConfigPatches?: string[];
  kubeadmConfigPatchesJSON6902?: unknown[];
  containerdConfigPatches?: string[];
  containerdConfigPatchesJSON6902?: string[];
}

export interface KindNode {
  role?: 'control-plane' | 'worker';
  image?: string;
  labels?: Record<string, string>;
  extraMounts?: KindMount[];
  extraPortMappings?: KindPortMapping[];
  kubeadmConfigPatches?: string[];
  kubeadmConfigPatchesJSON6902?: unknown[];
}

export interface KindMount {
  containerPath?: string;
  hostPath?: string;
  readOnly?: boolean;
  selinuxRelabel?: boolean;
  propagation?: string;
}

export interface KindPortMapping {
  containerPort?: number;
  hostPort?: number;
  listenAddress?: string;
  protocol?: 'TCP' | 'UDP' | 'SCTP';
}

export interface HostPort {
  address: string;
  port: number;
  protocol: string;
}

/** A host port that a config maps. */
export interface WantedPort extends HostPort {
  protocol: 'TCP' | 'UDP' | 'SCTP';
  /** Path of the field in the config. */
  where: string;
}

/** The nodes of a config. Without any, kind creates one control plane. */
export function nodesOf(config: KindConfig): KindNode[] {
  return config.nodes && config.nodes.length > 0 ? config.nodes : [{ role: 'control-plane' }];
}

export function countRoles(config: KindConfig): { controlPlanes: number; workers: number } {
  const nodes = nodesOf(config);
  const workers = nodes.filter((node) => node.role === 'worker').length;
  return { controlPlanes: nodes.length - workers, workers };
}

export function shapeOf(config: KindConfig): ClusterShape {
  return { ...countRoles(config), withoutDefaultNetwork: config.networking?.disableDefaultCNI === true };
}

/** A normalized container path for comparisons; undefined for an empty one. */
export function mountPoint(path: string | undefined): string | undefined {
  if (path === undefined || path === '') return undefined;
  return posix.normalize(path).replace(/(.)\/$/, '$1');
}

/** Distinct node images of a config, in order. */
export function imagesOf(config: KindConfig): string[] {
  return [...new Set(nodesOf(config).flatMap((node) => node.image ?? []))];
}

/** The images that a creation needs: node images, and the load balancer of several control planes. */
export function requiredImages(
  config: KindConfig,
  { loadBalancerImage }: Pick<ProvisionerStatus, 'loadBalancerImage'>,
): string[] {
  const balanced = countRoles(config).controlPlanes > 1 && loadBalancerImage !== null;
  return balanced ? [...imagesOf(config), loadBalancerImage] : imagesOf(config);
}

/** Host ports that must be free. Excludes ports that kind or the engine chooses (0, -1). */
export function wantedPorts(config: KindConfig): WantedPort[] {
  const ports: WantedPort[] = [];
  const { apiServerPort = 0 } = config.networking ?? {};
  if (apiServerPort > 0) {
    ports.push({
      address: apiServerAddressOf(config),
      port: apiServerPort,
      protocol: 'TCP',
      where: 'networking.apiServerPort',
    });
  }
  for (const [nodeIndex, node] of nodesOf(config).entries()) {
    for (const [index, mapping] of (node.extraPortMappings ?? []).entries()) {
      if (!mapping.hostPort || mapping.hostPort <= 0) continue;
      ports.push({
        address: mapping.listenAddress ?? '0.0.0.0',
        port: mapping.hostPort,
        protocol: mapping.protocol ?? 'TCP',
        where: `nodes[${nodeIndex}].extraPortMappings[${index}].hostPort`,
      });
    }
  }
  return ports;
}

/** Ports of nodes that a config publishes on the host. Excludes host ports that the engine chooses. */
export function publishedPorts(
  config: KindConfig,
): { listen_address: string; host_port: number; container_port: number; protocol: string }[] {
  return nodesOf(config)
    .flatMap(({ extraPortMappings = [] }) => extraPortMappings)
    .filter(({ hostPort = 0 }) => hostPort > 0)
    .map(({ listenAddress = '0.0.0.0', hostPort = 0, containerPort = 0, protocol = 'TCP' }) => ({
      listen_address: listenAddress,
      host_port: hostPort,
      container_port: containerPort,
      protocol,
    }));
}

/** IPv6 addresses of the host on which a config publishes ports, with their places. Without any, a host needs no IPv6. */
export function ipv6Addresses(config: KindConfig): { where: string; address: string }[] {
  const mappings = nodesOf(config).flatMap(({ extraPortMappings = [] }, node) =>
    extraPortMappings.map(({ listenAddress = '' }, index) => ({
      where: `nodes[${node}].extraPortMappings[${index}].listenAddress`,
      address: listenAddress,
    })),
  );
  const server = { where: 'networking.apiServerAddress', address: apiServerAddressOf(config) };
  return [server, ...mappings].filter(({ address }) => address.includes(':'));
}

function apiServerAddressOf({ networking }: KindConfig): string {
  return networking?.apiServerAddress ?? (networking?.ipFamily === 'ipv6' ? '::1' : '127.0.0.1');
}

/** Whether two ports conflict. The unspecified address conflicts with every address. */
export function portsClash(one: HostPort, other: HostPort): boolean {
  if (one.port !== other.port || one.protocol !== other.protocol) return false;
  const [address, otherAddress] = [canonical(one.address), canonical(other.address)];
  return address === otherAddress || address === ANY || otherAddress === ANY;
}

/** Whether kind takes a text as an IP address. It takes no zones. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}

const ANY = '0.0.0.0';

/** One spelling for each address: IPv6 has many. */
function canonical(address: string): string {
  const spelled =
    isAddress(address) && address.includes(':') ? new URL(`http://[${address}]`).hostname : address;
  return spelled === '' || spelled === '[::]' ? ANY : spelled;
}

/** The tag of a node image as in POST /clusters, with its digest if it has one; null for a foreign image. */
export function nodeImageTagOf(image: string | undefined): string | null {
  const [, tag = '', digest = ''] = /^[^@]*:(v[^:/@]+)(@sha256:[0-9a-f]{64})?$/.exec(image ?? '') ?? [];
  const whole = `${tag}${digest}`;
  return NODE_IMAGE_TAG.test(whole) ? whole : null;
}

/** Converts `nodes[0].hostPort` to a path in a YAML document. */
export function toPath(where: string): (string | number)[] {
  return where
    .split(/[.[\]]+/)
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
