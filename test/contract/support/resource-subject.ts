import { it } from '@jest/globals';
import type {
  KubernetesObject,
  ResourceApi,
  ResourceReference,
  ResourceTable,
  TableQuery,
  TypeName,
} from '../../../backend/src/drivers/kubernetes/index.js';

export const NAMESPACE = 'contract-resources';
export const CONFIG_MAPS: TypeName = { group: '', version: 'v1', plural: 'configmaps' };
export const PODS: TypeName = { group: '', version: 'v1', plural: 'pods' };

/** The resources for a contract, which uses its own namespace. */
export class ResourceSubject {
  private started: ResourceApi | undefined;

  constructor(readonly deadlineMs: number) {}

  get api(): ResourceApi {
    if (!this.started) throw new Error('the contract has not started');
    return this.started;
  }

  async start(resources: ResourceApi): Promise<void> {
    this.started = resources;
    await this.api.apply(
      { group: '', version: 'v1', plural: 'namespaces', namespace: null, name: NAMESPACE },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
    );
  }

  check(what: string, run: () => Promise<void>): void {
    it(what, run, this.deadlineMs);
  }

  /** Deadline of waits. */
  get patienceMs(): number {
    return this.deadlineMs - 2000;
  }

  async make(name: string, more: Partial<KubernetesObject['metadata']> = {}): Promise<KubernetesObject> {
    return (await this.api.apply(configMap(name), configMapObject(name, { text: 'one' }, more))).object;
  }

  async table(query: TableQuery = {}): Promise<ResourceTable> {
    return await this.api.table(CONFIG_MAPS, { namespace: NAMESPACE, ...query });
  }

  async isGone(reference: ResourceReference): Promise<boolean> {
    return await this.api.read(reference).then(
      () => false,
      (error: unknown) => (error as { code?: string }).code === 'resource_not_found',
    );
  }
}

export function configMap(name: string): ResourceReference {
  return { ...CONFIG_MAPS, namespace: NAMESPACE, name };
}

export function configMapObject(
  name: string,
  data: Record<string, string>,
  more: Partial<KubernetesObject['metadata']> = {},
): KubernetesObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: NAMESPACE, ...more }, data };
}

type OwnerReference = NonNullable<KubernetesObject['metadata']['ownerReferences']>[number];

export function ownedBy(
  { apiVersion, kind, metadata }: KubernetesObject,
  controller = false,
): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller };
}
