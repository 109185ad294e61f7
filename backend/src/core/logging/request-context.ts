import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

export const ACTOR_KINDS = ['session', 'token', 'local', 'system', 'anonymous'] as const;

/** Who a request, or work without a request, acts for. The journal records it. */
export interface Actor {
  /**
   * What was shown: a signed-in session, an access token, a connection of this machine's own user that needs no
   * sign-in, nothing because Slipway acts by itself (recovery, an event that no request caused), or nothing valid
   * (a failed sign-in).
   */
  kind: (typeof ACTOR_KINDS)[number];
  /** The user name; `system` where Slipway acts by itself, `anonymous` where nothing valid was shown. */
  user: string;
  /** Public id of the session or access token, never a secret; null for the other kinds. */
  id: string | null;
  /** Name of the access token. */
  name?: string | null;
  /** The client's address, behind a trusted proxy the one that the proxy reports; null for `system`. */
  address: string | null;
}

/** Slipway itself, where no request is served. */
export const SYSTEM_ACTOR: Actor = { kind: 'system', user: 'system', id: null, address: null };

interface RequestContext {
  requestId?: string;
  actor?: Actor;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` so that every log line within it carries a fresh request id. */
export function runInRequest<TResult>(work: (requestId: string) => TResult): TResult {
  const requestId = randomBytes(8).toString('hex');
  return storage.run({ requestId }, () => work(requestId));
}

/**
 * Runs `work` for an actor, outside of any request. Work that a queue or a timer starts inherits the context of
 * whatever request happened to trigger it; this replaces it.
 */
export function runAs<TResult>(actor: Actor, work: () => TResult): TResult {
  return storage.run({ actor }, work);
}

/** The id of the request being served, if there is one. */
export function currentRequestId(): string | undefined {
  return storage.getStore()?.requestId;
}

/** Called by the access policy once it knows who sends the request that is being served. */
export function setCurrentActor(actor: Actor): void {
  const context = storage.getStore();
  if (context) context.actor = actor;
}

/** Who the work under way acts for; Slipway itself outside a request, or where the request was not admitted. */
export function currentActor(): Actor {
  return storage.getStore()?.actor ?? SYSTEM_ACTOR;
}
