import { storageKey, type ApiType } from './api-types.js';
import type { ResourcePath } from './api-path.js';
import type { ClusterState } from './cluster-state.js';
import type { Change } from './object-store.js';
import { formOf, inVersion, selection, type Form, type Reading } from './reading.js';
import type { ApiObject } from './shapes.js';
import { expired } from './status.js';

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

const BOOKMARK_MS = 60_000;
/** A real server ends a watch after half an hour to an hour. */
const USUAL_SECONDS = 1800;

export interface WatchRequest {
  path: ResourcePath;
  query: URLSearchParams;
  accept: string;
  signal: AbortSignal;
  onLine: (line: string) => void;
}

/** Watches: what changes, as lines of JSON, from a version on. */
export class Watching {
  private readonly open = new Set<(broken: Error) => void>();

  constructor(
    private readonly state: ClusterState,
    private readonly reading: Reading,
  ) {}

  /** Breaks every watch, as the end of the server does. */
  breakAll(error: Error): void {
    for (const end of [...this.open]) end(error);
  }

  /**
   * Resolves when the signal is given or the time is up.
   * @throws ApiFailure 400 where the watch cannot begin, Error where the connection broke.
   */
  async watch({ path, query, accept, signal, onLine }: WatchRequest): Promise<void> {
    const form = formOf(accept, query);
    const { type } = path;
    const matches = selection(type, query);
    const namespace = path.namespace;
    const key = storageKey(type);
    const concerns = (object: ApiObject): boolean =>
      (namespace === undefined || object.metadata.namespace === namespace) &&
      (path.name === undefined || object.metadata.name === path.name) &&
      (matches?.(object) ?? true);
    const line = this.lineOf(type, form, onLine);
    const tell = (change: Change): void => {
      const is = change.kind !== 'DELETED' && concerns(change.object);
      const was = change.before !== undefined && concerns(change.before);
      if (is) line(was ? 'MODIFIED' : 'ADDED', change.object);
      else if (was) line('DELETED', change.object);
    };

    const version = query.get('resourceVersion') ?? '';
    if (version === '' || version === '0') {
      for (const object of this.state.store.list(key, namespace).filter(concerns)) line('ADDED', object);
    } else {
      const missed = this.state.store.changesSince(key, Number(version));
      if (!missed) {
        const failure = expired(`too old resource version: ${version} (${this.state.store.version})`);
        onLine(JSON.stringify({ type: 'ERROR', object: failure.status }));
        return;
      }
      missed.forEach(tell);
    }
    const end = this.state.store.subscribe((change) => {
      if (change.type === key) tell(change);
    });
    const unfollow = this.state.timeline.follow();
    const bookmarks = setInterval(() => {
      if (query.get('allowWatchBookmarks') === 'true') line('BOOKMARK', this.bookmark(type));
    }, BOOKMARK_MS).unref();
    try {
      await this.ended(signal, Number(query.get('timeoutSeconds') ?? USUAL_SECONDS));
    } finally {
      clearInterval(bookmarks);
      unfollow();
      end();
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
      // A Table names its columns once.
      const sent = form.table && !first ? { ...shown, columnDefinitions: null } : shown;
      first = false;
      onLine(JSON.stringify({ type: event, object: sent }));
    };
  }

  private bookmark(type: ApiType): ApiObject {
    const resourceVersion = String(this.state.store.version);
    return inVersion({ apiVersion: '', kind: '', metadata: { name: '', resourceVersion } }, type);
  }
}
