import { stringify } from '../../core/yaml/index.js';
import { decodeKindConfig, editKindConfig } from './edit-kind-config.js';
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

/** Adds the cluster name, and an image for nodes without one. The rest of the text stays as it is. */
export function completeKindConfig(
  { text, config }: ParsedConfig,
  name: string,
  image: string,
): { text: string; config: KindConfig } {
  const given = config.nodes?.length ? config.nodes : [{ role: 'control-plane' as const }];
  const nodes = given.map((node) => ({ ...node, image: node.image ?? image }));
  const completed = editKindConfig(text, { ...config, name, nodes });
  return { text: completed, config: decodeKindConfig(completed) };
}

/** Changes the name and the ports that move. The rest of the text stays as it is. */
export function cloneKindConfig(
  text: string,
  name: string,
  moves: readonly { where: string; to: number }[],
): string {
  const config = decodeKindConfig(text);
  for (const { where, to } of moves) {
    const path = toPath(where);
    const parent = path
      .slice(0, -1)
      .reduce<unknown>((value, key) => (value as Fields | undefined)?.[key], config);
    (parent as Fields)[path.at(-1) ?? ''] = to;
  }
  return editKindConfig(text, { ...config, name });
}

type Fields = Record<string | number, unknown>;
