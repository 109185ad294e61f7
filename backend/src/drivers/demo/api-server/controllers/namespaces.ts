import { storageKey } from '../api-types.js';
import { recordedJson } from '../../recorded.js';
import type { ClusterState } from '../cluster-state.js';
import type { Removal } from '../removal.js';
import type { ApiObject, CustomResourceDefinition, Namespace } from '../shapes.js';
import type { Controller } from './controller.js';

/** Seconds of demo time between two attempts to empty a namespace. */
const RETRY_SECONDS = 1;

/** Adds what every namespace has, and empties namespaces that are deleted. */
export class Namespaces implements Controller {
  readonly type = 'namespaces';

  constructor(
    private readonly state: ClusterState,
    private readonly removal: Removal,
  ) {}

  reconcile(namespace: Namespace): void {
    const { name, deletionTimestamp } = namespace.metadata;
    if (deletionTimestamp !== undefined) {
      this.empty(namespace);
      return;
    }
    if (this.state.store.get('serviceaccounts', name, 'default')) return;
    for (const object of recordedJson<ApiObject[]>('namespace.json')) {
      const key = `${object.kind.toLowerCase()}s`;
      this.state.create(key, { ...object, metadata: { ...object.metadata, namespace: name } });
    }
  }

  private empty(namespace: Namespace): void {
    const current = this.state.update<Namespace>(this.type, namespace, { status: { phase: 'Terminating' } });
    const keys = this.state.types.all().flatMap((type) => (type.namespaced ? storageKey(type) : []));
    const content = [...new Set(keys)].flatMap((key) =>
      this.state.store.list(key, namespace.metadata.name).map((object) => ({ key, object })),
    );
    if (content.length === 0) {
      this.state.store.remove(this.type, current);
      return;
    }
    for (const { key, object } of content) {
      if (object.metadata.deletionTimestamp === undefined) this.removal.remove(key, object);
    }
    this.state.timeline.after(RETRY_SECONDS, () => {
      const found = this.state.current(this.type, namespace);
      if (found) this.empty(found);
    });
  }
}

/** Deletes custom resources with their CRD. */
export class CustomResourceDefinitions implements Controller {
  readonly type = 'customresourcedefinitions.apiextensions.k8s.io';

  constructor(private readonly state: ClusterState) {}

  removed({ spec }: CustomResourceDefinition): void {
    const key = storageKey({ group: spec?.group ?? '', plural: spec?.names?.plural ?? '' });
    for (const object of this.state.store.list(key)) this.state.store.remove(key, object);
  }
}
