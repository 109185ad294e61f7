import { clusterName } from '../../../core/api/index.js';
import type { ResourceApi, ResourceReference, ResourceType } from '../../../drivers/kubernetes/index.js';
import type { Cluster } from '../../clusters/index.js';
import {
  type ClusterResources,
  type NamespaceQueryDto,
  type ObjectParameters,
  presentGroup,
  referenceTo,
  type ResourceReferenceDto,
  typeName,
  type TypeParameters,
} from '../../resources/index.js';

export interface ObjectAddress extends TypeParameters {
  cluster: string;
  runtime: string | undefined;
  namespace: string | undefined;
  object: string;
}

/** The parts of a path to an object. */
export interface AddressParameters extends ObjectParameters {
  name: string;
}

export interface ChangeTarget {
  cluster: Cluster;
  api: ResourceApi;
  type: ResourceType;
  reference: ResourceReference;
}

export type PresentedReference = Pick<ResourceReferenceDto, keyof ResourceReferenceDto>;

export function addressOf(
  { name, ...parameters }: AddressParameters,
  { runtime, namespace }: NamespaceQueryDto,
): ObjectAddress {
  return { ...parameters, cluster: clusterName(name), runtime, namespace };
}

/** @throws DomainError if the cluster is unreachable, does not serve the type, or the namespace is missing */
export async function findTarget(
  resources: ClusterResources,
  { cluster: name, runtime, namespace, object, ...parts }: ObjectAddress,
): Promise<ChangeTarget> {
  const { cluster, api } = await resources.open(name, runtime);
  const type = await api.type(typeName(parts));
  return { cluster, api, type, reference: referenceTo(type, object, namespace) };
}

export function presentReference(
  { kind }: Pick<ResourceType, 'kind'>,
  { group, version, plural, namespace, name }: ResourceReference,
): PresentedReference {
  return { group: presentGroup(group), version, plural, kind, namespace, name };
}
