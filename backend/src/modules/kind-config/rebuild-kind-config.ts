import type { NodeMount, NodeSettings, PublishedPort } from '../../drivers/runtime/index.js';
import type { KindConfig, KindMount, KindNode, KindPortMapping } from './kind-config.js';
import type { KubeadmFindings } from './read-kubeadm-config.js';

/** The settings that were read from a node. */
export interface NodeFindings {
  settings: NodeSettings;
  /** From `/kind/version`. Completes an image that has a digest and no tag. */
  kubernetesVersion: string | undefined;
  /** Undefined for the load balancer, and if kind failed before it wrote the file. */
  kubeadm: KubeadmFindings | undefined;
}

export interface ClusterFindings {
  name: string;
  /** In kind's order, including the load balancer. */
  nodes: readonly NodeFindings[];
  /** Whether kindnet was never set up. */
  withoutDefaultNetwork: boolean;
  rootless: boolean;
}

/** Port of the API server in a node and in the load balancer. */
const API_PORT = 6443;
/** Host paths that kind mounts in every node (kind `commonArgs`, `runArgsForNode`). */
const KINDS_OWN_MOUNTS = new Set(['/lib/modules', '/dev/mapper']);
/** kind's defaults by IP family (kind `pkg/apis/config/v1alpha4/default.go`). */
const DEFAULTS = {
  ipv4: { podSubnet: '10.244.0.0/16', serviceSubnet: '10.96.0.0/16', address: '127.0.0.1' },
  ipv6: { podSubnet: 'fd00:10:244::/56', serviceSubnet: 'fd00:10:96::/112', address: '::1' },
  dual: {
    podSubnet: '10.244.0.0/16,fd00:10:244::/56',
    serviceSubnet: '10.96.0.0/16,fd00:10:96::/112',
    address: '127.0.0.1',
  },
} as const;
type Family = keyof typeof DEFAULTS;

/** Rebuilds the config of a cluster. Omits kind's defaults, except for the port of the API server. */
export function rebuildKindConfig({
  name,
  nodes,
  withoutDefaultNetwork,
  rootless,
}: ClusterFindings): KindConfig {
  const members = nodes.filter(({ settings }) => settings.role !== 'external-load-balancer');
  const balancer = nodes.find(({ settings }) => settings.role === 'external-load-balancer');
  const kubeadm = members.find((node) => node.kubeadm !== undefined)?.kubeadm;
  const family = familyOf(kubeadm?.serviceSubnet ?? '');
  // Behind a load balancer, kind publishes each control plane on the loopback address.
  const apiAddresses = (balancer ? undefined : kubeadm?.apiServerAddresses) ?? [DEFAULTS[family].address];
  const networking = {
    ipFamily: family === 'ipv4' ? undefined : family,
    ...apiServerOf((balancer ?? members[0])?.settings, apiAddresses, family),
    podSubnet: unless(DEFAULTS[family].podSubnet, kubeadm?.podSubnet),
    serviceSubnet: unless(DEFAULTS[family].serviceSubnet, kubeadm?.serviceSubnet),
    disableDefaultCNI: withoutDefaultNetwork ? true : undefined,
    kubeProxyMode: unless('iptables', kubeadm?.kubeProxyMode),
    dnsSearch: dnsSearchOf(members[0]?.settings),
  };
  const { KubeletInUserNamespace: addedByKind, ...gates } = kubeadm?.featureGates ?? {};
  const featureGates =
    addedByKind === undefined || rootless ? gates : { ...gates, KubeletInUserNamespace: addedByKind };
  return {
    kind: 'Cluster',
    apiVersion: 'kind.x-k8s.io/v1alpha4',
    name,
    ...unlessEmpty('networking', networking),
    ...unlessEmpty('featureGates', featureGates),
    ...unlessEmpty('runtimeConfig', kubeadm?.runtimeConfig ?? {}),
    nodes: members.map((node) => toKindNode(node, apiAddresses, family)),
  };
}

/** Podman drops the tag of a reference with a digest. */
function imageOf({ settings, kubernetesVersion }: NodeFindings): string {
  const [repository = '', digest] = settings.image.split('@');
  const named = repository.slice(repository.lastIndexOf('/') + 1);
  return digest === undefined || named.includes(':') || kubernetesVersion === undefined
    ? settings.image
    : `${repository}:${kubernetesVersion}@${digest}`;
}

function toKindNode(node: NodeFindings, apiAddresses: readonly string[], family: Family): KindNode {
  const { role, ports, mounts } = node.settings;
  const everywhere = family === 'ipv6' ? '::' : '0.0.0.0';
  const own = apiMappingOf(node.settings, apiAddresses);
  const extraPortMappings = ports
    .filter((port) => port !== own)
    .map(({ containerPort, hostPort, hostAddress, protocol }): KindPortMapping => ({
      containerPort,
      // -1 lets the engine choose the port.
      hostPort: hostPort === 0 ? -1 : hostPort,
      listenAddress: unless(everywhere, hostAddress),
      protocol: unless('TCP', protocol) as KindPortMapping['protocol'],
    }));
  const extraMounts = mounts.filter(({ hostPath }) => !KINDS_OWN_MOUNTS.has(hostPath)).map(toKindMount);
  return {
    role: role === 'worker' ? 'worker' : 'control-plane',
    image: imageOf(node),
    ...unlessEmpty('labels', node.kubeadm?.labels ?? {}),
    ...unlessEmpty('extraPortMappings', extraPortMappings),
    ...unlessEmpty('extraMounts', extraMounts),
  };
}

function toKindMount({ hostPath, containerPath, readOnly, propagation, relabelled }: NodeMount): KindMount {
  return {
    hostPath,
    containerPath,
    readOnly: readOnly ? true : undefined,
    selinuxRelabel: relabelled ? true : undefined,
    propagation:
      propagation === 'private' ? undefined : propagation === 'rslave' ? 'HostToContainer' : 'Bidirectional',
  };
}

/**
 * The mapping of the API server that kind adds. If others have the same container port, it is the last one with an
 * address of the certificate: Docker keeps the order of mappings, Podman does not.
 */
function apiMappingOf(
  { role, ports }: NodeSettings,
  apiAddresses: readonly string[],
): PublishedPort | undefined {
  if (role === 'worker') return undefined;
  const candidates = ports.filter(
    ({ containerPort, protocol }) => containerPort === API_PORT && protocol === 'TCP',
  );
  return candidates.findLast(({ hostAddress }) => apiAddresses.includes(hostAddress)) ?? candidates.at(-1);
}

function apiServerOf(
  entry: NodeSettings | undefined,
  apiAddresses: readonly string[],
  family: Family,
): Pick<NonNullable<KindConfig['networking']>, 'apiServerAddress' | 'apiServerPort'> {
  const mapping = entry && apiMappingOf(entry, apiAddresses);
  if (!mapping) return {};
  return {
    apiServerAddress: unless(DEFAULTS[family].address, mapping.hostAddress),
    apiServerPort: mapping.hostPort === 0 ? -1 : mapping.hostPort,
  };
}

function dnsSearchOf(node: NodeSettings | undefined): string[] | undefined {
  const search = node?.environment['KIND_DNS_SEARCH'];
  return search === undefined ? undefined : search.split(' ').filter((domain) => domain !== '');
}

function familyOf(subnets: string): Family {
  if (subnets.includes(',')) return 'dual';
  return subnets.includes(':') ? 'ipv6' : 'ipv4';
}

/** Omits a default. */
function unless(usual: string, value: string | undefined): string | undefined {
  return value === usual ? undefined : value;
}

function unlessEmpty<TKey extends string, TValue extends object>(
  key: TKey,
  value: TValue,
): Partial<Record<TKey, TValue>> {
  const filled = Object.values(value).some((entry) => entry !== undefined);
  return (filled ? { [key]: value } : {}) as Partial<Record<TKey, TValue>>;
}
