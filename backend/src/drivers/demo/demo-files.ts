import type { NodeRole } from '../runtime/index.js';
import { recordedText } from './recorded.js';

/** The parts of a kind config that kind writes into files of its nodes. */
export interface DemoSettings {
  networking?: {
    podSubnet?: string;
    serviceSubnet?: string;
    apiServerAddress?: string;
    kubeProxyMode?: string;
    disableDefaultCNI?: boolean;
  };
  featureGates?: Record<string, boolean>;
  runtimeConfig?: Record<string, string>;
}

interface NodeOrigin {
  cluster: string;
  role: NodeRole;
  image: string;
  labels: Readonly<Record<string, string>>;
}

/** Files that kind would have written on a node, by path. */
export function demoFiles(
  { cluster, role, image, labels }: NodeOrigin,
  { networking = {}, featureGates = {}, runtimeConfig = {} }: DemoSettings,
): Record<string, string> {
  if (role === 'external-load-balancer') return {};
  const kubernetesVersion = /:(v\d+\.\d+\.\d+)/.exec(image)?.[1] ?? 'v1.34.4';
  const { podSubnet = '10.244.0.0/16', serviceSubnet = '10.96.0.0/16' } = networking;
  const { apiServerAddress = '127.0.0.1', kubeProxyMode: mode = 'iptables' } = networking;
  const fields: Readonly<Record<string, unknown>> = {
    VERSION: kubernetesVersion,
    CLUSTER: cluster,
    NAMES: ['localhost', apiServerAddress],
    RUNTIME_CONFIG: argument(runtimeConfig),
    POD_SUBNET: podSubnet,
    SERVICE_SUBNET: serviceSubnet,
    NODE_LABELS: argument(labels),
    SKIPPED: mode === 'none' ? ['preflight', 'addon/kube-proxy'] : [],
    FEATURE_GATES: featureGates,
    MODE: mode,
  };
  const [kubeadm = '', proxy = ''] = recordedText('kubeadm.yaml')
    // JSON is valid YAML.
    .replaceAll(/\b[A-Z_]{4,}\b/g, (field) => JSON.stringify(fields[field]))
    .split('# kube-proxy\n');
  return {
    '/kind/version': kubernetesVersion,
    '/kind/kubeadm.conf': mode === 'none' ? kubeadm : kubeadm + proxy,
    ...(networking.disableDefaultCNI === true
      ? {}
      : { '/etc/cni/net.d/10-kindnet.conflist': '{"name": "kindnet"}\n' }),
  };
}

function argument(pairs: Readonly<Record<string, string>>): string {
  return Object.entries(pairs)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}
