import type { Duplex } from 'node:stream';

/** A kind of resource that a cluster serves, as discovery tells it. */
export interface ResourceType {
  /** Empty for the core group. */
  group: string;
  /** The preferred version of the group, unless another one was asked for. */
  version: string;
  /** `pods`, the name in paths. */
  plural: string;
  kind: string;
  namespaced: boolean;
  verbs: string[];
  shortNames: string[];
  /** Served for a CustomResourceDefinition, or by another server behind the API server. */
  custom: boolean;
}

/** What names a type in a path. */
export type TypeName = Pick<ResourceType, 'group' | 'version' | 'plural'>;

/** One object. The namespace is null for kinds that have none. */
export interface ResourceReference extends TypeName {
  namespace: string | null;
  name: string;
}

/** A column of server-side printing, as kubectl shows it. */
export interface TableColumn {
  name: string;
  /** OpenAPI type: `string`, `integer`, `number`, `boolean`, `date`. */
  type: string;
  format: string;
  description: string;
  /** 0 for what kubectl shows, above that what `-o wide` adds. */
  priority: number;
}

export type TableCell = string | number | boolean | null;

export interface TableRow {
  uid: string;
  namespace: string | null;
  name: string;
  /** RFC 3339. */
  createdAt: string | null;
  /** Set while the object is being deleted. */
  deletedAt: string | null;
  labels: Record<string, string>;
  /** The one that controls it, where there is one. */
  owner: { kind: string; name: string } | null;
  cells: TableCell[];
}

export interface TableQuery {
  namespace?: string;
  limit?: number;
  continue?: string;
  labelSelector?: string;
  fieldSelector?: string;
  deadlineMs?: number;
}

export interface ResourceTable {
  columns: TableColumn[];
  rows: TableRow[];
  /** Token of the next page, or null after the last. */
  continue: string | null;
  /** How many follow these rows; null where the server does not tell, which it never does with a selector. */
  remaining: number | null;
  resourceVersion: string;
}

/** An object as the API server sends it. Only what every object has is typed. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    creationTimestamp?: string;
    deletionTimestamp?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    ownerReferences?: {
      apiVersion: string;
      kind: string;
      name: string;
      uid: string;
      controller?: boolean;
    }[];
    [field: string]: unknown;
  };
  [field: string]: unknown;
}

export type TableChange = { type: 'upsert'; row: TableRow } | { type: 'remove'; uid: string };

export interface TableWatch {
  /** From a table's `resourceVersion` on. */
  resourceVersion: string;
  namespace?: string;
  signal: AbortSignal;
  onChanges: (changes: TableChange[], resourceVersion: string) => void;
}

/** Why a watch ended: the server closed it, as it does every few minutes, or the version is too old for it. */
export type WatchEnding = 'closed' | 'expired';

export interface WriteOptions {
  /** Everything is checked by the server, also admission, and nothing is kept. */
  dryRun?: boolean;
  /** Apply: take fields over that another manager holds. */
  force?: boolean;
}

export interface WrittenObject {
  object: KubernetesObject;
  created: boolean;
  warnings: string[];
}

export type Propagation = 'Background' | 'Foreground' | 'Orphan';

export interface RemoveOptions extends WriteOptions {
  propagation?: Propagation;
  gracePeriodSeconds?: number;
  /** Removes only the object that was looked at, not one that took its name since. */
  uid?: string;
}

export interface UsageOfPod {
  namespace: string;
  name: string;
  /** Thousandths of a core. */
  cpuMillicores: number;
  memoryBytes: number;
}

export type UsageOfNode = Omit<UsageOfPod, 'namespace'>;

export interface ResourceUsage {
  pods: UsageOfPod[];
  nodes: UsageOfNode[];
}

/** Media types of a change, each with semantics of its own. */
export type PatchType = 'merge' | 'strategic-merge' | 'json';

/**
 * The resources of one cluster.
 *
 * Every method throws a DomainError: `cluster_unreachable` where the API server does not answer,
 * `resource_type_not_found`, `resource_not_found`, `resource_forbidden`, `resource_conflict` (somebody was
 * faster, or it exists), `resource_refused` (the server's own validation or admission, its sentence in the
 * message), `page_expired` (a continue token that is too old).
 */
export abstract class ResourceApi {
  /** What is served, asked anew after a while and whenever somebody names a type or a kind that is not known. */
  abstract types(): Promise<ResourceType[]>;

  /** @throws DomainError `resource_type_not_found` */
  abstract type(name: TypeName): Promise<ResourceType>;

  /** The type of a kind in its preferred version; undefined where none is served. */
  abstract typeOfKind(group: string, kind: string): Promise<ResourceType | undefined>;

  /**
   * What a server prints: columns and cells are kubectl's own. At most `limit` rows, and all of them without;
   * more than a few hundred are asked for piece by piece, and are of one version all the same.
   */
  abstract table(type: TypeName, query?: TableQuery): Promise<ResourceTable>;

  /** Follows a table until the server ends it or the signal is given. */
  abstract watch(type: TypeName, watch: TableWatch): Promise<WatchEnding>;

  abstract read(reference: ResourceReference): Promise<KubernetesObject>;

  /** Whole objects, all pages, at most `limit`. For what a table does not tell: a node's pods, say. */
  abstract list(type: TypeName, query?: TableQuery): Promise<KubernetesObject[]>;

  /** Replaces; the object's own resourceVersion guards against a change in between. */
  abstract replace(
    reference: ResourceReference,
    object: KubernetesObject,
    options?: WriteOptions,
  ): Promise<WrittenObject>;

  /** Server-side apply as field manager `slipway`. */
  abstract apply(
    reference: ResourceReference,
    object: KubernetesObject,
    options?: WriteOptions,
  ): Promise<WrittenObject>;

  abstract patch(
    reference: ResourceReference,
    type: PatchType,
    change: unknown,
    options?: WriteOptions & { subresource?: 'scale' },
  ): Promise<WrittenObject>;

  /** @returns whether it is gone already; otherwise it waits for its grace period or finalizers. */
  abstract remove(reference: ResourceReference, options?: RemoveOptions): Promise<{ gone: boolean }>;

  /** Asks for a pod to leave; `blocked` names the disruption budget that forbids it for now. */
  abstract evict(
    pod: { namespace: string; name: string },
    options?: { gracePeriodSeconds?: number; dryRun?: boolean },
  ): Promise<{ blocked: string | null }>;

  /**
   * Opens one connection to a port that a program in a pod listens on. The stream fails later, with what the
   * node says, where nothing does. It belongs to the caller, and ends with what is kept for the cluster.
   */
  abstract forwardPort(pod: { namespace: string; name: string }, port: number): Promise<Duplex>;

  /** What metrics-server measures, or null where none runs. */
  abstract usage(): Promise<ResourceUsage | null>;
}
