import { setTimeout as delay } from 'node:timers/promises';
import { storageKey, type ApiType } from './api-types.js';
import type { ResourcePath } from './api-path.js';
import type { ClusterState } from './cluster-state.js';
import type { Change } from './object-store.js';
import { acceptsTable, inVersion, selection, type Reading } from './reading.js';
import type { ApiObject } from './shapes.js';
import { expired } from './status.js';

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

export interface WatchRequest {
  path: ResourcePath;
  query: URLSearchParams;
  accept: string;
  signal: AbortSignal;
  onLine: (line: string) => void;
}

/** Serves watches: changes from a resource version on, as lines of JSON. */
export class Watching {
  private readonly open = new Set<AbortController>();

  constructor(
    private readonly state: ClusterState,
    private readonly reading: Reading,
  ) {}

  /** Breaks all watches, as when the server stops. */
  breakAll(error: Error): void {
    for (const connection of this.open) connection.abort(error);
  }

  /**
   * Resolves when the signal aborts or the watch times out.
   * @throws ApiFailure 400 for an invalid selector, Error if the connection breaks
   */
  async watch({ path, query, accept, signal, onLine }: WatchRequest): Promise<void> {
    const { type, namespace } = path;
    const matches = selection(query);
    const key = storageKey(type);
    const matchesPath = (object: ApiObject): boolean =>
      (namespace === undefined || object.metadata.namespace === namespace) && (matches?.(object) ?? true);
    const line = this.lineOf(type, acceptsTable(accept), onLine);
    const send = (change: Change): void => {
      const is = change.kind !== 'DELETED' && matchesPath(change.object);
      const was = change.before !== undefined && matchesPath(change.before);
      if (is) line(was ? 'MODIFIED' : 'ADDED', change.object);
      else if (was) line('DELETED', change.object);
    };

    const version = query.get('resourceVersion');
    const missed = this.state.store.changesSince(key, Number(version));
    if (!missed) {
      const failure = expired(`too old resource version: ${version} (${this.state.store.version})`);
      onLine(JSON.stringify({ type: 'ERROR', object: failure.status }));
      return;
    }
    missed.forEach(send);
    const unsubscribe = this.state.store.subscribe((change) => {
      if (change.type === key) send(change);
    });
    const unfollow = this.state.timeline.follow();
    const broken = new AbortController();
    this.open.add(broken);
    try {
      const either = AbortSignal.any([signal, broken.signal]);
      await delay(Number(query.get('timeoutSeconds')) * 1000, undefined, { signal: either, ref: false });
    } catch {
      broken.signal.throwIfAborted();
    } finally {
      this.open.delete(broken);
      unfollow();
      unsubscribe();
    }
  }

  private lineOf(
    type: ApiType,
    isTable: boolean,
    onLine: (line: string) => void,
  ): (event: EventType, object: ApiObject) => void {
    let first = true;
    return (event, object) => {
      const { resourceVersion } = object.metadata;
      const shown = isTable
        ? this.reading.table(type, [object], { resourceVersion })
        : inVersion(object, type);
      // Only the first table carries the column definitions.
      const sent = isTable && !first ? { ...shown, columnDefinitions: null } : shown;
      first = false;
      onLine(JSON.stringify({ type: event, object: sent }));
    };
  }
}
