import { Injectable } from '@nestjs/common';
import type { ResourceApi, ResourceReference, ResourceType } from '../../../drivers/kubernetes/index.js';
import type { Cluster } from '../../clusters/index.js';
import { ClusterResources } from '../cluster-resources.js';
import { presentGroup } from '../present-type.js';
import { referenceTo, typeName, type TypeParameters } from '../resource-parameters.js';
import type { ResourceReferenceDto } from './change.dto.js';

/** An object as a request names it. */
export interface ObjectAddress extends TypeParameters {
  cluster: string;
  runtime: string | undefined;
  namespace: string | undefined;
  object: string;
}

/** The same, found in its cluster. */
export interface ChangeTarget {
  cluster: Cluster;
  api: ResourceApi;
  type: ResourceType;
  reference: ResourceReference;
}

/** An object as answers name it. */
export type PresentedReference = Pick<ResourceReferenceDto, keyof ResourceReferenceDto>;

/** Finds what a request wants to change. */
@Injectable()
export class ChangeTargets {
  constructor(private readonly resources: ClusterResources) {}

  /** @throws DomainError of a cluster that cannot be asked, a type that it does not serve, or a namespace that is missing */
  async find({ cluster: name, runtime, namespace, object, ...parts }: ObjectAddress): Promise<ChangeTarget> {
    const { cluster, api } = await this.resources.open(name, runtime);
    const type = await api.type(typeName(parts));
    return { cluster, api, type, reference: referenceTo(type, object, namespace) };
  }
}

export function presentReference(
  { kind }: Pick<ResourceType, 'kind'>,
  { group, version, plural, namespace, name }: ResourceReference,
): PresentedReference {
  return { group: presentGroup(group), version, plural, kind, namespace, name };
}
