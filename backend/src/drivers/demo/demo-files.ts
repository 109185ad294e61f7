import { stringify } from '../../core/yaml/index.js';
import type { NodeRole } from '../runtime/index.js';

/** What of a kind config ends up in a node's own files. */
export interface DemoNetworking {
  podSubnet?: string;
  serviceSubnet?: string;
  apiServerAddress?: string;
  kubeProxyMode?: string;
  disableDefaultCNI?: boolean;
}

interface NodeOrigin {
  cluster: string;
  role: NodeRole;
  image: string;
  labels: Readonly<Record<string, string>>;
  networking: DemoNetworking;
  featureGates: Readonly<Record<string, boolean>>;
  runtimeConfig: Readonly<Record<string, string>>;
}

/** The files of a node that kind would have left there, by their paths. */
export function demoFiles({
  cluster,
  role,
  image,
  labels,
  networking,
  featureGates,
  runtimeConfig,
}: NodeOrigin): Record<string, string> {
  if (role === 'external-load-balancer') return {};
  const version = /:(v\d+\.\d+\.\d+)/.exec(image)?.[1] ?? 'v1.34.4';
  const registration = { nodeRegistration: { kubeletExtraArgs: { 'node-labels': joined(labels) } } };
  const { kubeProxyMode = 'iptables' } = networking;
  const documents = [
    {
      apiVersion: 'kubeadm.k8s.io/v1beta3',
      kind: 'ClusterConfiguration',
      kubernetesVersion: version,
      clusterName: cluster,
      apiServer: {
        certSANs: ['localhost', networking.apiServerAddress ?? '127.0.0.1'],
        extraArgs: { 'runtime-config': joined(runtimeConfig) },
      },
      networking: {
        podSubnet: networking.podSubnet ?? '10.244.0.0/16',
        serviceSubnet: networking.serviceSubnet ?? '10.96.0.0/16',
      },
    },
    {
      apiVersion: 'kubeadm.k8s.io/v1beta3',
      kind: 'InitConfiguration',
      ...registration,
      ...(kubeProxyMode === 'none' ? { skipPhases: ['preflight', 'addon/kube-proxy'] } : {}),
    },
    { apiVersion: 'kubeadm.k8s.io/v1beta3', kind: 'JoinConfiguration', ...registration },
    { apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration', featureGates },
    ...(kubeProxyMode === 'none'
      ? []
      : [
          {
            apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
            kind: 'KubeProxyConfiguration',
            mode: kubeProxyMode,
          },
        ]),
  ];
  return {
    '/kind/version': version,
    '/kind/kubeadm.conf': documents.map((document) => stringify(document)).join('---\n'),
    ...(networking.disableDefaultCNI === true
      ? {}
      : { '/etc/cni/net.d/10-kindnet.conflist': '{"name": "kindnet"}\n' }),
  };
}

function joined(pairs: Readonly<Record<string, string>>): string {
  return Object.entries(pairs)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}
