import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import {
  groupVersion,
  healthOf,
  labelSelectorOf,
  PODS,
  selectorText,
  specOf,
  type KubernetesObject,
  type ResourceApi,
  type TableQuery,
  type TypeName,
} from '../../../drivers/kubernetes/index.js';
import type { ClusterKey } from '../../clusters/index.js';
import { ClusterResources } from '../common/cluster-resources.js';
import { presentGroup } from '../common/present-type.js';
import { referenceTo, typeName, type ObjectParameters } from '../common/resource-parameters.js';
import { hasRollout } from '../object/actions.js';
import { readableKind } from '../object/object-names.js';
import { TableWatches } from '../watch/table-watches.js';
import { findEdges } from './edge-rules.js';
import type { MapNodeDto, ResourceMapDto } from './map.dto.js';

const SERVICES = { group: '', version: 'v1', plural: 'services' };
const INGRESSES = { group: 'networking.k8s.io', version: 'v1', plural: 'ingresses' };
const REPLICA_SETS = { group: 'apps', version: 'v1', plural: 'replicasets' };
const MAX_PODS = 50;

@Injectable()
export class MapService {
  constructor(
    private readonly resources: ClusterResources,
    private readonly watches: TableWatches,
  ) {}

  /** @throws DomainError `resource_refused` for a kind without a map, or as `ResourceApi.read` */
  async read(
    { name, runtime }: { name: string; runtime: string | undefined },
    path: ObjectParameters,
    ofNamespace: string | undefined,
  ): Promise<ResourceMapDto> {
    const { api, cluster } = await this.resources.open(name, runtime);
    const type = await api.type(typeName(path));
    if (!hasRollout(type)) {
      throw new DomainError(
        'resource_refused',
        `A ${readableKind(type.kind)} has no map. Deployments, StatefulSets and DaemonSets have.`,
      );
    }
    const workload = await api.read(referenceTo(type, path.object, ofNamespace));
    const { namespace = '' } = workload.metadata;
    const labelSelector = selectorText(labelSelectorOf(specOf(workload).selector));
    const listed = async (of: TypeName, kind: string, query: TableQuery = {}): Promise<KubernetesObject[]> =>
      (await api.list(of, { namespace, ...query })).map((each) => ({
        ...each,
        apiVersion: of.group === '' ? of.version : `${of.group}/${of.version}`,
        kind,
      }));
    const isDeployment = type.plural === 'deployments';
    const [ingresses, services, sets, selected] = await Promise.all([
      listed(INGRESSES, 'Ingress'),
      listed(SERVICES, 'Service'),
      isDeployment ? listed(REPLICA_SETS, 'ReplicaSet', { labelSelector }) : [],
      listed(PODS, 'Pod', { labelSelector }),
    ]);
    const replicaSets = sets.filter((set) => isOwned(set, [workload]) && (specOf(set).replicas ?? 1) > 0);
    const pods = selected.filter((pod) => isOwned(pod, [workload, ...replicaSets]));
    const shown = pods.slice(0, MAX_PODS);
    const edges = findEdges({ workload, ingresses, services, replicaSets, pods }).filter(
      ({ to }) => to.kind !== 'Pod' || shown.includes(to),
    );
    const ends = edges.flatMap(({ from, to }) => [from, to]);
    const before = ['Ingress', 'Service'].flatMap((kind) => ends.filter((each) => each.kind === kind));
    const nodes = [...new Set([...before, workload, ...replicaSets, ...shown])];
    return {
      nodes: await Promise.all(nodes.map((node) => this.present(cluster, api, node))),
      edges: edges.map(({ from, to, ports, problem }) => ({
        from: nodes.indexOf(from),
        to: nodes.indexOf(to),
        ports,
        problem,
      })),
      more_pods: pods.length - shown.length,
    };
  }

  private async present(
    cluster: ClusterKey,
    api: ResourceApi,
    object: KubernetesObject,
  ): Promise<MapNodeDto> {
    const { apiVersion, kind, metadata } = object;
    const { group, version } = groupVersion(apiVersion);
    const plural = (await api.typeOfKind(group, kind))?.plural ?? '';
    const place = { namespace: metadata.namespace ?? null, name: metadata.name };
    const exists = metadata.uid !== undefined;
    const { health, reason } = exists ? healthOf({ object }) : { health: 'none' as const, reason: null };
    return {
      ...{ group: presentGroup(group), version, plural, kind, ...place, exists, reason },
      health: this.watches.healthOf(cluster, { group, plural }, place, health),
    };
  }
}

function isOwned({ metadata }: KubernetesObject, owners: readonly KubernetesObject[]): boolean {
  return owners.some(({ metadata: { uid } }) => metadata.ownerReferences?.some((each) => each.uid === uid));
}
