import { storageKey, type ApiType } from './api-types.js';
import type { ResourcePath } from './api-path.js';
import type { ClusterState } from './cluster-state.js';
import type { Change } from './object-store.js';
import { formOf, inVersion, selection, type Form, type Reading } from './reading.js';
import type { ApiObject } from './shapes.js';
import { expired } from './status.js';

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** API servers end watches after 30 to 60 minutes. */
const DEFAULT_TIMEOUT_SECONDS = 1800;

export interface WatchRequest {
  path: ResourcePath;
  query: URLSearchParams;
  accept: string;
  signal: AbortSignal;
  onLine: (line: string) => void;
}

/** Serves watches: changes from a resource version on, as lines of JSON. */
export class Watching {
  private readonly open = new Set<(error: Error) => void>();

  constructor(
    private readonly state: ClusterState,
    private readonly reading: Reading,
  ) {}

  /** Breaks all watches, as when the server stops. */
  breakAll(error: Error): void {
    for (const end of [...this.open]) end(error);
  }

  /**
   * Resolves when the signal aborts or the watch times out.
   * @throws ApiFailure 400 for an invalid selector, Error if the connection breaks
   */
  async watch({ path, query, accept, signal, onLine }: WatchRequest): Promise<void> {
    const form = formOf(accept, query);
    const { type } = path;
    const matches = selection(query);
    const namespace = path.namespace;
    const key = storageKey(type);
    const matchesPath = (object: ApiObject): boolean =>
      (namespace === undefined || object.metadata.namespace === namespace) &&
      (path.name === undefined || object.metadata.name === path.name) &&
      (matches?.(object) ?? true);
    const line = this.lineOf(type, form, onLine);
    const send = (change: Change): void => {
      const is = change.kind !== 'DELETED' && matchesPath(change.object);
      const was = change.before !== undefined && matchesPath(change.before);
      if (is) line(was ? 'MODIFIED' : 'ADDED', change.object);
      else if (was) line('DELETED', change.object);
    };

    const version = query.get('resourceVersion') ?? '';
    if (version === '' || version === '0') {
      for (const object of this.state.store.list(key, namespace).filter(matchesPath)) line('ADDED', object);
    } else {
      const missed = this.state.store.changesSince(key, Number(version));
      if (!missed) {
        const failure = expired(`too old resource version: ${version} (${this.state.store.version})`);
        onLine(JSON.stringify({ type: 'ERROR', object: failure.status }));
        return;
      }
      missed.forEach(send);
    }
    const unsubscribe = this.state.store.subscribe((change) => {
      if (change.type === key) send(change);
    });
    const unfollow = this.state.timeline.follow();
    try {
      await this.ended(signal, Number(query.get('timeoutSeconds') ?? DEFAULT_TIMEOUT_SECONDS));
    } finally {
      unfollow();
      unsubscribe();
    }
  }

  private async ended(signal: AbortSignal, seconds: number): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve, reject) => {
      const finish = (error?: Error): void => {
        clearTimeout(timer);
        this.open.delete(finish);
        signal.removeEventListener('abort', stop);
        if (error) reject(error);
        else resolve();
      };
      const stop = (): void => finish();
      const timer = setTimeout(stop, seconds * 1000).unref();
      signal.addEventListener('abort', stop, { once: true });
      this.open.add(finish);
    });
  }

  private lineOf(
    type: ApiType,
    form: Form,
    onLine: (line: string) => void,
  ): (event: EventType, object: ApiObject) => void {
    let first = true;
    return (event, object) => {
      const { resourceVersion } = object.metadata;
      const shown = form.table
        ? this.reading.table(type, [object], form, { resourceVersion })
        : inVersion(object, type);
      // Only the first table carries the column definitions.
      const sent = form.table && !first ? { ...shown, columnDefinitions: null } : shown;
      first = false;
      onLine(JSON.stringify({ type: event, object: sent }));
    };
  }
}
