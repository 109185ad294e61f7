import type { NodeMount, NodeSettings, PublishedPort } from '../../drivers/runtime/index.js';
import type { KindConfig, KindMount, KindNode, KindPortMapping } from './kind-config.js';
import type { KubeadmFindings } from './read-kubeadm-config.js';

/** What a node tells of itself. */
export interface NodeFindings {
  settings: NodeSettings;
  /** From `/kind/version`: the tag that an image given by digest alone has lost. */
  kubernetesVersion: string | undefined;
  /** Undefined for the load balancer, and where kind did not come as far as writing it. */
  kubeadm: KubeadmFindings | undefined;
}

export interface ClusterFindings {
  name: string;
  /** Control planes and workers in kind's order, and the load balancer where there is one. */
  nodes: readonly NodeFindings[];
  /** Whether kind's own network was never set up; undefined where that cannot be told yet. */
  withoutDefaultNetwork: boolean | undefined;
  rootless: boolean;
}

/** Port of the API server within a node and within the load balancer. */
const API_PORT = 6443;
/** Paths of the machine that kind itself lets every node see (kind `commonArgs`, `runArgsForNode`). */
const KINDS_OWN_MOUNTS = new Set(['/lib/modules', '/dev/mapper']);
/** kind's defaults, by the family of addresses (kind `pkg/apis/config/v1alpha4/default.go`). */
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

/**
 * The config that kind would make the same cluster from, as far as its containers tell. What is kind's
 * default is left out, but for the port of the API server: one that was chosen by chance is kept too.
 */
export function rebuildKindConfig({
  name,
  nodes,
  withoutDefaultNetwork,
  rootless,
}: ClusterFindings): KindConfig {
  const members = nodes.filter(({ settings }) => settings.role !== 'external-load-balancer');
  const balancer = nodes.find(({ settings }) => settings.role === 'external-load-balancer');
  const told = members.map(({ kubeadm }) => kubeadm).find((kubeadm) => kubeadm !== undefined);
  const family = familyOf(told?.serviceSubnet ?? '');
  // Behind a load balancer kind publishes each control plane on loopback, wherever the API itself is served.
  const apiAddresses = balancer
    ? [DEFAULTS[family].address]
    : (told?.apiServerAddresses ?? [DEFAULTS[family].address]);
  const networking = {
    ipFamily: family === 'ipv4' ? undefined : family,
    ...apiServerOf((balancer ?? members[0])?.settings, apiAddresses, family),
    podSubnet: unless(DEFAULTS[family].podSubnet, told?.podSubnet),
    serviceSubnet: unless(DEFAULTS[family].serviceSubnet, told?.serviceSubnet),
    disableDefaultCNI: withoutDefaultNetwork === true ? true : undefined,
    kubeProxyMode: unless('iptables', told?.kubeProxyMode),
    dnsSearch: dnsSearchOf(members[0]?.settings),
  };
  const { KubeletInUserNamespace: addedByKind, ...gates } = told?.featureGates ?? {};
  const featureGates =
    addedByKind === undefined || rootless ? gates : { ...gates, KubeletInUserNamespace: addedByKind };
  return {
    kind: 'Cluster',
    apiVersion: 'kind.x-k8s.io/v1alpha4',
    name,
    ...whereFilled('networking', networking),
    ...whereFilled('featureGates', featureGates),
    ...whereFilled('runtimeConfig', told?.runtimeConfig ?? {}),
    nodes: members.map((node) => toKindNode(node, apiAddresses, family)),
  };
}

/** The image of a node with the tag that Podman drops from a reference with a digest. */
export function imageOf({ settings, kubernetesVersion }: NodeFindings): string {
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
      // kind's word for a port that the engine chooses.
      hostPort: hostPort === 0 ? -1 : hostPort,
      listenAddress: unless(everywhere, hostAddress),
      protocol: unless('TCP', protocol) as KindPortMapping['protocol'],
    }));
  const extraMounts = mounts.filter(({ hostPath }) => !KINDS_OWN_MOUNTS.has(hostPath)).map(toKindMount);
  return {
    role: role === 'worker' ? 'worker' : 'control-plane',
    image: imageOf(node),
    ...whereFilled('labels', node.kubeadm?.labels ?? {}),
    ...whereFilled('extraPortMappings', extraPortMappings),
    ...whereFilled('extraMounts', extraMounts),
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
 * The mapping of the API server that kind itself adds. Where others lead to the same port, it is the last on an
 * address that its certificate is valid for: Docker keeps the order in which they were asked for, Podman does not.
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

/** A value, unless it is what kind takes anyway. */
function unless(usual: string, value: string | undefined): string | undefined {
  return value === usual ? undefined : value;
}

function whereFilled<TKey extends string, TValue extends object>(
  key: TKey,
  value: TValue,
): Partial<Record<TKey, TValue>> {
  const filled = Object.values(value).some((entry) => entry !== undefined);
  return (filled ? { [key]: value } : {}) as Partial<Record<TKey, TValue>>;
}
