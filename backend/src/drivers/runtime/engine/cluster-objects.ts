import type { ClusterContainer, ClusterVolume } from '../runtime-driver.js';
import type { ContainerSummary, InspectedVolume } from './engine-responses.js';
import { nameOf, timeOf } from './node-container.js';

export function toClusterContainer(summary: ContainerSummary): ClusterContainer {
  return {
    id: summary.Id,
    name: nameOf(summary),
    createdAt: new Date((summary.Created ?? 0) * 1000).toISOString(),
    volumes: (summary.Mounts ?? [])
      .filter(({ Type, Name }) => Type === 'volume' && Name !== undefined && Name !== '')
      .map(({ Name = '' }) => Name),
  };
}

export function toClusterVolume(
  cluster: string,
  name: string,
  { Labels, CreatedAt }: InspectedVolume,
): ClusterVolume {
  return { name, node: nodeAmong(Labels, cluster), createdAt: timeOf(CreatedAt) };
}

/** The node of a volume: on Podman, kind labels volumes with the name of the node. */
export function nodeAmong(labels: Record<string, string> | null | undefined, cluster: string): string | null {
  // eslint-disable-next-line no-restricted-syntax -- The name is escaped.
  const node = new RegExp(`^${RegExp.escape(cluster)}-(control-plane|worker|external-load-balancer)\\d*$`);
  return Object.keys(labels ?? {}).find((label) => node.test(label)) ?? null;
}
