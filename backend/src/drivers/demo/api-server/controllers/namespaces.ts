import type { ClusterState } from '../cluster-state.js';
import { storageKey } from '../api-types.js';
import type { Removal } from '../removal.js';
import type { ApiObject, Definition } from '../shapes.js';
import type { Controller } from './controller.js';
import { withConditions } from './pod-state.js';

/** Seconds of demo time until a namespace is looked at again whose content takes its time to go. */
const AGAIN_SECONDS = 1;

interface Namespace extends ApiObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string };
}

/** What every namespace has, and the emptying of one that is to go. */
export class Namespaces implements Controller {
  readonly type = 'namespaces';

  constructor(
    private readonly state: ClusterState,
    private readonly removal: Removal,
  ) {}

  reconcile(object: ApiObject): void {
    const namespace = object as Namespace;
    const { name } = namespace.metadata;
    if (namespace.metadata.deletionTimestamp !== undefined) {
      this.empty(namespace);
      return;
    }
    const { store } = this.state;
    if (!store.get('serviceaccounts', name, 'default')) {
      this.state.create('serviceaccounts', {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'default', namespace: name },
      });
    }
    if (!store.get('configmaps', name, 'kube-root-ca.crt')) {
      this.state.create<ApiObject & { data: object }>('configmaps', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'kube-root-ca.crt', namespace: name },
        data: { 'ca.crt': '-----BEGIN CERTIFICATE-----\nZGVtbw==\n-----END CERTIFICATE-----\n' },
      });
    }
  }

  private empty(namespace: Namespace): void {
    const { name } = namespace.metadata;
    const current = this.state.update<Namespace>(this.type, namespace, {
      status: { ...namespace.status, phase: 'Terminating' },
    });
    const kinds = this.state.types.all().filter(({ namespaced }) => namespaced);
    const rest = kinds.flatMap((kind) =>
      this.state.store.list(storageKey(kind), name).map((object) => ({ kind, object })),
    );
    if (rest.length === 0) {
      this.state.store.remove(this.type, current);
      return;
    }
    for (const { kind, object } of rest) {
      if (object.metadata.deletionTimestamp === undefined) this.removal.remove(storageKey(kind), object);
    }
    this.state.timeline.after(AGAIN_SECONDS, () => {
      const found = this.state.current(this.type, namespace);
      if (found) this.empty(found);
    });
  }
}

/** Serves what definitions of custom resources ask for, and takes it away with them. */
export class Definitions implements Controller {
  readonly type = 'customresourcedefinitions.apiextensions.k8s.io';

  constructor(private readonly state: ClusterState) {}

  removed(object: ApiObject): void {
    const { group = '', names } = (object as Definition).spec ?? {};
    const key = storageKey({ group, plural: names?.plural ?? '' });
    for (const left of this.state.store.list(key)) this.state.store.remove(key, left);
  }

  reconcile(object: ApiObject): void {
    const definition = object as Definition;
    const { names = {}, versions = [] } = definition.spec ?? {};
    const { kind = '' } = names;
    this.state.update<Definition>(this.type, definition, {
      status: {
        acceptedNames: { ...names, listKind: `${kind}List`, singular: names.singular ?? kind.toLowerCase() },
        storedVersions: versions.filter(({ storage }) => storage === true).map(({ name = '' }) => name),
        conditions: withConditions(
          definition.status?.conditions,
          [
            { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
            {
              type: 'Established',
              status: 'True',
              reason: 'InitialNamesAccepted',
              message: 'the initial names have been accepted',
            },
          ],
          this.state.timeline.time,
        ),
      },
    });
  }
}
