import type { KubernetesObject, ResourceApi, ResourceReference } from './resource-api.js';

/** Where an object is that names its kind; undefined where the cluster does not serve that, or prefers another version. */
export async function referenceOf(
  api: ResourceApi,
  { apiVersion, kind, metadata }: KubernetesObject,
): Promise<ResourceReference | undefined> {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const type = await api.typeOfKind(group, kind);
  if (type?.version !== version) return undefined;
  return { group, version, plural: type.plural, namespace: metadata.namespace ?? null, name: metadata.name };
}
