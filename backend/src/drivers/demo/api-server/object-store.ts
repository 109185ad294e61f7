import type { ApiObject } from './shapes.js';

export interface Change {
  version: number;
  /** Storage key of the object's type. */
  type: string;
  kind: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: ApiObject;
  /** What it was before, so that a watch with a selector can tell who came in and who went out. */
  before: ApiObject | undefined;
}

interface Shelf {
  objects: Map<string, ApiObject>;
  /** Sorted keys, made when they are asked for and dropped when one comes or goes. */
  keys: string[] | undefined;
  /** The latest changes, and the version up to which earlier ones are forgotten. */
  history: Change[];
  forgottenUpTo: number;
}

/** Changes of one type that a watch can go back to. etcd keeps five minutes of them, and so about as many. */
const HISTORY = 1000;
/** A server that is new has been busy with itself before anybody asks. */
const FIRST_VERSION = 400;

/**
 * The objects of one API server, in etcd's order (namespace, then name), under one counter of versions.
 * What is in it is never changed in place: whoever changes an object puts another one.
 */
export class ObjectStore {
  private readonly shelves = new Map<string, Shelf>();
  private readonly owned = new Map<string, Map<string, { type: string; object: ApiObject }>>();
  private readonly listeners = new Set<(change: Change) => void>();
  private counter = FIRST_VERSION;

  get version(): number {
    return this.counter;
  }

  /** The type of what is found is the caller's knowledge. */
  get<Kind extends ApiObject = ApiObject>(
    type: string,
    namespace: string | undefined,
    name: string,
  ): Kind | undefined {
    return this.shelves.get(type)?.objects.get(keyOf(namespace, name)) as Kind | undefined;
  }

  count(type: string): number {
    return this.shelves.get(type)?.objects.size ?? 0;
  }

  /** All of a type, or those of a namespace, or those of them whose names begin so; in order. */
  list<Kind extends ApiObject = ApiObject>(type: string, namespace?: string, beginning = ''): Kind[] {
    const shelf = this.shelves.get(type);
    if (!shelf) return [];
    shelf.keys ??= [...shelf.objects.keys()].sort();
    const { keys, objects } = shelf;
    const prefix = namespace === undefined ? beginning : `${namespace}/${beginning}`;
    const found: Kind[] = [];
    for (let at = firstFrom(keys, prefix); at < keys.length; at += 1) {
      const key = keys[at] ?? '';
      if (!key.startsWith(prefix)) break;
      const object = objects.get(key);
      if (object) found.push(object as Kind);
    }
    return found;
  }

  /** Those that name an owner. */
  ownedBy(uid: string | undefined): { type: string; object: ApiObject }[] {
    return [...(this.owned.get(uid ?? '')?.values() ?? [])];
  }

  /** Keeps an object under a new version, and tells of it. */
  put(type: string, object: ApiObject): ApiObject {
    const shelf = this.shelf(type);
    const key = keyOf(object.metadata.namespace, object.metadata.name);
    const before = shelf.objects.get(key);
    this.counter += 1;
    const kept = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.counter) } };
    shelf.objects.set(key, kept);
    if (before) this.disown(type, before);
    else shelf.keys = undefined;
    for (const { uid } of kept.metadata.ownerReferences ?? []) {
      const owned = this.owned.get(uid) ?? new Map<string, { type: string; object: ApiObject }>();
      owned.set(`${type} ${key}`, { type, object: kept });
      this.owned.set(uid, owned);
    }
    this.tell({ version: this.counter, type, kind: before ? 'MODIFIED' : 'ADDED', object: kept, before });
    return kept;
  }

  remove(type: string, object: ApiObject): void {
    const shelf = this.shelf(type);
    const key = keyOf(object.metadata.namespace, object.metadata.name);
    const before = shelf.objects.get(key);
    if (!before) return;
    shelf.objects.delete(key);
    shelf.keys = undefined;
    this.disown(type, before);
    this.counter += 1;
    const last = { ...before, metadata: { ...before.metadata, resourceVersion: String(this.counter) } };
    this.tell({ version: this.counter, type, kind: 'DELETED', object: last, before });
  }

  /** What changed after a version, or undefined where that is forgotten. */
  changesSince(type: string, version: number): Change[] | undefined {
    const shelf = this.shelf(type);
    if (version < shelf.forgottenUpTo) return undefined;
    return shelf.history.filter((change) => change.version > version);
  }

  /** @returns how to stop it. */
  subscribe(listener: (change: Change) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private tell(change: Change): void {
    const shelf = this.shelf(change.type);
    shelf.history.push(change);
    // In strides, as moving a thousand entries for each change would cost more than they do.
    if (shelf.history.length >= 2 * HISTORY) {
      shelf.history = shelf.history.slice(-HISTORY);
      shelf.forgottenUpTo = (shelf.history[0]?.version ?? change.version) - 1;
    }
    for (const listener of [...this.listeners]) listener(change);
  }

  private disown(type: string, { metadata }: ApiObject): void {
    for (const { uid } of metadata.ownerReferences ?? []) {
      const owned = this.owned.get(uid);
      owned?.delete(`${type} ${keyOf(metadata.namespace, metadata.name)}`);
      if (owned?.size === 0) this.owned.delete(uid);
    }
  }

  private shelf(type: string): Shelf {
    let shelf = this.shelves.get(type);
    if (!shelf) {
      shelf = { objects: new Map(), keys: undefined, history: [], forgottenUpTo: FIRST_VERSION };
      this.shelves.set(type, shelf);
    }
    return shelf;
  }
}

export function keyOf(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

function firstFrom(keys: readonly string[], prefix: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? '') < prefix) low = middle + 1;
    else high = middle;
  }
  return low;
}
