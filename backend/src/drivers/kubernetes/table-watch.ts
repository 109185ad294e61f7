import type { ApiResponse, ApiConnection } from './api-connection.js';
import type { ApiStatus } from './api-status.js';
import { listPath } from './resource-paths.js';
import type { TableChange, TableWatch, TypeName, WatchEnding } from './resource-api.js';
import { eventRow, TABLE } from './table-response.js';

/** The server ends a watch after this; one that has lost it unnoticed is not believed for longer. */
const ENDS_AFTER_SECONDS = 300;

interface WatchEvent {
  type?: string;
  object?: unknown;
}

/**
 * Follows a table over one connection. What arrives together is handed on together: an update of a
 * thousand pods is a handful of calls.
 */
export async function watchTable(
  connection: ApiConnection,
  type: TypeName,
  { resourceVersion, namespace, signal, onChanges }: TableWatch,
  refusal: (answer: ApiResponse) => Error,
): Promise<WatchEnding> {
  const own = new AbortController();
  const batch = new ChangeBatch(resourceVersion, signal, onChanges);
  let failure: ApiStatus | undefined;
  const path = listPath(type, namespace, {
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion,
    timeoutSeconds: ENDS_AFTER_SECONDS,
    includeObject: 'Metadata',
  });
  const answer = await connection.stream({
    path,
    accept: TABLE,
    signal: AbortSignal.any([signal, own.signal]),
    onLine: (line) => {
      if (failure || signal.aborted) return;
      const event = JSON.parse(line) as WatchEvent;
      if (event.type === 'ERROR') {
        failure = event.object ?? {};
        own.abort();
      } else {
        batch.add(event);
      }
    },
  });
  batch.flush();
  if (signal.aborted) return 'closed';
  if (answer.status === 410 || failure?.code === 410) return 'expired';
  if (answer.status !== 200) throw refusal(answer);
  if (failure) {
    throw refusal({ status: failure.code ?? 500, text: JSON.stringify({ kind: 'Status', ...failure }) });
  }
  return 'closed';
}

class ChangeBatch {
  private changes: TableChange[] = [];
  private scheduled: NodeJS.Immediate | undefined;

  constructor(
    private resourceVersion: string,
    private readonly signal: AbortSignal,
    private readonly onChanges: TableWatch['onChanges'],
  ) {}

  add({ type, object }: WatchEvent): void {
    const { row, resourceVersion } = eventRow(object);
    if (resourceVersion !== '') this.resourceVersion = resourceVersion;
    if (type !== 'BOOKMARK' && row) {
      this.changes.push(type === 'DELETED' ? { type: 'remove', uid: row.uid } : { type: 'upsert', row });
    }
    this.scheduled ??= setImmediate(() => this.flush());
  }

  flush(): void {
    if (!this.scheduled) return;
    clearImmediate(this.scheduled);
    this.scheduled = undefined;
    const changes = this.changes;
    this.changes = [];
    // Nobody looks any more.
    if (!this.signal.aborted) this.onChanges(changes, this.resourceVersion);
  }
}
