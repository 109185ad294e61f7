import type { ClusterState } from '../cluster-state.js';
import { keyOf, type Change } from '../object-store.js';
import type { ApiObject, OwnerReference } from '../shapes.js';

/** What keeps the objects of one type as they say that they want to be. */
export interface Controller {
  /** Storage key of the type. */
  type: string;
  /** Brings the cluster one step closer to what the object asks for. */
  reconcile: (object: ApiObject) => void;
  /** Objects to look at because of a change of something else. */
  concerned?: (change: Change) => readonly ApiObject[];
  /** An object of the type has gone. */
  removed?: (object: ApiObject) => void;
}

/** More rounds than these between two moments mean that two controllers undo each other's work. */
const MOST_STEPS = 500_000;

/** The owners that controllers have, by kind. */
const OWNERS: Readonly<Record<string, string>> = {
  Deployment: 'deployments.apps',
  ReplicaSet: 'replicasets.apps',
  StatefulSet: 'statefulsets.apps',
  DaemonSet: 'daemonsets.apps',
  Job: 'jobs.batch',
  CronJob: 'cronjobs.batch',
};

/** The queue of the controllers: every change puts those who are concerned on it, once each. */
export class Controllers {
  private readonly queue = new Map<string, { controller: Controller; object: ApiObject }>();
  private readonly byType = new Map<string, Controller[]>();

  constructor(
    private readonly state: ClusterState,
    private readonly all: readonly Controller[],
  ) {
    for (const controller of all) {
      this.byType.set(controller.type, [...(this.byType.get(controller.type) ?? []), controller]);
    }
    state.store.subscribe((change) => this.take(change));
  }

  /** Works until nobody has anything to do at this moment. */
  settle(): void {
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const [next] = this.queue;
      if (!next) return;
      const [key, { controller, object }] = next;
      this.queue.delete(key);
      const current = this.state.store.get(controller.type, object.metadata.namespace, object.metadata.name);
      if (current) controller.reconcile(current);
    }
    throw new Error('the controllers of the demo do not come to rest');
  }

  private take(change: Change): void {
    const { type, kind, object } = change;
    for (const controller of this.byType.get(type) ?? []) {
      if (kind === 'DELETED') controller.removed?.(object);
      else this.enqueue(controller, object);
    }
    const owner = ownerOf(object);
    const ownerType = OWNERS[owner?.kind ?? ''];
    if (owner && ownerType !== undefined) {
      const found = this.state.store.get(ownerType, object.metadata.namespace, owner.name);
      if (found) for (const one of this.byType.get(ownerType) ?? []) this.enqueue(one, found);
    }
    for (const controller of this.all) {
      for (const concerned of controller.concerned?.(change) ?? []) this.enqueue(controller, concerned);
    }
  }

  private enqueue(controller: Controller, object: ApiObject): void {
    const { namespace, name } = object.metadata;
    this.queue.set(`${this.all.indexOf(controller)} ${keyOf(namespace, name)}`, { controller, object });
  }
}

export function ownerOf({ metadata }: ApiObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** How a controller marks what it makes. */
export function ownerReference({ apiVersion, kind, metadata }: ApiObject): OwnerReference {
  return {
    apiVersion,
    kind,
    name: metadata.name,
    uid: metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}
