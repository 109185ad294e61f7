import type { ResourceReference, ResourceType } from '../../../drivers/kubernetes/index.js';

/** `ConfigMap` as words: config map. */
export function readableKind(kind: string): string {
  return kind
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])(?=[A-Z][a-z])/g, '$1 ')
    .split(' ')
    .map((word) => (word === word.toUpperCase() && word.length > 1 ? word : word.toLowerCase()))
    .join(' ');
}

/** "config map shop/settings" */
export function describeObject(
  { kind }: Pick<ResourceType, 'kind'>,
  reference: Pick<ResourceReference, 'namespace' | 'name'>,
): string {
  return `${readableKind(kind)} ${pathOf(reference)}`;
}

/** `shop/settings`; only the name for cluster-scoped objects. */
export function pathOf({ namespace, name }: Pick<ResourceReference, 'namespace' | 'name'>): string {
  return namespace === null ? name : `${namespace}/${name}`;
}

/** Subject of a journal entry: `pods/shop/web-0`, `certificates.cert-manager.io/shop/tls`. */
export function subjectOf({ group, plural, ...reference }: ResourceReference): string {
  return `${group === '' || group === 'apps' ? plural : `${plural}.${group}`}/${pathOf(reference)}`;
}
