import type { ApiObject } from './shapes.js';

export interface Change {
  version: number;
  /** Storage key of the object's type. */
  type: string;
  kind: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: ApiObject;
  /** The previous version: watches with a selector need it to see objects enter and leave the selection. */
  before: ApiObject | undefined;
}

interface Collection {
  objects: Map<string, ApiObject>;
  /** Sorted keys, computed on demand. */
  keys: string[] | undefined;
  /** The latest changes, and the version up to which older ones were dropped. */
  history: Change[];
  droppedUpTo: number;
}

/** Changes of a type that a watch can start from. etcd keeps five minutes of them, which is about as many. */
const HISTORY = 1000;
/** A new API server has written objects of its own before the first request. */
const FIRST_VERSION = 400;

/** Objects in etcd's order (namespace, then name), with one version counter. They are immutable. */
export class ObjectStore {
  private readonly collections = new Map<string, Collection>();
  private readonly owned = new Map<string, Map<string, { type: string; object: ApiObject }>>();
  private readonly listeners = new Set<(change: Change) => void>();
  private counter = FIRST_VERSION;

  get version(): number {
    return this.counter;
  }

  get<Kind extends ApiObject = ApiObject>(
    type: string,
    namespace: string | undefined,
    name: string,
  ): Kind | undefined {
    return this.collections.get(type)?.objects.get(keyOf(namespace, name)) as Kind | undefined;
  }

  /** Objects of a type in order: all, or those in a namespace, or those of them whose names have a prefix. */
  list<Kind extends ApiObject = ApiObject>(type: string, namespace?: string, namePrefix = ''): Kind[] {
    const collection = this.collections.get(type);
    if (!collection) return [];
    collection.keys ??= [...collection.objects.keys()].sort();
    const { keys, objects } = collection;
    const prefix = namespace === undefined ? namePrefix : `${namespace}/${namePrefix}`;
    const found: Kind[] = [];
    const first = keys.findIndex((key) => key >= prefix);
    for (const key of first < 0 ? [] : keys.slice(first)) {
      if (!key.startsWith(prefix)) break;
      const object = objects.get(key);
      if (object) found.push(object as Kind);
    }
    return found;
  }

  /** Objects with an owner reference to the uid. */
  ownedBy(uid: string | undefined): { type: string; object: ApiObject }[] {
    return [...(this.owned.get(uid ?? '')?.values() ?? [])];
  }

  /** Stores an object under a new version and notifies the subscribers. */
  put(type: string, object: ApiObject): ApiObject {
    const collection = this.collection(type);
    const key = keyOf(object.metadata.namespace, object.metadata.name);
    const before = collection.objects.get(key);
    this.counter += 1;
    const kept = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.counter) } };
    collection.objects.set(key, kept);
    if (before) this.disown(type, before);
    else collection.keys = undefined;
    for (const { uid = '' } of kept.metadata.ownerReferences ?? []) {
      const owned = this.owned.get(uid) ?? new Map<string, { type: string; object: ApiObject }>();
      owned.set(`${type} ${key}`, { type, object: kept });
      this.owned.set(uid, owned);
    }
    this.notify({ version: this.counter, type, kind: before ? 'MODIFIED' : 'ADDED', object: kept, before });
    return kept;
  }

  remove(type: string, object: ApiObject): void {
    const collection = this.collection(type);
    const key = keyOf(object.metadata.namespace, object.metadata.name);
    const before = collection.objects.get(key);
    if (!before) return;
    collection.objects.delete(key);
    collection.keys = undefined;
    this.disown(type, before);
    this.counter += 1;
    const last = { ...before, metadata: { ...before.metadata, resourceVersion: String(this.counter) } };
    this.notify({ version: this.counter, type, kind: 'DELETED', object: last, before });
  }

  /** Changes after a version, or undefined if they were dropped. */
  changesSince(type: string, version: number): Change[] | undefined {
    const collection = this.collection(type);
    if (version < collection.droppedUpTo) return undefined;
    return collection.history.filter((change) => change.version > version);
  }

  /** @returns the function that unsubscribes */
  subscribe(listener: (change: Change) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private notify(change: Change): void {
    const collection = this.collection(change.type);
    collection.history.push(change);
    // Not for each change: moving a thousand entries costs more than the change.
    if (collection.history.length >= 2 * HISTORY) {
      collection.history = collection.history.slice(-HISTORY);
      collection.droppedUpTo = (collection.history[0]?.version ?? change.version) - 1;
    }
    for (const listener of [...this.listeners]) listener(change);
  }

  private disown(type: string, { metadata }: ApiObject): void {
    for (const { uid = '' } of metadata.ownerReferences ?? []) {
      const owned = this.owned.get(uid);
      owned?.delete(`${type} ${keyOf(metadata.namespace, metadata.name)}`);
      if (owned?.size === 0) this.owned.delete(uid);
    }
  }

  private collection(type: string): Collection {
    let collection = this.collections.get(type);
    if (!collection) {
      collection = { objects: new Map(), keys: undefined, history: [], droppedUpTo: FIRST_VERSION };
      this.collections.set(type, collection);
    }
    return collection;
  }
}

export function keyOf(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
