import { isMap, isSeq, parseYaml, stringify, toValue } from '../../core/yaml/index.js';
import { toPath, type KindConfig, type KindNode } from './kind-config.js';
import type { ParsedConfig } from './parse-kind-config.js';

/** What a person asked for, without a config of their own. */
export interface ClusterOptions {
  name: string;
  controlPlanes: number;
  workers: number;
  image: string;
  portMappings: {
    containerPort: number;
    hostPort: number;
    listenAddress: string;
    protocol: 'TCP' | 'UDP' | 'SCTP';
  }[];
  mounts: { hostPath: string; containerPath: string; readOnly: boolean }[];
}

/** Writes the config of a wish. Ports go to the first control plane, where kind's own guides put an ingress; mounts to every node. */
export function renderKindConfig(wish: ClusterOptions): { text: string; config: KindConfig } {
  const mounts = wish.mounts.map(({ hostPath, containerPath, readOnly }) => ({
    hostPath,
    containerPath,
    ...(readOnly ? { readOnly } : {}),
  }));
  const common: Pick<KindNode, 'image' | 'extraMounts'> = {
    image: wish.image,
    ...(mounts.length > 0 ? { extraMounts: mounts } : {}),
  };
  const nodes: KindNode[] = [];
  for (let index = 0; index < wish.controlPlanes; index += 1) {
    const ports = index === 0 && wish.portMappings.length > 0 ? { extraPortMappings: wish.portMappings } : {};
    nodes.push({ role: 'control-plane', ...common, ...ports });
  }
  for (let index = 0; index < wish.workers; index += 1) nodes.push({ role: 'worker', ...common });
  const config: KindConfig = {
    kind: 'Cluster',
    apiVersion: 'kind.x-k8s.io/v1alpha4',
    name: wish.name,
    nodes,
  };
  return { text: stringify(config, { lineWidth: 0, aliasDuplicateObjects: false }), config };
}

/**
 * Completes a config that somebody wrote: the name of the cluster, and an image for every node that names
 * none. Comments and order stay as they are, and a config that lacks nothing stays as it is, to the byte.
 */
export function completeKindConfig(
  { text, config }: ParsedConfig,
  name: string,
  image: string,
): { text: string; config: KindConfig } {
  const { nodes: named = [] } = config;
  const lacksImage = named.length === 0 || named.some((node) => node.image === undefined);
  if (config.name === name && !lacksImage) return { text, config };
  const document = parseYaml(text);
  document.set('name', name);
  if (named.length === 0) document.set('nodes', document.createNode([{ role: 'control-plane' }]));
  const nodes = document.get('nodes');
  if (isSeq(nodes)) {
    for (const node of nodes.items) {
      if (isMap(node) && !node.has('image')) node.set('image', image);
    }
  }
  return { text: document.toString({ lineWidth: 0 }), config: toValue(document) as KindConfig };
}

/** The config of a clone as text. Comments and order stay. */
export function cloneKindConfig(
  text: string,
  name: string,
  moves: readonly { where: string; to: number }[],
): string {
  const document = parseYaml(text);
  document.set('name', name);
  for (const { where, to } of moves) document.setIn(toPath(where), to);
  return document.toString({ lineWidth: 0 });
}
