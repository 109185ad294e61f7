import type { KubernetesObject, ResourceApi, ResourceReference } from './resource-api.js';

/** The reference of an object; undefined if the cluster does not serve its kind, or prefers another version. */
export async function referenceOf(
  api: ResourceApi,
  { apiVersion, kind, metadata }: KubernetesObject,
): Promise<ResourceReference | undefined> {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const type = await api.typeOfKind(group, kind);
  if (type?.version !== version) return undefined;
  return { group, version, plural: type.plural, namespace: metadata.namespace ?? null, name: metadata.name };
}
