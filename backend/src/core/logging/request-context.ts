import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

export const ACTOR_KINDS = ['session', 'token', 'local', 'system', 'outside', 'anonymous'] as const;

/** The identity behind a request or a background task. The journal records it. */
export interface Actor {
  /**
   * How the client authenticated: with a session, with an access token, or as the local user without sign-in. `system`
   * is Slipway itself (recovery, or a task without a request), `outside` another program or the machine, `anonymous` a
   * failed sign-in.
   */
  kind: (typeof ACTOR_KINDS)[number];
  /** The user name, or `system`, `outside` or `anonymous`. */
  user: string;
  /** Public id of the session or access token, never a secret; null for the other kinds. */
  id: string | null;
  name?: string | null;
  /** The client's address, as reported by a trusted proxy if there is one; null for `system` and `outside`. */
  address: string | null;
}

/** Slipway itself, outside a request. */
export const SYSTEM_ACTOR: Actor = { kind: 'system', user: 'system', id: null, address: null };

/** Another program or the machine, for what Slipway only notices. */
export const OUTSIDE_ACTOR: Actor = { kind: 'outside', user: 'outside', id: null, address: null };

interface RequestContext {
  requestId?: string;
  actor?: Actor;
  journalGroups?: JournalGroups;
}

/** First journal entries of a request or batch by what they have in common, to which the others refer. */
export type JournalGroups = Map<string, number>;

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` with a new request id in its log entries. */
export function runInRequest<TResult>(work: (requestId: string) => TResult): TResult {
  // Node has random bytes for UUIDs in stock, and gets others from the system each time.
  const requestId = randomUUID().replaceAll('-', '').slice(0, 16);
  return storage.run({ requestId }, () => work(requestId));
}

/**
 * Runs `work` for an actor, outside a request. A task of a queue or a timer would otherwise inherit the context of the
 * request that triggered it.
 */
export function runAs<TResult>(actor: Actor, work: () => TResult): TResult {
  return storage.run({ actor }, work);
}

export function currentRequestId(): string | undefined {
  return storage.getStore()?.requestId;
}

/** Lets the journal group the entries of the current request with those of other requests. */
export function joinJournalGroups(groups: JournalGroups): void {
  const context = storage.getStore();
  if (context) context.journalGroups = groups;
}

/** Of the current request; undefined outside one. */
export function currentJournalGroups(): JournalGroups | undefined {
  const context = storage.getStore();
  if (context?.requestId === undefined) return undefined;
  return (context.journalGroups ??= new Map());
}

/** Sets the actor of the current request. The access policy calls this. */
export function setCurrentActor(actor: Actor): void {
  const context = storage.getStore();
  if (context) context.actor = actor;
}

/** The actor of the current request or task; `SYSTEM_ACTOR` outside a request, or before a request is admitted. */
export function currentActor(): Actor {
  return storage.getStore()?.actor ?? SYSTEM_ACTOR;
}
