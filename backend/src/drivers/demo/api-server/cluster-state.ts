import type { DemoNode } from '../demo-node.js';
import { NameSource } from './name-source.js';
import { ObjectStore } from './object-store.js';
import type { ApiObject, KubeEvent, Metadata } from './shapes.js';
import { Timeline } from './timeline.js';
import { TypeCatalog } from './type-catalog.js';

/** The node containers of a demo cluster, as its API server sees them. */
export interface DemoMachine {
  cluster: string;
  /** Seconds of demo time per second. */
  speed: number;
  /** Nodes of the cluster, its load balancer included. */
  nodes: () => readonly DemoNode[];
  /** Subscribes to changes of the nodes. @returns the function that unsubscribes */
  onChange: (listener: () => void) => () => void;
}

interface NewEvent {
  type?: 'Normal' | 'Warning';
  reason: string;
  message: string;
  by: string;
  host?: string;
  fieldPath?: string;
}

/** The objects of one cluster and its clock. Controllers act on it. */
export class ClusterState {
  readonly store = new ObjectStore();
  readonly types = new TypeCatalog(this.store);
  readonly timeline: Timeline;
  readonly names: NameSource;

  constructor(readonly machine: DemoMachine) {
    const [first] = machine.nodes();
    this.names = new NameSource(`${machine.cluster} ${first?.id ?? ''}`);
    this.timeline = new Timeline(Date.parse(first?.createdAt ?? new Date().toISOString()), machine.speed);
  }

  /** The object with what the server adds to a new one. */
  draft<Kind extends ApiObject>(object: Kind): Kind {
    const metadata: Metadata = {
      ...object.metadata,
      uid: this.names.uid(),
      creationTimestamp: this.timeline.time,
    };
    return { ...object, metadata };
  }

  create<Kind extends ApiObject>(type: string, object: Kind): Kind {
    return this.store.put(type, this.draft(object)) as Kind;
  }

  /** The latest version of the same object. */
  current<Kind extends ApiObject>(type: string, { metadata }: Kind): Kind | undefined {
    const found = this.store.get<Kind>(type, metadata.namespace, metadata.name);
    return found?.metadata.uid === metadata.uid ? found : undefined;
  }

  /** Replaces fields of an object. Equal fields change nothing. */
  update<Kind extends ApiObject>(type: string, object: Kind, fields: Partial<Kind>): Kind {
    const changed = Object.entries(fields).some(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(object[field as keyof Kind]),
    );
    return changed ? (this.store.put(type, { ...object, ...fields }) as Kind) : object;
  }

  /** Records an event of an object, or counts it again. */
  event(about: ApiObject, { type = 'Normal', reason, message, by, host, fieldPath }: NewEvent): void {
    const { namespace, name, uid } = about.metadata;
    const now = this.timeline.time;
    // Event names begin with the name of their object.
    const same = this.store
      .list<KubeEvent>('events', namespace ?? 'default', `${name}.`)
      .find((event) => event.message === message && event.involvedObject?.uid === uid);
    if (same) {
      this.update<KubeEvent>('events', same, { count: (same.count ?? 1) + 1, lastTimestamp: now });
      return;
    }
    this.create<KubeEvent>('events', {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {
        name: `${name}.${this.names.uid().replaceAll('-', '').slice(0, 16)}`,
        namespace: namespace ?? 'default',
      },
      involvedObject: {
        kind: about.kind,
        ...(namespace ? { namespace } : {}),
        name,
        uid,
        apiVersion: about.apiVersion,
        ...(fieldPath ? { fieldPath } : {}),
      },
      reason,
      message,
      source: { component: by, ...(host ? { host } : {}) },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      type,
    });
  }
}
