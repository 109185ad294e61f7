import { DomainError, hasCode } from '../../core/errors/index.js';
import type { ApiConnection } from './api-connection.js';
import { ConnectionResources } from './connection-resources.js';
import type { KubernetesObject } from './object-fields.js';
import type { ResourceTable, TableQuery, TableWatch, TypeName, WatchEnding } from './resource-api.js';

/** How long a refusal is remembered. The user may get more rights meanwhile. */
const REMEMBERED_MS = 60_000;

/**
 * The resources that a user of a few namespaces can read: what may not be listed in all namespaces is read in each of the
 * user's own, and merged. Resource versions belong to the whole server, so the lowest one of several lists is one of all.
 */
export class NamespacedResources extends ConnectionResources {
  private readonly refusedAt = new Map<string, number>();

  constructor(
    cluster: string,
    connection: ApiConnection,
    private readonly namespaces: readonly string[],
  ) {
    super(cluster, connection);
  }

  override async table(type: TypeName, query: TableQuery = {}): Promise<ResourceTable> {
    return await this.everywhereOr(
      type,
      query,
      () => super.table(type, query),
      async () => {
        const tables = await this.inEach((namespace) =>
          super.table(type, { ...query, namespace, limit: undefined }),
        );
        const [first] = tables;
        const versions = tables.map(({ resourceVersion }) => resourceVersion);
        return {
          columns: first?.columns ?? [],
          rows: tables.flatMap(({ rows }) => rows),
          continue: null,
          remaining: 0,
          resourceVersion: lowest(versions),
        };
      },
    );
  }

  override async list(type: TypeName, query: TableQuery = {}): Promise<KubernetesObject[]> {
    return await this.everywhereOr(
      type,
      query,
      () => super.list(type, query),
      async () => (await this.inEach((namespace) => super.list(type, { ...query, namespace }))).flat(),
    );
  }

  override async watch(type: TypeName, watch: TableWatch): Promise<WatchEnding> {
    return await this.everywhereOr(
      type,
      watch,
      () => super.watch(type, watch),
      async (): Promise<WatchEnding> => {
        const ending = new AbortController();
        const signal = AbortSignal.any([watch.signal, ending.signal]);
        const watches = this.namespaces.map(async (namespace): Promise<boolean> => {
          try {
            await super.watch(type, { ...watch, namespace, signal });
            return true;
          } catch (error) {
            if (!hasCode(error, 'resource_forbidden')) throw error;
            return false;
          }
        });
        // Until the first of the namespaces that may be watched ends.
        const ended = watches.map(async (one) => ((await one) ? undefined : await Promise.all(watches)));
        try {
          await Promise.race(ended);
        } finally {
          ending.abort();
          await Promise.allSettled([...watches, ...ended]);
        }
        // The last version of one watch says nothing about the others, so all is listed again.
        return 'expired';
      },
    );
  }

  private async everywhereOr<Result>(
    type: TypeName,
    { namespace }: Pick<TableQuery, 'namespace'>,
    everywhere: () => Promise<Result>,
    merged: () => Promise<Result>,
  ): Promise<Result> {
    if (namespace !== undefined || this.namespaces.length === 0) return await everywhere();
    const key = `${type.group}/${type.plural}`;
    if (performance.now() - (this.refusedAt.get(key) ?? -Infinity) < REMEMBERED_MS) return await merged();
    try {
      return await everywhere();
    } catch (error) {
      if (!hasCode(error, 'resource_forbidden') || !(await this.type(type)).namespaced) throw error;
      this.refusedAt.set(key, performance.now());
      return await merged();
    }
  }

  /** @throws DomainError if none of them can be read */
  private async inEach<Result>(read: (namespace: string) => Promise<Result>): Promise<Result[]> {
    const results = await Promise.allSettled(this.namespaces.map(read));
    const found = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failures = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    const failure = failures.find((error) => !hasCode(error, 'resource_forbidden')) ?? failures[0];
    if (failure instanceof DomainError && (found.length === 0 || !hasCode(failure, 'resource_forbidden'))) {
      throw failure;
    }
    if (failure !== undefined && !(failure instanceof DomainError)) throw failure as Error;
    return found;
  }
}

/** Opaque to clients, but all versions that servers of today use are decimal numbers. */
function lowest(versions: readonly string[]): string {
  const numbers = versions.filter((version) => /^\d{1,30}$/.test(version));
  if (numbers.length < versions.length || numbers.length === 0) return versions[0] ?? '';
  return numbers.reduce((one, other) => (BigInt(one) < BigInt(other) ? one : other));
}
