import { stringify } from '../../core/yaml/index.js';
import type { NodeRole } from '../runtime/index.js';

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

const KUBEADM = 'kubeadm.k8s.io/v1beta3';

/** Files that kind would have written on a node, by path. */
export function demoFiles(
  { cluster, role, image, labels }: NodeOrigin,
  { networking = {}, featureGates = {}, runtimeConfig = {} }: DemoSettings,
): Record<string, string> {
  if (role === 'external-load-balancer') return {};
  const kubernetesVersion = /:(v\d+\.\d+\.\d+)/.exec(image)?.[1] ?? 'v1.34.4';
  const { podSubnet = '10.244.0.0/16', serviceSubnet = '10.96.0.0/16' } = networking;
  const { apiServerAddress = '127.0.0.1', kubeProxyMode: mode = 'iptables' } = networking;
  const nodeRegistration = { kubeletExtraArgs: { 'node-labels': argument(labels) } };
  const documents = [
    {
      apiVersion: KUBEADM,
      kind: 'ClusterConfiguration',
      kubernetesVersion,
      clusterName: cluster,
      apiServer: {
        certSANs: ['localhost', apiServerAddress],
        extraArgs: { 'runtime-config': argument(runtimeConfig) },
      },
      networking: { podSubnet, serviceSubnet },
    },
    {
      apiVersion: KUBEADM,
      kind: 'InitConfiguration',
      nodeRegistration,
      ...(mode === 'none' ? { skipPhases: ['preflight', 'addon/kube-proxy'] } : {}),
    },
    { apiVersion: KUBEADM, kind: 'JoinConfiguration', nodeRegistration },
    { apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration', featureGates },
    ...(mode === 'none'
      ? []
      : [{ apiVersion: 'kubeproxy.config.k8s.io/v1alpha1', kind: 'KubeProxyConfiguration', mode }]),
  ];
  return {
    '/kind/version': kubernetesVersion,
    '/kind/kubeadm.conf': documents.map((document) => stringify(document)).join('---\n'),
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
