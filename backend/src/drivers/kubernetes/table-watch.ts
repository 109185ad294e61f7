import { guarded } from '../../core/errors/index.js';
import type { ApiResponse, ApiConnection } from './api-connection.js';
import type { TableChange, TableWatch, TypeName, WatchEnding } from './resource-api.js';
import { eventRow, TABLE } from './table-response.js';
import { watchEvents } from './watch-events.js';

/** Reports events that arrive together in one call: an update of a thousand Pods is a handful of calls. */
export async function watchTable(
  connection: ApiConnection,
  type: TypeName,
  { resourceVersion, namespace, fieldSelector, signal, onChanges }: TableWatch,
  toError: (response: ApiResponse) => Error,
): Promise<WatchEnding> {
  let version = resourceVersion;
  let changes: TableChange[] = [];
  let scheduled: NodeJS.Immediate | undefined;
  const flush = (): void => {
    if (!scheduled) return;
    clearImmediate(scheduled);
    scheduled = undefined;
    const batch = changes;
    changes = [];
    if (!signal.aborted) onChanges(batch, version);
  };
  // Ends the watch if a change cannot be processed.
  const failed = new AbortController();
  const flushLater = guarded(flush, (error) => failed.abort(error));
  const add = (event: string, object: unknown): void => {
    const { row, resourceVersion: next } = eventRow(object);
    if (next !== '') version = next;
    if (event !== 'BOOKMARK' && row) {
      changes.push(event === 'DELETED' ? { type: 'remove', uid: row.uid } : { type: 'upsert', row });
    }
    scheduled ??= setImmediate(flushLater);
  };
  const format = {
    accept: TABLE,
    query: { includeObject: 'Metadata', ...(fieldSelector && { fieldSelector }) },
  };
  const either = AbortSignal.any([signal, failed.signal]);
  const request = { type, resourceVersion, namespace, signal: either, ...format };
  try {
    const ending = await watchEvents(connection, request, add, toError);
    failed.signal.throwIfAborted();
    return ending;
  } finally {
    flush();
  }
}
