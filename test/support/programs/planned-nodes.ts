import { parseAllDocuments, type Document } from 'yaml';
import { readTranscript, type EngineName } from '../../transcripts/transcript.js';
import type { ScriptedNode, ScriptedRole } from '../engine/engine-world.js';

/** The supported parts of kind's config. */
export interface KindConfig {
  networking?: {
    podSubnet?: string;
    serviceSubnet?: string;
    kubeProxyMode?: string;
    disableDefaultCNI?: boolean;
  };
  featureGates?: Record<string, boolean>;
  runtimeConfig?: Record<string, string>;
  nodes?: {
    role?: string;
    image?: string;
    labels?: Record<string, string>;
    extraPortMappings?: {
      containerPort?: number;
      hostPort?: number;
      listenAddress?: string;
      protocol?: string;
    }[];
    extraMounts?: { hostPath?: string; containerPath?: string; readOnly?: boolean }[];
  }[];
}

export type PlannedNode = Pick<ScriptedNode, 'name' | 'role' | 'image' | 'ports' | 'mounts' | 'files'>;

/** kind's token, which is the same in all clusters. */
const TOKEN = 'abcdef.0123456789abcdef';

/** The nodes that kind creates from a config. */
export function planNodes(engine: EngineName, cluster: string, config: KindConfig): PlannedNode[] {
  const counts = new Map<string, number>();
  const planned = (config.nodes ?? [{}]).map((node): PlannedNode => {
    const { image = '', labels = {}, extraPortMappings = [], extraMounts = [] } = node;
    const role = (node.role ?? 'control-plane') as ScriptedRole;
    const count = (counts.get(role) ?? 0) + 1;
    counts.set(role, count);
    return {
      name: `${cluster}-${role}${count > 1 ? count : ''}`,
      role,
      image,
      ports: extraPortMappings.map(
        ({ containerPort = 0, hostPort = 0, listenAddress = '0.0.0.0', protocol = 'TCP' }) => ({
          hostAddress: listenAddress,
          hostPort,
          containerPort,
          protocol,
        }),
      ),
      mounts: extraMounts.map(({ hostPath = '', containerPath = '', readOnly = false }) => ({
        hostPath,
        containerPath,
        readOnly,
      })),
      files: filesOf(engine, cluster, role, image, config, labels),
    };
  });
  if ((counts.get('control-plane') ?? 0) !== 1) throw new Error('only one control plane was recorded');
  return planned;
}

/** Files that kind creates in nodes. */
function filesOf(
  engine: EngineName,
  cluster: string,
  role: ScriptedRole,
  image: string,
  config: KindConfig,
  labels: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    '/kind/version': /:(v[^@]+)/.exec(image)?.[1] ?? '',
    '/kind/kubeadm.conf': kubeadmConf(engine, cluster, role, config, labels),
    ...(config.networking?.disableDefaultCNI === true ? {} : { '/etc/cni/net.d/10-kindnet.conflist': '{}' }),
  };
}

/** The recorded `/kind/kubeadm.conf` with the values of a config. */
function kubeadmConf(
  engine: EngineName,
  cluster: string,
  role: ScriptedRole,
  { networking = {}, featureGates, runtimeConfig }: KindConfig,
  labels: Readonly<Record<string, string>>,
): string {
  const request = `GET /containers/{${role}.id}/archive?path=/kind/kubeadm.conf`;
  const recorded = readTranscript(engine).exchanges.find((exchange) => exchange.request === request);
  const { content = '' } = (recorded?.body ?? {}) as { content?: string };
  const documents = parseAllDocuments(
    content
      .replaceAll('{cluster}', cluster)
      .replaceAll('{bootstrap-token}', TOKEN)
      .replaceAll(/\{(control-plane|worker)\.address\}/g, '172.18.0.2'),
  ) as Document[];
  const set = (kind: string, path: string[], value: unknown): void => {
    const document = documents.find((candidate) => candidate.get('kind') === kind);
    if (!document) throw new Error(`no ${kind} was recorded`);
    if (value !== undefined) document.setIn(path, value);
  };
  const joined = (pairs: Readonly<Record<string, string>>): string =>
    Object.entries(pairs)
      .map(([key, value]) => `${key}=${value}`)
      .join(',');
  set('ClusterConfiguration', ['networking', 'podSubnet'], networking.podSubnet);
  set('ClusterConfiguration', ['networking', 'serviceSubnet'], networking.serviceSubnet);
  set('ClusterConfiguration', ['apiServer', 'extraArgs', 'runtime-config'], joined(runtimeConfig ?? {}));
  for (const kind of ['InitConfiguration', 'JoinConfiguration']) {
    set(kind, ['nodeRegistration', 'kubeletExtraArgs', 'node-labels'], joined(labels));
  }
  set('KubeletConfiguration', ['featureGates'], featureGates);
  if (networking.kubeProxyMode === 'none') {
    set('InitConfiguration', ['skipPhases'], ['preflight', 'addon/kube-proxy']);
    documents.splice(
      documents.findIndex((document) => document.get('kind') === 'KubeProxyConfiguration'),
      1,
    );
  } else set('KubeProxyConfiguration', ['mode'], networking.kubeProxyMode);
  return documents.map((document) => document.toString({ directives: false })).join('---\n');
}
