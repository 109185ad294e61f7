import { Duplex } from 'node:stream';
import { DomainError } from '../../core/errors/index.js';
import { parseJson } from '../../core/parsing/index.js';
import type { RunningProgram } from '../runtime/index.js';
import type { ApiResponse, ApiConnection, ApiRequest } from './api-connection.js';
import { isOnlyWith, responseError, statusOf, unreachable, type ErrorContext } from './api-status.js';
import { readAccessRules, type AccessRules } from './access-rules.js';
import { Discovery } from './discovery.js';
import { documentPath, hashOf, OPENAPI_INDEX } from './openapi-index.js';
import { kubernetesObject, objectPage, type KubernetesObject } from './object-fields.js';
import { PODS } from './pod-watch.js';
import {
  ResourceApi,
  type ExecOptions,
  type OpenApiDocument,
  type PatchType,
  type PodName,
  type RemoveOptions,
  type ResourceReference,
  type ResourceTable,
  type ResourceType,
  type ResourceUsage,
  type TableQuery,
  type TableWatch,
  type TypeName,
  type WatchEnding,
  type WriteOptions,
  type WrittenObject,
} from './resource-api.js';
import { listPath, objectPath } from './resource-paths.js';
import { readUsage } from './resource-usage.js';
import { TABLE, tableOf } from './table-response.js';
import { watchTable } from './table-watch.js';

const FIELD_MANAGER = 'slipway';
const READ_DEADLINE_MS = 15_000;
/** Mutating webhooks are called one after the other and can take 10 s each. */
const WRITE_DEADLINE_MS = 35_000;
/** As in kubectl. A large page would fill the memory and block other requests while it is parsed. */
const PAGE = 500;

const CONTENT_TYPES: Readonly<Record<PatchType, string>> = {
  merge: 'application/merge-patch+json',
  'strategic-merge': 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
};

/** Rights rarely change. */
const RULES_MS = 60_000;

export class ConnectionResources extends ResourceApi {
  private readonly discovery: Discovery;
  private readonly rules = new Map<string, { at: number; rules: Promise<AccessRules> }>();

  constructor(
    private readonly cluster: string,
    private readonly connection: ApiConnection,
  ) {
    super();
    this.discovery = new Discovery(connection, (response) => responseError(response, { cluster }));
  }

  override async types(): Promise<ResourceType[]> {
    return await this.reach(() => this.discovery.types());
  }

  override async typeOfKind(group: string, kind: string): Promise<ResourceType | undefined> {
    return await this.reach(() => this.discovery.findKind(group, kind));
  }

  override async type(name: TypeName): Promise<ResourceType> {
    // Validates the name before an error quotes it.
    listPath(name);
    const found = await this.reach(() => this.discovery.find(name));
    if (found) return found;
    if (this.discovery.isUnavailable(name)) {
      throw new DomainError(
        'resource_type_not_found',
        `The API ${name.group}/${name.version} of cluster ${this.cluster} is not available: the server behind its APIService does not respond. Try again in a moment.`,
      );
    }
    const full = name.group === '' ? name.plural : `${name.plural}.${name.group}`;
    throw new DomainError(
      'resource_type_not_found',
      `Cluster ${this.cluster} does not serve ${full} in version ${name.version}.`,
    );
  }

  override async access(namespace: string): Promise<AccessRules> {
    const known = this.rules.get(namespace);
    if (known && performance.now() - known.at < RULES_MS) return await known.rules;
    const rules = readAccessRules((request) => this.request(request, {}), namespace);
    const entry = { at: performance.now(), rules };
    this.rules.set(namespace, entry);
    rules.catch(() => this.rules.get(namespace) === entry && this.rules.delete(namespace));
    return await rules;
  }

  override async openApi(type: ResourceType): Promise<OpenApiDocument> {
    const index = await this.send({ path: OPENAPI_INDEX });
    if (index.status === 404) {
      throw new DomainError(
        'schema_unavailable',
        `The API server of cluster ${this.cluster} publishes no schemas. Kubernetes 1.24 and later do.`,
      );
    }
    if (index.status >= 300) throw responseError(index, { cluster: this.cluster, type });
    const hash = hashOf(index.text, type);
    if (hash === undefined) {
      const version = type.group === '' ? type.version : `${type.group}/${type.version}`;
      throw new DomainError(
        'schema_unavailable',
        `The API server of cluster ${this.cluster} publishes no schemas of ${version}.`,
      );
    }
    const path = documentPath(type);
    return { hash, read: async () => (await this.request({ path }, { type })).text };
  }

  override async table(type: TypeName, query: TableQuery = {}): Promise<ResourceTable> {
    const read = async (page: TableQuery): Promise<ResourceTable> =>
      tableOf(await this.listText(type, page, TABLE, { includeObject: 'Metadata' }));
    const table = await read(firstPage(query));
    while (table.continue !== null && table.rows.length < (query.limit ?? Infinity)) {
      const page = await read(nextPage(query, table.rows.length, table.continue));
      for (const row of page.rows) table.rows.push(row);
      table.continue = page.continue;
      table.remaining = page.remaining;
    }
    return table;
  }

  override async watch(type: TypeName, watch: TableWatch): Promise<WatchEnding> {
    return await this.reach(() =>
      watchTable(this.connection, type, watch, (response) =>
        responseError(response, { cluster: this.cluster, type }),
      ),
    );
  }

  override async read(reference: ResourceReference, subresource?: 'scale'): Promise<KubernetesObject> {
    const path = objectPath(reference, {}, subresource);
    const { text } = await this.request({ path }, contextOf(reference));
    return objectOf(text);
  }

  override async list(type: TypeName, query: TableQuery = {}): Promise<KubernetesObject[]> {
    const found: KubernetesObject[] = [];
    let page = firstPage(query);
    for (;;) {
      const { objects, continue: token } = objectPage(parseJson(await this.listText(type, page)));
      for (const object of objects) found.push(object);
      if (!token || found.length >= (query.limit ?? Infinity)) return found;
      page = nextPage(query, found.length, token);
    }
  }

  override async replace(
    reference: ResourceReference,
    object: KubernetesObject,
    { dryRun }: WriteOptions = {},
  ): Promise<WrittenObject> {
    return await this.write(reference, withoutManagers(object), { method: 'PUT' }, { dryRun });
  }

  override async apply(
    reference: ResourceReference,
    object: KubernetesObject,
    { dryRun, force }: WriteOptions = {},
  ): Promise<WrittenObject> {
    // JSON is valid YAML.
    const request = { method: 'PATCH', contentType: 'application/apply-patch+yaml' } as const;
    const write = async (withForce: boolean | undefined): Promise<WrittenObject> =>
      await this.write(reference, withoutManagers(object), request, { dryRun, force: withForce });
    try {
      return await write(force);
    } catch (error) {
      // The API server tells what Slipway applied from what it changed, such as by scaling. To users that is one manager.
      if (force || !isOnlyWith(error, FIELD_MANAGER)) throw error;
      return await write(true);
    }
  }

  override async patch(
    reference: ResourceReference,
    type: PatchType,
    change: unknown,
    { dryRun, subresource }: WriteOptions & { subresource?: 'scale' | 'ephemeralcontainers' } = {},
  ): Promise<WrittenObject> {
    const request = { method: 'PATCH', contentType: CONTENT_TYPES[type] } as const;
    return await this.write(reference, change, request, { dryRun, subresource });
  }

  override async remove(
    reference: ResourceReference,
    { dryRun, propagation, gracePeriodSeconds, uid }: RemoveOptions = {},
  ): Promise<{ gone: boolean }> {
    const { text } = await this.request(
      {
        method: 'DELETE',
        path: objectPath(reference),
        deadlineMs: WRITE_DEADLINE_MS,
        body: JSON.stringify({
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          propagationPolicy: propagation,
          gracePeriodSeconds,
          preconditions: uid === undefined ? undefined : { uid },
          dryRun: dryRun ? ['All'] : undefined,
        }),
      },
      contextOf(reference),
    );
    return { gone: isGone(text) };
  }

  override async evict(
    { namespace, name }: PodName,
    { gracePeriodSeconds, dryRun }: { gracePeriodSeconds?: number; dryRun?: boolean } = {},
  ): Promise<{ blocked: string | null }> {
    const pod = { ...PODS, namespace, name };
    const response = await this.send({
      method: 'POST',
      path: objectPath(pod, { dryRun: allIf(dryRun) }, 'eviction'),
      deadlineMs: WRITE_DEADLINE_MS,
      body: JSON.stringify({
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name, namespace },
        deleteOptions: gracePeriodSeconds === undefined ? undefined : { gracePeriodSeconds },
      }),
    });
    if (response.status < 300) return { blocked: null };
    const blocked = blockedBy(response);
    if (blocked === null) throw responseError(response, { cluster: this.cluster, type: pod, name });
    return { blocked };
  }

  override async forwardPort({ namespace, name }: PodName, port: number): Promise<Duplex> {
    const pod = { ...PODS, namespace, name };
    const path = objectPath(pod, { ports: port }, 'portforward');
    const opened = await this.reach(async () => await this.connection.forward?.(path));
    if (opened instanceof Duplex) return opened;
    if (opened) throw responseError(opened, { cluster: this.cluster, type: pod, name });
    throw new DomainError(
      'resource_refused',
      `The Pods of cluster ${this.cluster} run no programs, so there are no ports to forward.`,
    );
  }

  override async exec(
    { namespace, name }: PodName,
    { container, command, tty, stdin = false }: ExecOptions,
  ): Promise<RunningProgram> {
    const pod = { ...PODS, namespace, name };
    // A terminal has no separate error output.
    const query = { container, command, tty, stdin, stdout: true, stderr: !tty };
    const started = await this.reach(() => this.connection.exec(objectPath(pod, query, 'exec')));
    if ('stream' in started) return started;
    throw responseError(started, { cluster: this.cluster, type: pod, name });
  }

  override async usage(): Promise<ResourceUsage | null> {
    return await readUsage((path) => this.send({ path, deadlineMs: READ_DEADLINE_MS }));
  }

  private async listText(
    type: TypeName,
    { namespace, limit, continue: token, labelSelector, fieldSelector, deadlineMs }: TableQuery,
    accept?: string,
    more: Record<string, string> = {},
  ): Promise<string> {
    const path = listPath(type, namespace, {
      limit,
      continue: token,
      labelSelector,
      fieldSelector,
      ...more,
    });
    const { text } = await this.request({ path, accept, deadlineMs }, { type });
    return text;
  }

  private async write(
    reference: ResourceReference,
    content: unknown,
    request: Pick<ApiRequest, 'method' | 'contentType'>,
    { dryRun, force, subresource }: WriteOptions & { subresource?: string },
  ): Promise<WrittenObject> {
    const query = { fieldManager: FIELD_MANAGER, dryRun: allIf(dryRun), force };
    const path = objectPath(reference, query, subresource);
    const change = { ...request, path, body: JSON.stringify(content), deadlineMs: WRITE_DEADLINE_MS };
    const { text, warnings = [] } = await this.request(change, contextOf(reference));
    return { object: objectOf(text), warnings };
  }

  /** @throws DomainError for a response with an error status, and without a response */
  private async request(request: ApiRequest, context: Omit<ErrorContext, 'cluster'>): Promise<ApiResponse> {
    const response = await this.send(request);
    if (response.status >= 300) throw responseError(response, { cluster: this.cluster, ...context });
    return response;
  }

  private async send(request: ApiRequest): Promise<ApiResponse> {
    const { deadlineMs = READ_DEADLINE_MS } = request;
    return await this.reach(() => this.connection.send({ ...request, deadlineMs }));
  }

  private async reach<Result>(question: () => Promise<Result>): Promise<Result> {
    try {
      return await question();
    } catch (error) {
      if (error instanceof DomainError) throw error;
      throw unreachable(this.cluster, error);
    }
  }
}

function firstPage(query: TableQuery): TableQuery {
  return { ...query, limit: Math.min(PAGE, query.limit ?? PAGE) };
}

function nextPage(query: TableQuery, read: number, token: string): TableQuery {
  return { ...query, limit: Math.min(PAGE, (query.limit ?? Infinity) - read), continue: token };
}

function contextOf({ name, ...type }: ResourceReference): Omit<ErrorContext, 'cluster'> {
  return { type, name };
}

function allIf(dryRun: boolean | undefined): 'All' | undefined {
  return dryRun ? 'All' : undefined;
}

/** @throws Error for a response that is no object */
function objectOf(text: string): KubernetesObject {
  const object = kubernetesObject(parseJson(text));
  if (!object) throw new Error('the API server returned no object');
  return object;
}

/** Removes the managed fields: only the server maintains them, and it rejects them in an apply. */
function withoutManagers(object: KubernetesObject): KubernetesObject {
  const metadata = { ...object.metadata };
  delete metadata['managedFields'];
  return { ...object, metadata };
}

/** The server responds with a Status or the last state of a deleted object, or with an object that waits for deletion. */
function isGone(text: string): boolean {
  const { kind = 'Status', metadata } = kubernetesObject(parseJson(text)) ?? {};
  if (kind === 'Status' || metadata?.deletionTimestamp === undefined) return true;
  const { finalizers = [] } = metadata;
  return metadata.deletionGracePeriodSeconds === 0 && finalizers.length === 0;
}

/** The server responds with 429 for one disruption budget, and with 500 for several budgets of the same Pod. */
function blockedBy(response: ApiResponse): string | null {
  const { message = '', details } = statusOf(response);
  const budget = details?.causes?.find(({ reason }) => reason === 'DisruptionBudget');
  if (response.status === 429 && (budget || message.includes('disruption budget'))) {
    return budget?.message ?? message;
  }
  return message.includes('more than one PodDisruptionBudget') ? message : null;
}
