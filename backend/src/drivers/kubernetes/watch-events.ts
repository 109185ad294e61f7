import { anything, parseJson, record, text } from '../../core/parsing/index.js';
import type { ApiResponse, ApiConnection } from './api-connection.js';
import { readStatus, type ApiStatus } from './api-status.js';
import type { TypeName, WatchEnding } from './resource-api.js';
import { listPath } from './resource-paths.js';

/** After this time, the server ends a watch. Bounds how long a lost connection goes unnoticed. */
const TIMEOUT_SECONDS = 300;

const watchEvent = record({ type: text(100), object: anything });

interface WatchRequest {
  type: TypeName;
  resourceVersion: string;
  namespace?: string;
  accept?: string;
  query?: Record<string, string>;
  signal: AbortSignal;
}

/**
 * Reads the events of a watch, including bookmarks, until the server ends it or the signal aborts.
 *
 * The watch of `@kubernetes/client-node` 2.0.1 is no alternative: it sends no Accept header, so it cannot watch tables,
 * it drops the Status of a rejected watch, and importing it takes 84 MB and a second.
 * @param onEvent must not throw for any object. @param toError converts a response other than 200 or an ERROR event.
 */
export async function watchEvents(
  connection: ApiConnection,
  { type, resourceVersion, namespace, accept, query, signal }: WatchRequest,
  onEvent: (type: string, object: unknown) => void,
  toError: (response: ApiResponse) => Error,
): Promise<WatchEnding> {
  const own = new AbortController();
  let failure: ApiStatus | undefined;
  const response = await connection.stream({
    path: listPath(type, namespace, {
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion,
      timeoutSeconds: TIMEOUT_SECONDS,
      ...query,
    }),
    accept,
    signal: AbortSignal.any([signal, own.signal]),
    onLine: (line) => {
      if (failure || signal.aborted) return;
      const { type = '', object } = watchEvent(parseJson(line)) ?? {};
      if (type === 'ERROR') {
        failure = readStatus(object) ?? {};
        own.abort();
      } else if (object !== undefined) onEvent(type, object);
    },
  });
  if (signal.aborted) return 'closed';
  if (response.status === 410 || failure?.code === 410) return 'expired';
  if (response.status !== 200) throw toError(response);
  if (failure) {
    throw toError({ status: failure.code ?? 500, text: JSON.stringify({ kind: 'Status', ...failure }) });
  }
  return 'closed';
}
