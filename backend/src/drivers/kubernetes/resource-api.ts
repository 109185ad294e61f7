import type { Duplex } from 'node:stream';
import type { RunningProgram } from '../runtime/index.js';
import type { AccessRules } from './access-rules.js';
import type { KubernetesObject } from './object-fields.js';

/** A resource type that a cluster serves, as reported by discovery. */
export interface ResourceType {
  /** Empty for the core group. */
  group: string;
  /** By default the preferred version of the group. */
  version: string;
  /** The name in paths: `pods`. */
  plural: string;
  kind: string;
  namespaced: boolean;
  verbs: string[];
  shortNames: string[];
  /** Whether it belongs to a CRD or an aggregated API server. */
  custom: boolean;
  /** Whether it has the subresource `scale`. */
  scalable?: boolean;
}

/** Identifies a type in a path. */
export type TypeName = Pick<ResourceType, 'group' | 'version' | 'plural'>;

/** Identifies an object. The namespace is null for cluster-scoped kinds. */
export interface ResourceReference extends TypeName {
  namespace: string | null;
  name: string;
}

export interface PodName {
  namespace: string;
  name: string;
}

/** A column of a server-side table, as in kubectl. */
export interface TableColumn {
  name: string;
  /** OpenAPI type: `string`, `integer`, `number`, `boolean`, `date`. */
  type: string;
  format: string;
  description: string;
  /** 0 for columns that kubectl shows by default, above that for those of `-o wide`. */
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
  /** Its controller. */
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
  /** Number of further rows; null if unknown, as with every selector. */
  remaining: number | null;
  resourceVersion: string;
}

export type TableChange = { type: 'upsert'; row: TableRow } | { type: 'remove'; uid: string };

export interface TableWatch {
  /** `resourceVersion` of the table from which the watch continues. */
  resourceVersion: string;
  namespace?: string;
  fieldSelector?: string;
  signal: AbortSignal;
  onChanges: (changes: TableChange[], resourceVersion: string) => void;
}

/** Why a watch ended: the server closed it, as it does every few minutes, or its `resourceVersion` is too old. */
export type WatchEnding = 'closed' | 'expired';

export interface WriteOptions {
  /** The server runs validation and admission, but does not store the object. */
  dryRun?: boolean;
  /** For apply: takes over fields that another manager owns. */
  force?: boolean;
}

export interface WrittenObject {
  object: KubernetesObject;
  warnings: string[];
}

export type Propagation = 'Background' | 'Foreground' | 'Orphan';

export interface RemoveOptions extends WriteOptions {
  propagation?: Propagation;
  gracePeriodSeconds?: number;
  /** Precondition, so that a new object with the same name is not deleted. */
  uid?: string;
}

/** Usage of a node or a container. */
export interface NamedUsage {
  name: string;
  /** Thousandths of a core. */
  cpuMillicores: number;
  memoryBytes: number;
}

/** The sum of its containers. */
export interface UsageOfPod extends NamedUsage {
  namespace: string;
  containers: NamedUsage[];
}

export interface ResourceUsage {
  pods: UsageOfPod[];
  nodes: NamedUsage[];
}

/** A program and how to run it. */
export interface ExecOptions {
  container: string;
  command: readonly string[];
  /** Whether it gets a terminal. Without one, bytes pass unchanged and the error output is separate. */
  tty: boolean;
  /** Whether it gets a standard input; by default, the input is empty. Only Kubernetes 1.30 and later can close it. */
  stdin?: boolean;
}

/** A document with the schemas of one version of a group, which changes when its hash does. */
export interface OpenApiDocument {
  /** Empty if unknown. */
  hash: string;
  /** The OpenAPI v3 document as JSON. @throws DomainError as `ResourceApi` */
  read: () => Promise<string>;
}

export type PatchType = 'merge' | 'strategic-merge' | 'json';

/**
 * The resources of one cluster.
 *
 * Every method throws a DomainError: `cluster_unreachable` if the API server does not respond,
 * `resource_type_not_found`, `resource_not_found`, `resource_forbidden`, `resource_conflict` (the object has changed or
 * already exists), `resource_refused` (validation or admission of the server, with its message), `page_expired` (the
 * continue token is too old).
 */
export abstract class ResourceApi {
  /** The served types. Cached; lookups of unknown types refresh the cache. */
  abstract types(): Promise<ResourceType[]>;

  /** @throws DomainError `resource_type_not_found` */
  abstract type(name: TypeName): Promise<ResourceType>;

  /** The type of a kind in its preferred version; undefined if it is not served. */
  abstract typeOfKind(group: string, kind: string): Promise<ResourceType | undefined>;

  /** What the user may do in a namespace. Cached for a minute. */
  abstract access(namespace: string): Promise<AccessRules>;

  /** @throws DomainError `schema_unavailable` if the API server publishes no document for the version of the type */
  abstract openApi(type: ResourceType): Promise<OpenApiDocument>;

  /**
   * A server-side table with the columns of kubectl. Has up to `limit` rows, by default all. Several pages are combined
   * into one consistent list.
   */
  abstract table(type: TypeName, query?: TableQuery): Promise<ResourceTable>;

  /** Watches a table until the server ends the watch or the signal aborts. */
  abstract watch(type: TypeName, watch: TableWatch): Promise<WatchEnding>;

  abstract read(reference: ResourceReference, subresource?: 'scale'): Promise<KubernetesObject>;

  /** Up to `limit` complete objects, by default all. */
  abstract list(type: TypeName, query?: TableQuery): Promise<KubernetesObject[]>;

  /** Replaces an object. Its resourceVersion detects concurrent changes. */
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
    options?: WriteOptions & { subresource?: 'scale' | 'ephemeralcontainers' },
  ): Promise<WrittenObject>;

  /** @returns whether it is already deleted; otherwise it waits for its grace period or finalizers. */
  abstract remove(reference: ResourceReference, options?: RemoveOptions): Promise<{ gone: boolean }>;

  /** Evicts a Pod. `blocked` is the message of the disruption budget that prevents it. */
  abstract evict(
    pod: PodName,
    options?: { gracePeriodSeconds?: number; dryRun?: boolean },
  ): Promise<{ blocked: string | null }>;

  /**
   * Opens a connection to a port of a Pod. The stream fails later, with the kubelet's message, if no program listens. The
   * caller owns the stream; `KubernetesGateway.forget` also closes it.
   */
  abstract forwardPort(pod: PodName, port: number): Promise<Duplex>;

  /**
   * Runs a program in a container of a Pod. `ended` reports a program that does not exist. The caller owns the connection;
   * `KubernetesGateway.forget` also closes it.
   */
  abstract exec(pod: PodName, options: ExecOptions): Promise<RunningProgram>;

  /** The latest metrics of metrics-server; null if it is not installed. */
  abstract usage(): Promise<ResourceUsage | null>;
}
