import type { Api, ClusterKey } from '../../shared/api/api';
import type { ResourceObjectDto, ResourceTableDto, ResourceTypeDto } from '../../shared/api/api-types';
import { typeParams } from '../resource-model/resource-address';

type Owned = readonly {
  kind: string;
  /** Undefined if the object selects nothing. */
  query?: (object: ResourceObjectDto) => TableQuery | undefined;
  through?: string;
}[];

type TableQuery = { label_selector: string } | { field_selector: string };

const MAX_ROWS = 500;

/** Dependents of one kind. */
export type OwnedGroup = Pick<ResourceTableDto, 'type' | 'columns' | 'rows'>;

/** Kinds to search for dependents, or for objects selected by a Service or a node. */
const OWNED: Readonly<Record<string, Owned>> = {
  'apps/Deployment': [{ kind: 'ReplicaSet' }, { kind: 'Pod', through: 'ReplicaSet' }],
  'apps/ReplicaSet': [{ kind: 'Pod' }],
  'apps/StatefulSet': [{ kind: 'Pod' }],
  'apps/DaemonSet': [{ kind: 'Pod' }],
  'batch/CronJob': [{ kind: 'Job' }, { kind: 'Pod', through: 'Job' }],
  'batch/Job': [{ kind: 'Pod' }],
  'core/Node': [{ kind: 'Pod', query: ({ name }) => ({ field_selector: `spec.nodeName=${name}` }) }],
  'core/Service': [
    {
      kind: 'EndpointSlice',
      query: ({ name }) => ({ label_selector: `kubernetes.io/service-name=${name}` }),
    },
    { kind: 'Pod', query: selectedByService },
  ],
};

/** Dependents of an object, for a Deployment or CronJob including the Pods of its ReplicaSets or Jobs; empty for unknown kinds. */
export async function findOwned(
  api: Pick<Api, 'get'>,
  key: ClusterKey,
  object: ResourceObjectDto,
  types: readonly ResourceTypeDto[],
  signal?: AbortSignal,
): Promise<OwnedGroup[]> {
  const wanted = OWNED[`${object.type.group}/${object.type.kind}`] ?? [];
  const read = wanted.map(async ({ kind, query }) => {
    const type = types.find((each) => each.kind === kind && !each.custom);
    const selected = query?.(object);
    if (!type || (query && !selected)) return undefined;
    const { columns, rows } = await api.get(
      '/api/v1/clusters/{name}/resources/{group}/{version}/{plural}',
      { ...typeParams(key, type), limit: MAX_ROWS, namespace: object.namespace ?? undefined, ...selected },
      signal,
    );
    return { kind, type, columns, rows, bySelector: query !== undefined };
  });
  const found = (await Promise.all(read)).filter((each) => each !== undefined);
  const owners = new Map([[object.type.kind, new Set([object.name])]]);
  return found.flatMap(({ kind, type, columns, rows, bySelector }, index) => {
    const through = wanted[index]?.through ?? object.type.kind;
    const owned = bySelector
      ? rows
      : rows.filter(({ owner }) => owner?.kind === through && owners.get(through)?.has(owner.name));
    owners.set(kind, new Set(owned.map(({ name }) => name)));
    return owned.length > 0 ? [{ type, columns, rows: owned }] : [];
  });
}

/** Undefined for a Service without a selector, whose endpoints others manage. */
function selectedByService({ spec }: ResourceObjectDto): TableQuery | undefined {
  const { selector = {} } = (spec ?? {}) as { selector?: Record<string, string> };
  const labels = Object.entries(selector).map(([name, value]) => `${name}=${value}`);
  return labels.length === 0 ? undefined : { label_selector: labels.join(',') };
}
