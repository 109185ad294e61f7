import type { Api, ClusterKey } from '../../../shared/api/api';
import type { OwnerReferenceDto, ResourceObjectDto } from '../../../shared/api/api-types';
import { OBJECT, objectParams } from '../../resource-model/resource-address';

const MAX_OWNERS = 4;

/** The controller of an object, the controller's controller, and so on: ReplicaSet, Deployment. Ends where one is gone. */
export async function controllersAbove(
  api: Pick<Api, 'get'>,
  key: ClusterKey,
  object: Pick<ResourceObjectDto, 'owners'>,
  signal?: AbortSignal,
): Promise<OwnerReferenceDto[]> {
  const chain: OwnerReferenceDto[] = [];
  let owners = object.owners;
  while (chain.length < MAX_OWNERS) {
    const owner = owners.find(({ controller }) => controller);
    if (owner?.plural === undefined || owner.plural === null) return owner ? [...chain, owner] : chain;
    chain.push(owner);
    const { group, version, plural, namespace, name } = owner;
    const found = await api
      .get(OBJECT, objectParams(key, { group, version, plural, namespace, name }), signal)
      .catch(() => undefined);
    owners = found?.owners ?? [];
  }
  return chain;
}
