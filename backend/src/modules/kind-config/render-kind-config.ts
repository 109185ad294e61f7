import { isMap, isSeq, parseYaml, stringify, toValue } from '../../core/yaml/index.js';
import {
  toPath,
  type KindConfig,
  type KindMount,
  type KindNode,
  type KindPortMapping,
} from './kind-config.js';
import type { ParsedConfig } from './parse-kind-config.js';

/** A cluster that is created from fields and not from a config. */
export interface ClusterOptions {
  name: string;
  controlPlanes: number;
  workers: number;
  image: string;
  portMappings: KindPortMapping[];
  mounts: KindMount[];
}

/** Ports are mapped to the first control plane, where kind's guides put an ingress. Every node gets the mounts. */
export function renderKindConfig(options: ClusterOptions): { text: string; config: KindConfig } {
  const { name, image, portMappings, mounts } = options;
  const common = { image, ...(mounts.length > 0 ? { extraMounts: mounts } : {}) };
  const nodes = Array.from({ length: options.controlPlanes + options.workers }, (_, index): KindNode => ({
    role: index < options.controlPlanes ? 'control-plane' : 'worker',
    ...common,
    ...(index === 0 && portMappings.length > 0 ? { extraPortMappings: portMappings } : {}),
  }));
  const config: KindConfig = { kind: 'Cluster', apiVersion: 'kind.x-k8s.io/v1alpha4', name, nodes };
  return { text: stringify(config, { lineWidth: 0, aliasDuplicateObjects: false }), config };
}

/**
 * Adds the cluster name, and an image for nodes without one. Keeps comments and order; a complete config stays
 * unchanged to the byte.
 */
export function completeKindConfig(
  { text, config }: ParsedConfig,
  name: string,
  image: string,
): { text: string; config: KindConfig } {
  const { nodes: given = [] } = config;
  const lacksImage = given.length === 0 || given.some((node) => node.image === undefined);
  if (config.name === name && !lacksImage) return { text, config };
  const document = parseYaml(text);
  document.set('name', name);
  if (given.length === 0) document.set('nodes', document.createNode([{ role: 'control-plane' }]));
  const nodes = document.get('nodes');
  if (isSeq(nodes)) {
    for (const node of nodes.items) {
      if (isMap(node) && !node.has('image')) node.set('image', image);
    }
  }
  return { text: document.toString({ lineWidth: 0 }), config: toValue(document) as KindConfig };
}

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
