import type { LogSourceDto } from '../../shared/api/api-types';
import { served } from '../../shared/api/base-path';

type Place = Pick<LogSourceDto, 'runtime' | 'cluster' | 'namespace' | 'workload' | 'kind' | 'name' | 'state'>;

/** API groups of the kinds by which Pods are grouped. */
const GROUPS: Readonly<Record<string, string>> = {
  Deployment: 'apps',
  StatefulSet: 'apps',
  DaemonSet: 'apps',
  ReplicaSet: 'apps',
  Job: 'batch',
  CronJob: 'batch',
};

/** Page of the cluster in the dashboard. The server redirects it to the right port. Null outside clusters. */
export function clusterAddress({ cluster, runtime }: Place): string | null {
  return cluster === null ? null : page(cluster, runtime, '');
}

/** Page of the Pod or node, with its panel; null if it was deleted. */
export function ownAddress(source: Place): string | null {
  const { kind, cluster, state, namespace, name } = source;
  if (cluster === null || state === 'gone') return null;
  return kind === 'pod'
    ? objectAddress(source, 'core', 'pods', `${namespace}/${name}`)
    : objectAddress(source, 'core', 'nodes', name);
}

/** Page of the workload, with its panel; null without one. */
export function workloadAddress(source: Place): string | null {
  const [kind = '', name = ''] = source.workload?.split('/') ?? [];
  const group = GROUPS[kind];
  return group === undefined
    ? null
    : objectAddress(source, group, `${kind.toLowerCase()}s`, `${source.namespace}/${name}`);
}

function objectAddress({ cluster, runtime }: Place, group: string, plural: string, object: string): string {
  const query = `&object=${encodeURIComponent(object)}`;
  return page(cluster ?? '', runtime, `/resources/${group}/v1/${plural}`, query);
}

function page(cluster: string, runtime: string, path: string, query = ''): string {
  return served(`/dashboard/cluster/${cluster}${path}?runtime=${encodeURIComponent(runtime)}${query}`);
}
