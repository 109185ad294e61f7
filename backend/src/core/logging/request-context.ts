import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

interface RequestContext {
  requestId: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` so that every log line within it carries a fresh request id. */
export function runInRequest<TResult>(work: (requestId: string) => TResult): TResult {
  const requestId = randomBytes(8).toString('hex');
  return storage.run({ requestId }, () => work(requestId));
}

/** The id of the request being served, if there is one. */
export function currentRequestId(): string | undefined {
  return storage.getStore()?.requestId;
}
