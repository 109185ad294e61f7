import type { ClusterKey } from '../../shared/api/api';
import type { ResourceObjectDto, ResourceTypeDto, TableRowDto } from '../../shared/api/api-types';
import type { ResourcesApi, TableQuery } from './resources-api';

type Owned = readonly { kind: string; query?: (object: ResourceObjectDto) => TableQuery; through?: string }[];

const MAX_ROWS = 500;

/** Kinds to search for dependents, or for objects selected by a Service or a node. */
const OWNED: Readonly<Record<string, Owned>> = {
  'apps/Deployment': [{ kind: 'ReplicaSet' }, { kind: 'Pod', through: 'ReplicaSet' }],
  'apps/ReplicaSet': [{ kind: 'Pod' }],
  'apps/StatefulSet': [{ kind: 'Pod' }],
  'apps/DaemonSet': [{ kind: 'Pod' }],
  'batch/CronJob': [{ kind: 'Job' }],
  'batch/Job': [{ kind: 'Pod' }],
  'core/Node': [{ kind: 'Pod', query: ({ name }) => ({ field_selector: `spec.nodeName=${name}` }) }],
  'core/Service': [
    {
      kind: 'EndpointSlice',
      query: ({ name }) => ({ label_selector: `kubernetes.io/service-name=${name}` }),
    },
  ],
};

/** Dependents of an object, for a Deployment including the Pods of its ReplicaSets; empty for unknown kinds. */
export async function findOwned(
  api: Pick<ResourcesApi, 'table'>,
  key: ClusterKey,
  object: ResourceObjectDto,
  types: readonly ResourceTypeDto[],
): Promise<{ type: ResourceTypeDto; rows: TableRowDto[] }[]> {
  const wanted = OWNED[`${object.type.group}/${object.type.kind}`] ?? [];
  const read = wanted.map(async ({ kind, query }) => {
    const type = types.find((each) => each.kind === kind && !each.custom);
    if (!type) return undefined;
    const where = object.namespace === null ? {} : { namespace: object.namespace };
    const { rows } = await api.table(key, type, { limit: MAX_ROWS, ...where, ...query?.(object) });
    return { kind, type, rows, bySelector: query !== undefined };
  });
  const found = (await Promise.all(read)).filter((each) => each !== undefined);
  const owners = new Map([[object.type.kind, new Set([object.name])]]);
  return found.flatMap(({ kind, type, rows, bySelector }, index) => {
    const through = wanted[index]?.through ?? object.type.kind;
    const owned = bySelector
      ? rows
      : rows.filter(({ owner }) => owner?.kind === through && owners.get(through)?.has(owner.name));
    owners.set(kind, new Set(owned.map(({ name }) => name)));
    return owned.length > 0 ? [{ type, rows: owned }] : [];
  });
}
