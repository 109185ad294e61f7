import type { DemoNode } from '../demo-node.js';
import { NameSource } from './name-source.js';
import { ObjectStore } from './object-store.js';
import type { ApiObject, KubeEvent, Metadata } from './shapes.js';
import { Timeline } from './timeline.js';
import { TypeCatalogue } from './type-catalogue.js';

/** The machine that a cluster of the demo runs on, as far as its API server sees it. */
export interface DemoMachine {
  cluster: string;
  /** How many seconds of demo time pass in one. */
  speed: number;
  /** Those of the cluster, its load balancer too. */
  nodes: () => readonly DemoNode[];
  /** Calls when a node of the cluster comes, goes or changes. @returns how to stop it */
  onChange: (listener: () => void) => () => void;
}

export type Draft<Kind extends ApiObject> = Omit<Kind, 'metadata'> & {
  metadata: Partial<Metadata> & Pick<Metadata, 'name'>;
};

/** How long events are kept, as API servers do by default. */
const EVENT_LIFE_MS = 3_600_000;

/** The objects of one cluster, what happens to them and when. What happens in it is the controllers' work. */
export class ClusterState {
  readonly store = new ObjectStore();
  readonly types = new TypeCatalogue(this.store);
  readonly timeline: Timeline;
  readonly names: NameSource;

  constructor(readonly machine: DemoMachine) {
    const [first] = machine.nodes();
    this.names = new NameSource(`${machine.cluster} ${first?.id ?? ''}`);
    this.timeline = new Timeline(Date.parse(first?.createdAt ?? new Date().toISOString()), machine.speed);
  }

  /** Keeps a new object. */
  create<Kind extends ApiObject>(type: string, draft: Draft<Kind>): Kind {
    const metadata: Metadata = {
      ...draft.metadata,
      uid: this.names.uid(),
      creationTimestamp: this.timeline.time,
    };
    return this.store.put(type, { ...draft, metadata }) as Kind;
  }

  /** The same object as it is now. */
  current<Kind extends ApiObject>(type: string, { metadata }: Kind): Kind | undefined {
    const found = this.store.get<Kind>(type, metadata.namespace, metadata.name);
    return found?.metadata.uid === metadata.uid ? found : undefined;
  }

  /** Puts fields of an object in place of what it has; one that says the same stays as it is. */
  update<Kind extends ApiObject>(type: string, object: Kind, fields: Partial<Kind>): Kind {
    const changed = Object.entries(fields).some(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(object[field as keyof Kind]),
    );
    return changed ? (this.store.put(type, { ...object, ...fields }) as Kind) : object;
  }

  /** Says what happened to an object, or that it happened again. */
  event(
    about: ApiObject,
    said: {
      type?: 'Normal' | 'Warning';
      reason: string;
      message: string;
      by: string;
      host?: string;
      fieldPath?: string;
    },
  ): void {
    const { type = 'Normal', reason, message, by, host, fieldPath } = said;
    const { namespace, name, uid } = about.metadata;
    const place = namespace ?? 'default';
    const same = this.recent(about).find(
      (event) => event.reason === reason && event.message === message && event.involvedObject?.uid === uid,
    );
    const now = this.timeline.time;
    if (same) {
      this.update<KubeEvent>('events', same, { count: (same.count ?? 1) + 1, lastTimestamp: now });
      return;
    }
    const event = this.create<KubeEvent>('events', {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${this.names.uid().replaceAll('-', '').slice(0, 16)}`, namespace: place },
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
      eventTime: null,
      reportingComponent: by,
    });
    this.expire(event);
  }

  private expire(event: KubeEvent): void {
    this.timeline.at(this.timeline.now + EVENT_LIFE_MS, () => {
      const kept = this.current('events', event);
      if (!kept) return;
      const age = this.timeline.now - Date.parse(kept.lastTimestamp ?? '');
      if (age >= EVENT_LIFE_MS - 1000) this.store.remove('events', kept);
      else this.expire(kept);
    });
  }

  /** The events of an object: their names begin with its own. */
  private recent({ metadata: { namespace = 'default', name } }: ApiObject): KubeEvent[] {
    return this.store.list('events', namespace, `${name}.`);
  }
}
