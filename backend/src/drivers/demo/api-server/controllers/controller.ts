import type { ClusterState } from '../cluster-state.js';
import { keyOf, type Change } from '../object-store.js';
import type { ApiObject, OwnerReference } from '../shapes.js';

/** Keeps the objects of one type in the state that they describe. */
export interface Controller {
  /** Storage key of the type. */
  type: string;
  /** Brings the cluster one step closer to what the object describes. */
  reconcile?: (object: ApiObject) => void;
  /** Objects of the type to reconcile after a change of another object. */
  concerned?: (change: Change) => readonly ApiObject[];
  /** Called after an object of the type was deleted. */
  removed?: (object: ApiObject) => void;
}

/** More steps at one moment mean that two controllers undo each other's work. */
const MAX_STEPS = 500_000;

const OWNER_TYPES: Readonly<Record<string, string>> = {
  Deployment: 'deployments.apps',
  ReplicaSet: 'replicasets.apps',
  StatefulSet: 'statefulsets.apps',
  DaemonSet: 'daemonsets.apps',
  Job: 'jobs.batch',
};

/** Work queue of the controllers: a change enqueues each object that it concerns once. */
export class Controllers {
  private readonly queue = new Map<string, { controller: Controller; object: ApiObject }>();

  constructor(
    private readonly state: ClusterState,
    private readonly all: readonly Controller[],
  ) {
    state.store.subscribe((change) => this.take(change));
  }

  /** Reconciles until there is nothing left to do at this moment. */
  settle(): void {
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const [next] = this.queue;
      if (!next) return;
      const [key, { controller, object }] = next;
      this.queue.delete(key);
      const current = this.state.store.get(controller.type, object.metadata.namespace, object.metadata.name);
      if (current) controller.reconcile?.(current);
    }
    throw new Error('The controllers of the demo do not settle.');
  }

  private take(change: Change): void {
    const { type, kind, object } = change;
    const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
    const ownerType = OWNER_TYPES[owner?.kind ?? ''];
    for (const controller of this.all) {
      if (controller.type === type && kind === 'DELETED') controller.removed?.(object);
      else if (controller.type === type) this.enqueue(controller, object);
      if (owner && controller.type === ownerType) {
        const found = this.state.store.get(ownerType, object.metadata.namespace, owner.name);
        if (found) this.enqueue(controller, found);
      }
      for (const concerned of controller.concerned?.(change) ?? []) this.enqueue(controller, concerned);
    }
  }

  private enqueue(controller: Controller, object: ApiObject): void {
    const { namespace, name } = object.metadata;
    this.queue.set(`${this.all.indexOf(controller)} ${keyOf(namespace, name)}`, { controller, object });
  }
}

export function ownerReference({ apiVersion, kind, metadata }: ApiObject): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true };
}
